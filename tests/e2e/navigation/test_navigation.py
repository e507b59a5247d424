"""Going to pages with the real client, daemon and Chromium."""

import json
import os
import socket

import pytest

from support.cli import Project

pytestmark = pytest.mark.e2e


def address(browser) -> str:
    return json.loads(browser.post("url", "--json"))["page"]["url"]


def seen(browser) -> str:
    return json.loads(browser.post("text", "--json"))["page"]["text"]


@pytest.fixture
def folder(browser):
    """A folder in the project with a page, to call the client from."""
    inner = browser.root / "docs" / "inner"
    inner.mkdir(parents=True, exist_ok=True)
    (browser.root / "here.html").write_text("<p>in the root</p>")
    (inner / "here.html").write_text("<p>in the sub-folder</p>")
    return inner


@pytest.mark.parametrize("status", [200, 404, 500])
def test_goto_tells_the_status_and_shows_the_page(browser, site, status):
    url = site.page(f"/status-{status}", f"<p>answer {status}</p>", status=status)

    assert browser.ok("goto", url).out == f"Navigated to {url} ({status})\n"
    assert seen(browser) == f"answer {status}"


@pytest.mark.issue(15)
@pytest.mark.parametrize("command", ["goto", "newtab"])
def test_a_redirect_says_the_final_address_the_status_and_the_title(browser, site, command):
    end = site.page("/ended", "<title>The end of it</title>", status=404)
    url = site.page("/started", "", status=302, location="/ended")

    ran = browser.ok(command, url)

    assert f"{url} (404) → now at {end}" in ran.out.splitlines()[0]
    assert ran.page == "title: The end of it"


@pytest.mark.issue(15)
def test_without_a_redirect_the_reply_is_one_line(browser, site):
    url = site.page("/plain", "<title>Plain</title>")

    assert browser.ok("goto", url).out == f"Navigated to {url} (200)\n"


@pytest.mark.issue(15)
def test_back_and_reload_say_a_status_that_is_an_error(browser, site):
    gone = site.page("/gone", "<p>Gone</p>", status=410)
    browser.ok("goto", gone)
    browser.ok("goto", site.page("/there", "<p>There</p>"))

    assert browser.ok("back").out == f"Back → {gone} (410)\n"
    assert browser.ok("reload").out == f"Reloaded {gone} (410)\n"


def test_goto_follows_a_redirect_and_says_in_json_where_it_ended(browser, site):
    end = site.page("/redirected", "<p>end</p>")
    url = site.page("/redirect", "", status=302, location="/redirected")

    told = browser.ok("goto", url, "--json").json

    assert told == {"url": url, "status": 200, "page": {"url": end, "title": ""}}


def test_goto_a_fragment_moves_within_the_page_and_has_no_status(browser, site):
    url = site.page("/fragment", "<p id=part>part</p>")
    browser.ok("goto", url)
    browser.ok("js", "window.kept = 1")

    assert browser.ok("goto", f"{url}#part").out == f"Navigated to {url}#part (unknown)\n"
    assert browser.ok("js", "window.kept").page == "1"


def test_goto_a_download_says_so_and_leaves_the_tab_where_it_was(browser, site):
    here = site.page("/before-download", "<p>here</p>")
    url = site.page("/file.bin", "bytes", content_disposition="attachment; filename=file.bin")
    browser.ok("goto", here)

    ran = browser.browse("goto", url)

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("The address is a download, not a page")
    assert address(browser) == here


def test_goto_an_answer_without_a_page_says_so(browser, site):
    ran = browser.browse("goto", site.page("/no-content", "", status=204))

    assert ran.code == 1
    assert ran.err.startswith("Page not loaded: the server's answer has no page in it")


def test_goto_about_blank(browser):
    assert browser.ok("goto", "about:blank").out == "Navigated to about:blank (unknown)\n"


def test_goto_where_nothing_listens_says_so(browser):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        ran = browser.browse("goto", f"http://127.0.0.1:{unused.getsockname()[1]}/")

    assert ran.code == 1
    assert "nothing listens at that address (ERR_CONNECTION_REFUSED)" in ran.err


def test_goto_a_server_that_never_answers_ends_in_time_and_frees_the_tab(project, site):
    ran = project.browse("goto", site.never("/never"), BROWSE_NAVIGATION_TIMEOUT="2000")

    assert ran.code == 5
    assert "The page did not load within 2 s; loading was stopped." in ran.err
    assert project.ok("js", "1").page == "1"


@pytest.mark.blank_tab
@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,<p>x",
        "chrome://version",
        "view-source:http://127.0.0.1/",
        "blob:http://127.0.0.1/1",
        "about:settings",
        "JaVaScRiPt:alert(1)",
        "http://169.254.169.254/latest/meta-data/",
    ],
)
def test_goto_refuses_what_is_no_page_of_the_web(browser, url):
    ran = browser.browse("goto", url)

    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith("Blocked: ")
    assert address(browser) == "about:blank"


def test_goto_without_a_scheme_shows_what_to_type(browser):
    ran = browser.browse("goto", "example.com")

    assert ran.code == 2
    assert "browse goto https://example.com" in ran.err


def test_goto_a_relative_file_starts_at_the_callers_folder(browser, folder):
    browser.ok("goto", "file://./here.html")
    assert seen(browser) == "in the root"

    browser.ok("goto", "file://./here.html", cwd=folder)
    assert seen(browser) == "in the sub-folder"


def test_goto_a_file_by_its_full_path(browser, folder):
    ran = browser.ok("goto", f"file://{folder}/here.html")

    assert ran.out.startswith(f"Navigated to {(folder.resolve() / 'here.html').as_uri()} (")


def test_goto_refuses_a_file_outside_the_project(browser):
    ran = browser.browse("goto", "file:///etc/hostname")

    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith("Path must be within: ")


def test_goto_refuses_a_link_that_leads_outside_the_project(browser):
    link = browser.root / "leads-out.html"
    link.unlink(missing_ok=True)
    link.symlink_to("/etc/hostname")

    assert browser.browse("goto", "file://./leads-out.html").code == 4


def test_goto_a_missing_file_says_so(browser):
    ran = browser.browse("goto", "file://./not-there.html")

    assert ran.code == 1
    assert "File not found" in ran.err


@pytest.mark.blank_tab
def test_history_goes_back_and_forward_as_far_as_it_reaches(browser, site):
    one, two = site.page("/one", "<p>1"), site.page("/two", "<p>2")
    browser.ok("goto", one)
    browser.ok("goto", two)

    assert browser.ok("back").out == f"Back → {one}\n"
    assert browser.ok("back").out == "Back → about:blank\n"
    assert browser.ok("forward").out == f"Forward → {one}\n"
    assert browser.ok("forward", "--json").json == {"status": 200, "page": {"url": two}}


@pytest.mark.parametrize("way", ["back", "forward"])
def test_history_that_ends_is_an_error_and_moves_nothing(browser, way):
    ran = browser.browse(way)

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"There is no page to go {way} to.")
    assert address(browser) == "about:blank"


def test_back_undoes_a_pushed_state_without_leaving_the_page(browser, site):
    url = site.page("/pushed", "<p>x")
    browser.ok("goto", url)
    browser.ok("js", "window.kept = 1; history.pushState({}, '', '/pushed/further')")

    assert browser.ok("back").out == f"Back → {url}\n"
    assert browser.ok("js", "window.kept").page == "1"


def test_reload_asks_the_server_again(browser, site):
    asked = []

    def count(request):
        asked.append(1)
        request.send_response(200)
        request.send_header("content-type", "text/html")
        request.end_headers()
        request.wfile.write(f"<p>visit {len(asked)}".encode())

    url = site.answer("/visits", count)
    browser.ok("goto", url)

    assert browser.ok("reload").out == f"Reloaded {url}\n"
    assert seen(browser) == "visit 2"


def test_url_follows_the_page(browser, site):
    browser.ok("goto", site.page("/first", "<p>x"))
    browser.ok("js", "history.replaceState({}, '', '/first?now=2#here')")

    assert address(browser) == f"{site.url}/first?now=2#here"


@pytest.mark.parametrize("name", ["load-html", "setcontent", "set-content", "setContent"])
def test_load_html_shows_a_file_under_each_of_its_names(browser, name):
    path = browser.root / "shown.html"
    path.write_text("<!doctype html><p>hello ü</p>")

    ran = browser.ok(name, "shown.html")

    assert ran.out == f"Loaded HTML: {os.path.realpath(path)} (30 bytes)\n"
    assert seen(browser) == "hello ü"


def test_load_html_reads_stdin(browser):
    assert (
        browser.ok("load-html", stdin="<p>from stdin").out
        == "Loaded HTML: (from stdin, 13 chars)\n"
    )
    assert seen(browser) == "from stdin"


def test_load_html_without_anything_is_a_usage_error(browser):
    ran = browser.browse("load-html")

    assert ran.code == 2
    assert "stdin is empty" in ran.err


def test_load_html_takes_a_payload(browser):
    (browser.root / "payload.json").write_text(
        json.dumps({"html": "<p>from a payload", "waitUntil": "load"})
    )

    ran = browser.ok("load-html", "--from-file", "payload.json")

    assert ran.out == "Loaded HTML: (inline from --from-file, 17 chars)\n"
    assert seen(browser) == "from a payload"


@pytest.mark.parametrize(
    "payload",
    [
        "{",
        "[]",
        "{}",
        '{"html": 5}',
        '{"html": "<p>", "waitUntil": "later"}',
        '{"html": "<p>", "more": 1}',
        "\xff",
    ],
)
def test_load_html_says_what_is_wrong_with_a_payload(browser, payload):
    (browser.root / "bad.json").write_bytes(payload.encode("latin-1"))

    ran = browser.browse("load-html", "--from-file", "bad.json")

    assert ran.code == 2
    assert "is not a payload: " in ran.err
    assert '{"html": ' in ran.err


@pytest.mark.parametrize("until", ["load", "domcontentloaded", "networkidle"])
def test_load_html_waits_as_it_is_told(browser, until):
    browser.ok("load-html", "--wait-until", until, "-", stdin="<p>done")

    assert seen(browser) == "done"


def test_load_html_lists_what_it_can_wait_for(browser):
    ran = browser.browse("load-html", "--wait-until", "later", "-", stdin="<p>x")

    assert ran.code == 2
    assert "'later' is not one of: load, domcontentloaded, networkidle" in ran.err


def test_load_html_shows_a_drawing(browser):
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>drawn</text></svg>"
    (browser.root / "page.svg").write_text(f"<?xml version='1.0'?>{drawing}")

    browser.ok("load-html", "page.svg")

    assert seen(browser) == "drawn"


@pytest.mark.parametrize("name", ["page.txt", "page"])
def test_load_html_refuses_another_extension(browser, name):
    (browser.root / name).write_text("<p>x")

    ran = browser.browse("load-html", name)

    assert ran.code == 1
    assert "Expected .html/.htm/.xhtml/.svg" in ran.err


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"plain words", b"", b"{}", b"< p>"])
def test_load_html_refuses_what_does_not_begin_like_markup(browser, content):
    (browser.root / "odd.html").write_bytes(content)

    ran = browser.browse("load-html", "odd.html")

    assert ran.code == 1
    assert f"does not start like markup (first bytes: {content[:16].hex(' ')})" in ran.err


@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b" \n\t", b"\xef\xbb\xbf\n"])
def test_load_html_passes_over_a_byte_order_mark_and_space(browser, before):
    (browser.root / "marked.html").write_bytes(before + b"<p>content</p>")

    browser.ok("load-html", "marked.html")

    assert seen(browser) == "content"


def test_load_html_refuses_a_link_that_leads_outside_the_project(browser):
    link = browser.root / "out.html"
    link.unlink(missing_ok=True)
    link.symlink_to("/etc/hostname")

    assert browser.browse("load-html", "out.html").code == 4


def test_load_html_gives_the_page_nothing_of_the_site_before(browser, site):
    browser.ok("goto", site.page("/with-cookie", "<p>x", set_cookie="secret=1"))
    assert "secret=1" in browser.ok("js", "document.cookie").page

    browser.ok("load-html", stdin="<p>x")

    assert browser.ok("js", "[self.origin, location.href].join()").page == "null,about:blank"
    assert browser.browse("js", "document.cookie").code == 1


def test_load_html_refuses_what_is_larger_than_the_setting(tmp_path):
    project = Project.make(tmp_path, GSTACK_BROWSE_MAX_HTML_BYTES="100")
    (project.root / "large.html").write_text("<p>" + 98 * "x")
    try:
        ran = project.browse("load-html", "large.html")

        assert ran.code == 1
        assert "the most is 100 bytes" in ran.err
    finally:
        project.end()
