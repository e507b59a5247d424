"""Attached to a browser that is a person's own: what is ours in it, and that the rest stays."""

import json
import re

import psutil
import pytest

from support.cli import HANG_S, Project, until
from support.everyday_port import Everyday, everyday_browser, virtual_screen
from support.window import needs_window

pytestmark = pytest.mark.e2e


@pytest.fixture
def everyday(tmp_path, site):
    urls = [site.page(f"/own/{name}", f"<title>{name}</title>") for name in ("inbox", "bank")]
    with everyday_browser(tmp_path / "everyday", *urls) as browser:
        yield browser


@pytest.fixture
def attached(tmp_path, everyday: Everyday):
    made = Project.make(tmp_path, BROWSE_CDP_URL=everyday.http)
    yield made
    made.end()


def number_of(listing: str, title: str) -> str:
    found = re.search(rf"\[(\d+)\] {title} —", listing)
    assert found, listing
    return found[1]


@pytest.fixture
def work(site) -> str:
    popup = site.page("/task/popup", "<title>popup</title>")
    return site.page(
        "/task/start",
        "<title>start</title><img src='http://169.254.169.254/latest'>"
        "<button onclick=\"document.title='pressed'\">Go</button>"
        f"<a target=_blank href='{popup}'>Open</a>",
    )


def refuse_a_guest(attached: Project, tab: int) -> None:
    """A paired agent may not use a tab of the person's, and is not told how to take it."""
    key = json.loads(attached.ask("POST", "/pair", {"clientId": "guest"})[1])["setup_key"]
    token = json.loads(attached.ask("POST", "/connect", {"setup_key": key})[1])["token"]
    asked = {"command": "text", "tabId": tab}
    status, said = attached.ask("POST", "/command", asked, authorization=f"Bearer {token}")
    assert (status, json.loads(said)["code"], "--take" in said) == (403, "tab-not-yours", False)


def test_only_what_is_ours_or_taken_is_used_and_all_else_stays(attached, everyday, site, work):
    before = everyday.urls()
    own = everyday.page(site.url + "/own/inbox")
    own.js("window.mark = 1; document.cookie = 'login=1; path=/'")

    attached.ok("goto", work)  # in a new tab, which shares the person's logins
    assert '[button] "Go"' in attached.ok("snapshot", "-i").page
    attached.ok("click", "@e1")
    assert attached.ok("title").page == "pressed"
    assert "login=1" in attached.ok("js", "document.cookie").page
    assert "/task/popup" in attached.ok("click", "@e2").page
    refusal = "blocked: it is, or leads to, a cloud metadata address"
    until(lambda: refusal in attached.ok("network").page, what="the refusal")

    listing = attached.ok("tabs").page
    assert listing.count("(the person's: `browse tab") == 2
    bank = number_of(listing, "bank")
    for words in (["text"], ["goto", work], ["closetab"], ["tab", bank]):
        refused = attached.browse(*words, "--tab-id", bank)
        assert (refused.code, "is the person's own" in refused.err) == (4, True)
    refuse_a_guest(attached, int(bank))
    inbox = number_of(listing, "inbox")
    attached.ok("tab", inbox, "--take")
    assert attached.ok("js", "String(window.mark)").page == "1"
    rows = {row["id"]: row for row in attached.ok("tabs", "--json").json["tabs"]}
    assert [rows[int(it)].get("theirs") for it in (bank, inbox)] == [True, None]

    site.page("/task/worker.js", "onfetch = () => {}", content_type="text/javascript")
    working = "return !!(await navigator.serviceWorker.register('/task/worker.js'))"
    assert attached.ok("js", working).page == "true"

    attached.ok("stop")
    until(lambda: everyday.urls() == before, what="only the person's tabs")
    assert own.js("window.mark") == 1
    own.close()


def test_what_holds_there_is_said_and_what_concerns_all_of_it_is_refused(attached, everyday, work):
    attached.ok("goto", work)
    about = attached.ok("status", "--json").json
    assert (about["mode"], about["attached"]["endpoint"]) == ("cdp", everyday.place)
    rules = {it["rule"] for it in about["attached"]["notInForce"]}
    assert {"process sandbox", "downloads"} <= rules
    said = attached.ok("status").out
    assert f"Attached: {everyday.place}" in said
    assert "Not in force: addresses at the connection" in said

    attached.ok("cookie", "login=1")
    attached.ok("state", "save", "kept")
    for words in (["state", "load", "kept"], ["cookies", "clear"], ["emulate", "geo", "1", "2"]):
        refused = attached.browse(*words, "--json")
        assert (refused.code, refused.json.get("code")) == (4, "not-ours"), refused
    assert "login=1" in attached.ok("js", "document.cookie").page
    assert attached.ok("cookies", "clear", "--domain", "127.0.0.1", "--json").json["removed"] == 1
    attached.ok("--session", "apart", "goto", work)
    assert "login" not in attached.ok("--session", "apart", "js", "document.cookie").page
    assert "nothing was done" in attached.browse("--cdp", "1", "url").err

    attached.ok("cookie", "login=2")
    attached.ok("fork", "copy")  # it changes nothing of the browser's own
    assert attached.ok("--session", "copy", "js", "document.cookie").page == "login=2"
    attached.ok("--session", "copy", "checkpoint", "before")
    attached.ok("--session", "copy", "cookie", "login=3")
    attached.ok("--session", "copy", "checkpoint", "restore", "before")
    for session in ([], ["--session", "copy"]):
        assert attached.ok(*session, "js", "document.cookie").page == "login=2"

    fenced = attached.browse("goto", work, "--allowed-domains", "else.example")
    assert (fenced.code, "may not send anything to that domain" in fenced.err) == (4, True)


def test_the_port_of_the_browser_is_closed_to_our_tabs(attached, everyday, site):
    port = everyday.place.rpartition(":")[2]
    listing = f"{everyday.http}/json/list"
    framing = site.page("/framing", f"<iframe src='{listing}'></iframe>")
    for url in (listing, f"http://localhost:{port}/json/list", f"http://[::ffff:7f00:1]:{port}/"):
        refused = attached.browse("goto", url)
        assert (refused.code, "listens for programs there" in refused.err) == (4, True), refused
    attached.ok("goto", framing)
    assert "/own/bank" not in attached.ok("snapshot").page
    assert attached.browse("download", listing).code != 0

    # A page that only says that it is from there could command the browser.
    attached.ok("route", f"{everyday.http}/*", "--body", "<title>from there</title>")
    refused = attached.browse("goto", f"{everyday.http}/mine")
    assert (refused.code, "listens for programs there" in refused.err) == (4, True), refused
    command = f"""new Promise((done) => {{
        const socket = new WebSocket({everyday.socket!r});
        socket.onopen = () => done("open");
        socket.onerror = () => done("refused");
    }})"""
    assert attached.ok("js", command).page == "refused"


@needs_window
def test_our_tabs_paint_behind_what_the_person_looks_at(tmp_path, site, work):
    front = site.page("/own/front", "<title>front</title>")
    with (
        virtual_screen() as screen,
        everyday_browser(tmp_path / "everyday", front, screen=screen) as everyday,
    ):
        own = everyday.page(front)
        attached = Project.make(tmp_path, BROWSE_CDP_URL=everyday.socket)
        attached.ok("goto", work)
        attached.ok("screenshot", "behind.png")
        attached.ok("newtab", work)
        assert attached.ok("js", "document.visibilityState").page == "visible"
        assert own.js("document.visibilityState") == "visible"

        closing = attached.start("wait", "--text", "never", "60000")
        until(lambda: "wait" in attached.ok("activity").out, what="the command")
        everyday.close(work)
        said = closing.communicate(timeout=HANG_S)[1]
        assert (closing.returncode, b"was closed" in said) == (3, True), said
        until(lambda: work not in attached.ok("tabs").out, what="the end of the other tab, too")
        attached.ok("goto", work)
        own.close()
        attached.end()


def test_a_browser_that_goes_away_is_said_and_attached_to_again(tmp_path, work):
    project = Project.make(tmp_path)
    with everyday_browser(tmp_path / "one") as first:
        port = first.place.rpartition(":")[2]
        project.ok("connect", "--cdp", port)
        project.ok("goto", work)
        waiting = project.start("wait", "--text", "never", "60000")
        until(lambda: "wait" in project.ok("activity").out, what="the command")
        first.end()
        said = waiting.communicate(timeout=HANG_S)[1]
    assert (waiting.returncode, b"is gone" in said) == (1, True), said
    later = project.browse("text")
    assert (later.code, "`browse connect` attaches again" in later.err) == (1, True)
    assert "Status: lost" in project.ok("status").out
    assert "nothing listens there" in project.browse("connect").err

    with everyday_browser(tmp_path / "two", port=port) as second:
        pid = project.state()["pid"]
        assert f"Attached again to 127.0.0.1:{port}" in project.ok("connect").out
        assert project.state()["pid"] == pid
        psutil.Process(pid).kill()  # its successor attaches too
        project.ok("goto", work)
        assert project.ok("status", "--json").json["mode"] == "cdp"
        project.ok("restart")
        project.ok("goto", work)
        assert work in second.urls()
        project.end()


def test_start_options_hold_there_or_are_refused_or_said(tmp_path, everyday, site):
    logins = tmp_path / "logins"
    logins.write_text(f"{site.url.replace('//', '//ada:s3cret-pass@')}\n")
    logins.chmod(0o600)

    def answer(request):
        known = request.headers.get("authorization") == "Basic YWRhOnMzY3JldC1wYXNz"
        request.send_response(200 if known else 401)
        request.send_header("www-authenticate", 'Basic realm="x"')
        request.send_header("content-length", "0")
        request.end_headers()

    site.answer("/closed", answer)
    project = Project.make(tmp_path, BROWSE_CDP_URL=everyday.http)
    proxied = project.browse("url", "--proxy", "socks5://127.0.0.1:1080")
    assert "--proxy does not hold in a browser that browse attaches to" in proxied.err
    project.ok("stop")

    options = ["--http-logins", str(logins), "--chromium-flag", "mute-audio"]
    said = project.ok("goto", f"{site.url}/closed", *options)
    assert "(200)" in said.out
    assert "Of no use in a browser that browse attaches to: --chromium-flag." in said.err
    hop = site.page("/hop", "", status=302, location="http://169.254.169.254/latest")
    assert "cloud metadata" in project.browse("goto", hop).err  # the rules hold beside the logins
    project.end()


def test_what_is_no_browser_is_said_without_the_key_in_its_address(project, site):
    address = f"ws{site.url[4:]}/devtools?token=hunter2hunter2"
    refused = project.browse("--cdp", address, "url")

    place = site.url.removeprefix("http://")
    assert (refused.code, f"cannot attach to {place}: it opens no" in refused.err) == (1, True)
    until(lambda: "stopping" in project.log, what="the daemon's end")
    assert "hunter2" not in refused.err + project.log
