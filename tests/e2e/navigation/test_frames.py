"""Choosing frames with the real client, daemon and Chromium."""

import pytest

from support.cli import until

pytestmark = pytest.mark.e2e

DEEP = "<p id=here>deep</p>"


@pytest.fixture
def page(browser, site):
    """A page with a frame of another site in it, which has a frame of its own."""
    site.page("/frame-deep", DEEP)
    inner = site.page(
        "/frame-inner",
        """<p id=here>inner</p><input id=field><iframe id=child name=deep src=/frame-deep></iframe>
        <button onclick="parent.postMessage('remove', '*')">Close</button>
        <a id=out target=_top href=/frame-out>Out</a>""",
    ).replace("127.0.0.1", "localhost")
    site.page("/frame-out", "<p id=here>out</p>")
    outer = site.page(
        "/frame-outer",
        f"""<p id=here>outer</p><iframe id=f name=shop src={inner}></iframe>
        <script>onmessage = () => f.remove()</script>""",
    )
    browser.post("goto", outer)
    browser.post("wait", "--load")
    return browser


def here(page) -> str:
    return page.ok("text", "#here").page


def test_selectors_are_looked_for_in_the_chosen_frame(page):
    told = page.ok("frame", "#f").out
    inner = here(page)
    page.ok("fill", "#field", "typed")
    typed = page.ok("js", "field.value").page
    tree = page.ok("snapshot").page.splitlines()[0]
    page.ok("frame", "#child")
    deep = here(page)
    back = page.ok("frame", "main").out

    assert told.startswith("Switched to frame: http://localhost:")
    assert told.endswith("/frame-inner\n")
    assert tree.startswith('[Context: iframe src="http://localhost:')
    assert (inner, typed, deep) == ("inner", "typed", "deep")
    assert (back, here(page)) == ("Switched to main frame\n", "outer")


def test_a_selector_leads_into_frames_by_itself(page):
    page.post("fill", "#f >>> #field", "typed")
    page.post("wait", "#f >>> #child >>> #here")

    assert page.ok("text", "#f >>> #child >>> #here").page == "deep"
    assert page.ok("attrs", "#f >>> role=button[name=Close]").page
    assert page.ok("text", "#here").page == "outer"
    gone = page.browse("click", "#none >>> #here")
    assert (gone.code, "Nothing on the page matches '#none'" in gone.err) == (3, True)


def test_a_frame_is_found_by_ref_name_and_address(page):
    lines = page.ok("snapshot").page.splitlines()
    ref = next(line.split()[0] for line in lines if "[iframe]" in line)
    by_ref = page.ok("frame", ref, "--json").json["page"]["url"]
    by_name = page.ok("frame", "--name", "deep", "--json").json["page"]
    by_url = page.ok("frame", "--url", "frame-inner", "--json").json["page"]["name"]

    assert by_ref.endswith("/frame-inner")
    assert by_name["url"].endswith("/frame-deep")
    assert by_url == "shop"


def test_refs_work_from_anywhere(page):
    lines = page.ok("snapshot", "-i").page.splitlines()
    field = next(line.strip().split()[0] for line in lines if "[textbox]" in line)
    page.post("frame", "--name", "deep")

    page.ok("fill", field, "by ref")

    page.post("frame", "--name", "shop")
    assert page.ok("js", "field.value").page == "by ref"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["#here"], 3, "Frame not found: '#here' is not a frame element"),
        (["#nowhere"], 3, "Nothing on the page matches '#nowhere'"),
        (["--name", "nobody"], 3, "none has the name 'nobody'"),
        (["--url", "/frame-"], 3, "2 frames have '/frame-' in the address"),
        ([], 2, "give either a target, --name or --url"),
        (["#f", "--name", "x"], 2, "give either a target, --name or --url"),
        (["--name="], 2, "give either a target, --name or --url"),
    ],
)
def test_what_is_no_frame_is_refused_and_nothing_changes(page, words, code, said):
    ran = page.browse("frame", *words)

    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert here(page) == "outer"


@pytest.mark.parametrize(
    "words", [["goto", "about:blank"], ["back"], ["forward"], ["reload"], ["load-html", "x.html"]]
)
def test_a_tab_is_not_moved_from_inside_a_frame(page, words):
    (page.root / "x.html").write_text("<p>x")
    page.post("frame", "#f")

    ran = page.browse(*words, "--json")

    assert ran.json["code"] == "in-frame"
    assert f"Cannot use {words[0]} inside a frame" in ran.json["error"]
    assert here(page) == "inner"


def test_a_frame_that_goes_is_told_once(page):
    page.post("frame", "#f")
    ran = page.browse("js", "parent.postMessage('remove', '*')", "--json")

    if ran.code == 0:  # else the frame went before the script had its answer
        ran = until(lambda: (ran := page.browse("text", "#here", "--json")).code and ran)

    assert ran.json["code"] == "frame-gone"
    assert here(page) == "outer"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])  # the page's own process, or another
@pytest.mark.parametrize(
    "script",
    [
        "parent.postMessage('remove', '*'); new Promise(() => 0)",
        "parent.postMessage('leave', '*'); new Promise(() => 0)",
    ],
)
def test_a_frame_that_goes_while_a_script_runs_is_told(browser, site, host, script):
    inner = site.page("/going-inner", "<p id=here>inner").replace("127.0.0.1", host)
    site.page("/going-next", "<p id=here>outer")
    outer = site.page(
        "/going-outer",
        f"""<p id=here>outer</p><iframe id=f src={inner}></iframe>
        <script>onmessage = ({{ data }}) => data === 'remove'
          ? f.remove() : location.href = '/going-next'</script>""",
    )
    browser.post("goto", outer)
    browser.post("wait", "--load")
    browser.post("frame", "#f")

    ran = browser.browse("js", script, "--json")

    assert ran.json["code"] == "frame-gone"
    assert here(browser) == "outer"


def test_a_frame_that_only_navigates_is_not_gone(page):
    page.post("frame", "#f")
    page.post("frame", "#child")

    ran = page.browse("js", "location.search = 'x'; new Promise(() => 0)", "--json")

    assert ran.json["code"] == "script-failed"
    assert "navigated away" in ran.json["error"]
    assert here(page) == "deep"


def test_an_action_that_removes_its_frame_says_so(page):
    page.post("frame", "#f")

    ran = page.ok("click", "button")

    assert "The selected frame is gone; the main document is selected again" in ran.out
    assert here(page) == "outer"


def test_a_new_page_is_not_in_the_old_frame(page):
    page.post("frame", "#f")

    page.ok("click", "#out")

    assert here(page) == "out"


def test_what_is_missing_in_a_frame_is_said_to_be_missing_there(page):
    page.post("frame", "#f")

    assert "Nothing in the selected frame matches '#f'" in page.browse("text", "#f").err


def test_frames_of_frames_of_other_sites_load_every_time(browser, site):
    inner = site.page("/load-inner", "<p>inner</p>")
    middle = site.page("/load-middle", f"<iframe src={inner}></iframe>")
    middle = middle.replace("127.0.0.1", "localhost")
    outer = site.page("/load-outer", f"<iframe src={middle}></iframe>")

    for _ in range(8):
        browser.post("goto", outer)
        browser.post("wait", "--load", "--timeout", "10000")

    assert "inner" in browser.ok("snapshot").page
