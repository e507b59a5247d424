"""The console and the network: what is captured, of whom, and what never is."""

import json
import re
from collections.abc import Iterator

import pytest

from support.cli import until
from support.life import HEAVY, heavy_renderer
from support.running import owned

pytestmark = pytest.mark.e2e
ICON = "<link rel=icon href=data:,>"


@pytest.fixture
def quiet(browser):
    """The shared browser with empty buffers."""
    browser.post("console", "--clear")
    browser.post("network", "--clear")
    return browser


def said(browser, *flags: str) -> list[dict]:
    """Return the messages, oldest first: the command has the newest first."""
    told = json.loads(browser.post("console", "--json", *flags))
    return (told["page"]["messages"] if "page" in told else told["messages"])[::-1]


def asked(browser, *flags: str) -> list[dict]:
    """Return the requests, oldest first."""
    told = json.loads(browser.post("network", "--json", *flags))
    return (told["page"]["requests"] if "page" in told else told["requests"])[::-1]


def test_the_console_of_every_frame_worker_and_tab_is_kept(quiet, site):
    site.page("/log-worker.js", "console.log('of a worker')", content_type="text/javascript")
    site.page("/log-popup", f"{ICON}<script>console.log('of a popup')</script>")
    frame = site.page("/log-frame", f"{ICON}<script>console.warn('of a frame')</script>")
    foreign = frame.replace("127.0.0.1", "localhost")
    page = f"""{ICON}<script>
      console.log('of a page', {{n: 1}}, [1, 2]);
      console.error('password=hunter22 and Bearer abcdefghijkl');
      setTimeout(() => {{ throw new TypeError('of nobody') }});
      new Worker('/log-worker.js');
      window.open('/log-popup');
    </script><iframe src='{foreign}'></iframe>"""
    quiet.post("goto", site.page("/log", page))
    until(lambda: len(said(quiet)) >= 6, what="all of them")

    rows = {row["text"]: row for row in said(quiet)}
    errors = quiet.ok("console", "--errors", "--here").page

    assert {"of a page {n: 1} [1, 2]", "of a frame", "of a worker", "of a popup"} <= set(rows)
    assert rows["of a frame"]["level"] == "warning"
    assert rows["of a popup"]["tabId"] != rows["of a page {n: 1} [1, 2]"]["tabId"]
    assert rows["Uncaught TypeError: of nobody"]["line"] == 4
    assert re.search(r"\[error\] Uncaught TypeError: of nobody \(http://[\d.:]+/log:4\)", errors)
    assert re.search(r"^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] \[error\] password=\*{4} and ", errors, re.M)
    assert "hunter22" not in json.dumps(list(rows))
    assert "abcdefghijkl" not in errors
    assert "of a popup" not in errors


def test_a_frame_is_heard_once_wherever_it_goes(quiet, site):
    def address(at: str, host: str) -> str:
        page = f"{ICON}<script>console.log('{at} of {host}')</script>"
        return site.page(f"/heard-{at}", page).replace("127.0.0.1", host)

    inner = address("inner", "127.0.0.1")
    middle = site.page(
        "/heard-middle",
        f"{ICON}<script>console.log('middle')</script><iframe src={inner}></iframe>",
    ).replace("127.0.0.1", "localhost")
    outer = site.page("/heard-outer", f"{ICON}<iframe id=f src={middle}></iframe>")
    quiet.post("goto", outer)
    quiet.post("wait", "--load")
    until(lambda: len(said(quiet)) == 2, what="both frames")
    for count, host in enumerate(["127.0.0.1", "localhost", "other.localhost"], 3):
        quiet.post("js", f"f.src = {json.dumps(address(f'stop{count}', host))}; 0")
        until(lambda count=count: len(said(quiet)) >= count, what=f"the frame at {host}")

    texts = [row["text"] for row in said(quiet)]
    # Two processes: what was said later may be heard first.
    assert [*sorted(texts[:2]), *texts[2:]] == [
        "inner of 127.0.0.1",
        "middle",
        "stop3 of 127.0.0.1",
        "stop4 of localhost",
        "stop5 of other.localhost",
    ]


def test_the_console_is_cleared_and_then_empty(quiet):
    quiet.post("js", "console.log('x')")

    assert quiet.ok("console").page.endswith("[log] x")
    assert quiet.ok("console", "--errors").out == "(no console errors)\n"
    assert quiet.ok("console", "--clear").out == "Console buffer cleared.\n"
    assert quiet.ok("console").out == "(no console messages)\n"
    assert quiet.ok("network", "--clear").out == "Network buffer cleared.\n"
    assert quiet.ok("network").out == "(no network requests)\n"


def test_the_console_answers_while_a_page_spins(quiet, site):
    quiet.post("goto", site.page("/spin", ICON))
    with owned(quiet.start("js", "console.log('before'); for (;;);")):
        until(lambda: said(quiet), what="the message")

        shown = quiet.ok("console").page

        assert shown.endswith("[log] before")
        quiet.post("closetab")


def test_a_crash_loses_nothing_and_the_new_page_is_heard(quiet, site):
    page = f"{ICON}<script>console.log('before')</script>{HEAVY}"
    quiet.post("goto", site.page("/crash", page))
    heavy_renderer(quiet).kill()
    until(lambda: "(crashed)" in quiet.post("tabs"), what="the crash to be noticed")
    quiet.post("goto", site.page("/crash-after", f"{ICON}<script>console.log('after')</script>"))
    until(lambda: len(said(quiet)) >= 2, what="both")

    first, last = said(quiet)[0], said(quiet)[-1]

    assert (first["text"], last["text"]) == ("before", "after")
    assert first["tabId"] == last["tabId"]


def test_requests_are_listed_with_what_came_of_them(quiet, site):
    site.page("/asked-too", "x" * 10)
    held = site.hold("/asked-held")
    page = f"""{ICON}<meta http-equiv=Content-Security-Policy content="img-src 'none'"><script>
      fetch('/asked-too?token=abcdefgh', {{method: 'POST'}});
      fetch('/asked-missing');
      fetch('http://127.0.0.1:1/').catch(() => 0);
      fetch('/asked-held').catch(() => 0);
    </script>"""
    quiet.post("goto", site.page("/asked", page))
    until(lambda: sum(row["ms"] is not None for row in asked(quiet)) >= 4, what="the answers")

    rows = {row["url"].removeprefix(site.url): row for row in asked(quiet, "--here")}
    lines = quiet.ok("network").page
    held.let_go.set()

    sent = rows["/asked-too?token=****"]
    assert (sent["method"], sent["status"], sent["size"], sent["type"]) == (
        "POST",
        200,
        10,
        "fetch",
    )
    assert rows["/asked"]["type"] == "document"
    assert rows["http://127.0.0.1:1/"]["failure"] == "net::ERR_UNSAFE_PORT"
    assert re.search(r"^POST http\S+/asked-too\?token=\*{4} → 200 \(\d+ms, 10B\)$", lines, re.M)
    assert re.search(r"^GET \S+/asked-missing → 404 \(\d+ms, \d+B\)$", lines, re.M)
    assert re.search(r"^GET http://127.0.0.1:1/ → failed: net::ERR_UNSAFE_PORT \(", lines, re.M)
    assert re.search(r"^GET \S+/asked-held → pending \(\?ms, \?B\)$", lines, re.M)
    assert "abcdefgh" not in lines


def pages(browser, *words: str) -> Iterator[str]:
    """Read a log page by page; more may be done between the calls."""
    after = "0"
    while after:
        ran = browser.ok(*words, "--max-chars", "400", "--after", after)
        yield ran.page
        note = re.search(r"^\[.* add --after (\d+) for the rest", ran.out, re.MULTILINE)
        after = note[1] if note else ""


def test_what_is_said_while_the_console_is_read_moves_nothing(quiet, site):
    quiet.post("goto", site.page("/grows", ICON))
    quiet.post("js", "for (let n = 0; n < 30; n++) console.log(`line ${n}`)")
    until(lambda: len(said(quiet)) == 30, what="the first lines")

    cursor = quiet.ok("console", "--last", "1", "--json").json["cursor"]
    read = ""
    for number, page in enumerate(pages(quiet, "console")):
        read += page + "\n"
        if number < 3:
            quiet.post("js", f"console.log('late {number}')")
            until(lambda late=number: len(said(quiet)) == 31 + late, what="the late line")

    lines = re.findall(r"\[log\] (.*)$", read, re.MULTILINE)
    assert lines == [f"line {n}" for n in reversed(range(30))]
    assert [row["text"] for row in said(quiet, "--since", str(cursor))] == [
        "late 0",
        "late 1",
        "late 2",
    ]


def test_what_is_answered_and_asked_while_the_network_is_read_moves_nothing(quiet, site):
    held = site.hold("/moves-held")
    quiet.post("goto", site.page("/moves", ICON))
    quiet.post("js", "for (let n = 0; n < 20; n++) fetch(`/moves-held?${n}`); 0")
    until(lambda: len(asked(quiet)) == 21, what="the first requests")

    read = ""
    for number, page in enumerate(pages(quiet, "network")):
        read += page + "\n"
        if number == 0:
            held.let_go.set()
            quiet.post("js", "await fetch('/moves-late').then(r => r.text())")
            until(lambda: all(row["ms"] is not None for row in asked(quiet)), what="all answers")

    lines = re.findall(r"^GET \S+/moves(\S*) → ", read, re.MULTILINE)
    assert lines == [*(f"-held?{n}" for n in reversed(range(20))), ""]
    assert "-held?19 → pending (" in read
    assert "-held?0 → pending" not in read


def test_bodies_are_captured_listed_and_exported_without_secrets(quiet, site):
    secret = {"set_cookie": "sid=abcdefgh", "content_type": "application/json"}
    site.page("/body-api", '{"token": "abcdefgh", "name": "ada"}', **secret)
    site.page("/body-picture", b"\x89PNG", content_type="image/png")
    site.page("/body-large", b"x" * (5 * 1024 * 1024 + 1), content_type="image/png")
    quiet.post("goto", site.page("/body", ICON))

    started = quiet.ok("network", "--capture", "--filter", "/body-").out
    for name in ("api?token=abcdefgh", "picture", "large"):
        quiet.post("js", f"await fetch('/body-{name}').then(r => r.arrayBuffer()).then(() => 1)")
    stopped = quiet.ok("network", "--capture", "stop").out
    listed = quiet.ok("network", "--bodies").page
    exported = quiet.ok("network", "--export", "bodies.jsonl").out

    rows = [json.loads(line) for line in (quiet.root / "bodies.jsonl").read_text().splitlines()]
    assert started == "Network capture started (filter: /body-). Use --capture stop to stop.\n"
    assert stopped.startswith("Network capture stopped. 3 responses captured (")
    assert re.search(r"^  \[1\] 200 \S+/body-api\?token=\*{4} \(0 KB\)$", listed, re.M)
    assert re.search(r"^  \[3\] 200 \S+/body-large \(5120 KB, truncated\)$", listed, re.M)
    assert exported.startswith("Exported 3 captured responses to ")
    assert json.loads(rows[0]["body"]) == {"token": "****", "name": "ada"}
    assert rows[0]["headers"].get("set-cookie", "****") == "****"
    assert (rows[1]["body"], rows[1]["bodyEncoding"]) == ("iVBORw==", "base64")
    assert (rows[2]["body"], rows[2]["bodyTruncated"]) == (None, True)
    assert "abcdefgh" not in (quiet.root / "bodies.jsonl").read_text()


def test_a_filter_that_never_ends_stops_nothing_but_the_capture(project, site):
    project.ok("goto", site.page("/bomb", ICON))
    site.page("/" + "a" * 60, "x")

    project.ok("network", "--capture", "--filter", "(a|aa)+$")
    project.ok("js", f"await fetch('/{'a' * 60}').then(r => r.status)")
    project.ok("js", f"await fetch('/{'a' * 60}!').then(r => r.status)")
    ran = until(
        lambda: (ran := project.browse("network", "--capture", "--filter", "x")).code == 0 and ran,
        what="the end of the capture",
    )

    assert ran.out.startswith("Network capture started (filter: x)")


def test_everything_is_written_down_privately_and_without_secrets(project, site):
    page = f"""{ICON}<input id=pw type=password><script>
      console.log('one\\nline', 'token=abcdefgh');
      fetch('/written?access_token=abcdefgh');
    </script>"""
    project.ok("goto", site.page("/written", page) + "?password=abcdefgh")
    project.ok("chain", '[["fill", "#pw", "abcdefgh"], ["url"]]')
    project.ok("cookie", "sid=abcdefgh")
    project.browse("fill", "abcdefgh", "--no-such-flag")
    folder = project.root / ".gstack"
    until(lambda: (folder / "browse-console.log").exists(), what="the first writing")
    (folder / "browse-console.log").unlink()
    project.ok("js", "console.log('the last words')")
    project.end()

    texts = {path.name: path.read_text() for path in folder.glob("browse-*.*l*")}
    audit = [json.loads(line) for line in texts["browse-audit.jsonl"].splitlines()]
    commands = ["goto", "fill", "url", "chain", "cookie", "fill", "js", "stop"]
    assert [row["cmd"] for row in audit] == commands
    assert [row["args"] for row in audit[1:5]] == ["#pw ****", "", "****", "****"]
    assert audit[5]["error"] == "usage"
    assert texts["browse-console.log"].endswith("[log] the last words\n")
    assert "/written?access_token=**** → 200" in texts["browse-network.log"]
    assert not [name for name, text in texts.items() if "abcdefgh" in text]
    modes = {path.stat().st_mode & 0o777 for path in folder.glob("browse-*.*l*")}
    assert modes == {0o600}


@pytest.mark.issue(15)
def test_what_the_driver_says_to_itself_is_not_in_the_console(quiet, browser):
    (browser.root / "loud.html").write_text("<script>console.debug('of the page')</script>")

    browser.ok("load-html", "loud.html")

    assert [row["text"] for row in said(quiet)] == ["of the page"]
