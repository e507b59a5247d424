"""What pages download: kept, told in the reply, listed, waited for."""

import hashlib
import json
import stat
from pathlib import Path

import pytest

from support.cli import until
from support.life import assert_clear

pytestmark = pytest.mark.e2e

CSV = b"name,price\ntea,3\n" * 40
PAGE = """<a id=link href=/pd-file>CSV</a>
<a id=aside href=/pd-file target=_blank>CSV in a tab</a>
<button id=made onclick="save('made.csv')">Made here</button>
<button id=slow onclick="location = '/pd-slow'; setTimeout(() => save('late.csv'), 900)">
  Slow</button>
<button id=late onclick="setTimeout(() => save('late.csv'), 900)">Later</button>
<button id=none>Nothing</button>
<script>
function save(name) {
  const it = document.createElement("a");
  it.href = URL.createObjectURL(new Blob(["a,b\\n"]));
  it.download = name;
  it.click();
}
</script>"""


@pytest.fixture
def page(browser, site):
    name = 'attachment; filename="../../x/prices 2.csv"'
    site.page("/pd-file", CSV, content_type="text/csv", content_disposition=name)
    browser.post("goto", site.page("/pd", PAGE))
    yield browser
    browser.ok("downloads", "clear")


def kept(told) -> list[Path]:
    return [Path(it["path"]) for it in told["downloads"]]


@pytest.mark.issue(18)
@pytest.mark.parametrize("element", ["#link", "#aside"])
def test_a_click_that_downloads_gives_a_receipt(page, element):
    told = page.ok("click", element)
    listed = json.loads(page.post("downloads", "--json"))

    digest = hashlib.sha256(CSV).hexdigest()
    (path,) = kept(listed)
    assert f"Downloaded: {path} ({len(CSV)} bytes, sha256 {digest})" in told.out
    assert told.page.endswith("download: _.._x_prices 2.csv")
    assert path.read_bytes() == CSV
    assert path.suffix == ".csv"
    assert [stat.S_IMODE(it.stat().st_mode) for it in (path, path.parent)] == [0o600, 0o700]


@pytest.mark.issue(18)
def test_a_download_that_a_script_makes_is_data_too(page):
    told = json.loads(page.post("click", "#made", "--json"))

    (it,) = told["downloads"]
    assert (it["state"], it["bytes"], it["page"]["name"]) == ("saved", 4, "made.csv")
    assert it["sha256"] == hashlib.sha256(b"a,b\n").hexdigest()
    assert Path(it["path"]).read_bytes() == b"a,b\n"
    assert told["page"]["downloads"] == ["made.csv"]
    assert "made.csv" in page.ok("downloads").page


@pytest.mark.issue(18)
def test_downloads_wait_takes_those_that_no_reply_has_told_of(page):
    page.ok("click", "#late")

    told = json.loads(page.post("downloads", "wait", "--json"))

    assert [it["page"]["name"] for it in told["downloads"]] == ["late.csv"]
    assert_clear(
        page.browse("downloads", "wait", "50"), 5, "no other has begun, and 1 download ended"
    )


@pytest.mark.issue(18)
def test_a_download_that_runs_is_waited_for(page, site):
    slow = site.hold_file("/pd-slow", CSV)
    told = page.ok("click", "#slow")
    assert "A download is running: `browse downloads wait` waits for it" in told.out
    assert "late.csv" in told.page  # that the page has started meanwhile

    waiting = page.start("downloads", "wait", "--json")
    slow.let_go.set()
    out, _ = waiting.communicate(timeout=150)

    (path,) = kept(json.loads(out))
    assert path.read_bytes() == CSV


@pytest.mark.issue(18)
def test_download_presses_a_button_and_takes_what_comes(page):
    target = page.root / "pressed.csv"

    told = page.ok("download", "#late", str(target), "--within", "15s")

    assert told.out.startswith(f"Downloaded: {target} (")
    assert target.read_bytes() == b"a,b\n"
    assert "late.csv" in told.out
    assert json.loads(page.post("downloads", "--json"))["downloads"] == []
    target.unlink()


@pytest.mark.issue(18)
def test_download_says_that_a_button_started_none(page):
    ran = page.browse("download", "#none")

    assert_clear(ran, 1, "#none has no address; it was pressed, and no download began")


@pytest.mark.issue(18)
def test_pages_cannot_fill_the_disk(project, site):
    project.env["BROWSE_DOWNLOADS_MB"] = "1"
    stream = site.endless("/pd-endless")
    project.ok("goto", site.page("/pd-flood", f"<a id=it href={stream.url} download>x</a>"))

    project.ok("click", "#it")
    assert stream.let_go.wait(150)
    until(lambda: "is running" not in project.ok("downloads").out, what="the download to end")
    told = json.loads(project.post("downloads", "--json"))

    (it,) = told["downloads"]
    assert it["state"] == "failed"
    assert "downloads of pages may take 1 MB (BROWSE_DOWNLOADS_MB)" in it["why"]
    scratch = Path((project.root / ".gstack" / "browse-scratch").read_text())
    until(lambda: not list((scratch / "downloads").iterdir()), what="its bytes to be removed")


@pytest.mark.issue(18)
def test_a_program_that_a_page_downloads_is_quarantined(browser, site):
    site.page("/pd-tool", b"\x7fELF" + b"x" * 90, content_type="application/octet-stream")
    browser.post("goto", site.page("/pd-program", "<a id=it href=/pd-tool download>x</a>"))

    told = browser.ok("click", "#it")

    assert ".quarantine" in told.out
    assert "a program for Linux" in told.out
    assert browser.ok("downloads", "clear").out == "Removed 1 file\n"
    assert "No page has downloaded anything" in browser.ok("downloads").out


@pytest.mark.issue(18)
def test_downloads_wait_for_no_time_answers_at_once(page):
    ran = page.browse("downloads", "wait", "0")

    assert_clear(ran, 5, "Waited 0 ms for downloads: none has begun")


@pytest.mark.issue(18)
def test_an_agent_may_do_what_it_is_told_to_with_its_own_downloads(page, site):
    key = json.loads(page.ask("POST", "/pair", {"clientId": "reader", "rateLimit": 0})[1])
    key = {"setup_key": key["setup_key"]}
    token = json.loads(page.ask("POST", "/connect", key)[1])["token"]

    def run(*words: str) -> dict:
        body = {"command": words[0], "args": [*words[1:], "--json"]}
        status, said = page.ask("POST", "/command", body, authorization=f"Bearer {token}")
        assert status == 200, said
        return json.loads(said)

    page.ok("click", "#made")
    run("newtab", site.page("/pd-agents", PAGE))
    run("click", "#late")

    (its,) = run("downloads", "wait")["downloads"]

    assert its["page"]["name"] == "late.csv"
    assert [it["page"]["name"] for it in run("downloads")["downloads"]] == ["late.csv"]
    assert run("downloads", "clear") == {"removed": 1}
    assert "made.csv" in page.ok("downloads").page
    page.ask("DELETE", "/token/reader")


def test_a_file_that_the_server_refuses_is_not_called_cancelled(browser, site):
    site.page("/no-such.csv", "no", status=404)
    browser.post("goto", site.page("/refused", "<a href=/no-such.csv download>Export</a>"))

    told = browser.ok("click", "a")

    assert "A download failed: the server refused it, or broke it off" in told.out
