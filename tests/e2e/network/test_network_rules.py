"""Rules about the network, tried by pages in the real Chromium: what gets out, and what is told."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler

import pytest

from browse.browser.network.request_rules import TabRules
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code
from support.cli import Project, until
from support.inside import browsing, eventually
from support.life import driven
from support.site import Site

pytestmark = pytest.mark.e2e
DEADLINE_MS = 15_000

TRIES = """<title>tries</title><body><script>
const tries = [];
const attempt = (name, promise) => tries.push(Promise.race([
  promise.then((out) => `${name} ${out}`, () => `${name} failed`),
  new Promise((done) => setTimeout(done, DEADLINE, `${name} has no end`)),
]));
const load = (tag, url) => new Promise((done) => {
  const node = document.createElement(tag);
  node.onload = () => done('loaded');
  node.onerror = () => done('failed');
  node.src = url;
  document.body.append(node);
});
const opening = (socket) => new Promise((done) => {
  socket.onopen = () => done('opened');
  socket.onerror = () => done('failed');
});
const working = (code) => new Promise((done) => {
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  worker.onmessage = (event) => done(event.data);
});
const getting = (url, options) => fetch(url, {mode: 'no-cors', ...options}).then(() => 'answered');
const said = "then(() => postMessage('answered'), () => postMessage('failed'))";
const everything = async (web, ws) => {
  attempt('fetch', getting(`${web}?fetch`));
  attempt('post', getting(`${web}?post`, {method: 'POST', body: 'x'}));
  attempt('image', load('img', `${web}?image`));
  attempt('script', load('script', `${web}?script`));
  attempt('socket', opening(new WebSocket(`${ws}?socket`)));
  attempt('worker', working(`fetch('${web}?worker', {mode: 'no-cors'}).${said}`));
  navigator.sendBeacon(`${web}?beacon`, 'x');
  return (await Promise.all(tries)).sort();
};
</script>""".replace("DEADLINE", str(DEADLINE_MS))
ESCAPES = """async ([web, ws]) => {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  frame.contentWindow.fetch(`${web}?gone`, {mode: 'no-cors', keepalive: true}).catch(() => 0);
  frame.remove();
  load('iframe', `${web}?frame`);
  const popup = open('');
  attempt('socket of a popup', opening(new popup.WebSocket(`${ws}?popup`)));
  const shared = new SharedWorker(`/net/shared.js?${encodeURIComponent(`${web}?shared`)}`);
  attempt('shared worker', new Promise((done) => {
    shared.port.onmessage = (event) => done(event.data);
  }));
  const script = `/net/service.js?${encodeURIComponent(`${web}?service`)}`;
  const made = await navigator.serviceWorker.register(script);
  attempt('service worker', new Promise((done) => {
    const worker = made.installing || made.waiting || made.active;
    const tell = () => {  // it may have ended before anybody listened
      if (!worker || worker.state === 'redundant') done('failed');
      else if (worker.state === 'activated') done('answered');
    };
    if (worker) worker.onstatechange = tell;
    tell();
  }));
  open(`${web}?opened`);
  open(`${web}?alone`, '', 'noopener');
  return await everything(web, ws);
}"""

ASKED = "decodeURIComponent(location.search.slice(1)), {mode: 'no-cors'}"
SHARED = f"""onconnect = ({{ports: [port]}}) => fetch({ASKED})
  .then(() => port.postMessage('answered'), () => port.postMessage('failed'))"""
SERVICE = f"oninstall = (event) => event.waitUntil(fetch({ASKED}))"
NESTED = """(url) => new Promise((done) => {
  const frame = document.createElement('iframe');
  frame.srcdoc = '<p>nested';
  frame.onload = () => frame.contentWindow.fetch(url, {mode: 'no-cors'})
    .then(() => done('answered'), () => done('failed'));
  document.body.append(frame);
})"""


@pytest.fixture
def reached(site: Site) -> list[str]:
    """What arrives at the paths below /net/, as `METHOD host path?query`."""
    arrived: list[str] = []

    def serve(path: str, html: str, status: int = 200, **headers: str) -> None:
        def answer(request: BaseHTTPRequestHandler) -> None:
            host = request.headers["host"].partition(":")[0]
            arrived.append(f"{request.command} {host} {request.path}")
            request.rfile.read(int(request.headers.get("content-length") or 0))
            request.send_response(status)
            kind = "text/javascript" if path.endswith(".js") else "text/html"
            for name, value in {"content-type": kind, **headers}.items():
                request.send_header(name, value)
            request.end_headers()
            request.wfile.write(html.encode())

        site.answer(path, answer)

    serve("/net/tries", TRIES)
    serve("/net/x", "hello")
    serve("/net/shared.js", SHARED)
    serve("/net/service.js", SERVICE)
    serve("/net/hop", "", 302, location=f"http://b.localhost:{site.port}/net/x?hop")
    serve("/net/metadata", "", 302, location="http://169.254.169.254/latest")
    return arrived


def blocked(tabs: Tabs) -> set[str]:
    return {row.url for _, row in tabs.logs.traffic.ring.numbered() if row.blocked}


def test_pages_do_not_reach_metadata_addresses_in_any_way(browser: Project, site: Site, reached):
    browser.ok("network", "--clear")
    browser.ok("goto", f"{site.url}/net/tries")
    browser.ok("js", "void load('iframe', 'http://[fd00:ec2::254]/frame')")

    tried = browser.ok("js", "everything('http://169.254.169.254/x', 'ws://169.254.169.254/x')")

    for way in ("fetch", "image", "post", "script", "socket", "worker"):
        assert f"{way} failed" in tried.page
    hosts = ("169.254.169.254", "[fd00:ec2::254]")  # not 254 alone: it may be in a blob's id

    def asked() -> list[str]:
        lines = browser.ok("network").page.splitlines()
        return [line for line in lines if any(host in line for host in hosts)]

    # A page, or a worker of it, may know of a failure before the log does.
    until(lambda: not any("→ pending" in it for it in asked()), what="the end of all requests")
    seen = asked()
    told = "failed: blocked: it is, or leads to, a cloud metadata address"
    assert [line for line in seen if told not in line] == []
    for trace in ("?fetch", "?image", "?script", "?worker", "[fd00:ec2::254]/frame", "GET ws://"):
        assert any(trace in line for line in seen), trace


def test_redirect_to_a_metadata_address_is_refused_and_told(browser: Project, site: Site, reached):
    refused = browser.browse("goto", f"{site.url}/net/metadata", "--json")

    assert refused.json["code"] == Code.URL_REFUSED
    assert "cloud metadata address" in refused.json["error"]
    assert "169.254.169.254" in refused.json["page"]["detail"]
    browser.ok("goto", f"{site.url}/net/x")


async def test_nothing_of_a_fenced_tab_gets_out_to_another_domain(tmp_path, site: Site, reached):
    a, b = (f"{host}.localhost:{site.port}" for host in "ab")
    ways = ("fetch", "post", "image", "script", "worker", "beacon", "frame", "opened", "alone")
    expected = {f"http://{b}/net/x?{way}" for way in ways} | {f"ws://{b}/"}
    async with browsing(tmp_path) as tabs:
        tab = await tabs.current()
        await tabs.set_rules(tab, TabRules(("a.localhost", "c.localhost")))
        await tab.open(f"http://{a}/net/tries")
        await tab.page.evaluate(
            "(url) => load('iframe', url)", f"http://c.localhost:{site.port}/net/x"
        )
        nested = await tab.page.frames[1].evaluate(NESTED, f"http://{b}/net/x?nested")
        tried = await tab.page.evaluate(ESCAPES, [f"http://{b}/net/x", f"ws://{b}/net/x"])
        with pytest.raises(BrowseError, match="may not send anything to that domain") as hop:
            await tab.open(f"http://{a}/net/hop")
        await eventually(lambda: expected <= blocked(tabs))
        async with tabs.aside(tab) as aside:
            with pytest.raises(BrowseError, match="may not send anything to that domain"):
                await aside.open(f"http://{b}/net/x?aside")

    # What a busy machine has not ended in time has not got out either.
    assert [row for row in tried if not row.endswith(("failed", "has no end"))] == []
    assert len(tried) == 9
    assert nested == "failed"
    assert hop.value.code is Code.URL_REFUSED
    assert [row for row in reached if " b.localhost " in row] == []


async def test_fence_holds_for_one_tab_for_pages_that_are_there_and_until_it_is_lifted(
    tmp_path, site: Site, reached
):
    a, b = (f"{host}.localhost:{site.port}" for host in "ab")
    getting = "(url) => getting(url).catch(() => 'failed')"
    async with browsing(tmp_path) as tabs:
        tab, free = await tabs.current(), await tabs.open()
        await tab.open(f"http://{a}/net/tries")
        await free.open(f"http://{a}/net/tries")
        assert await tab.page.evaluate(getting, f"http://{b}/net/x?before") == "answered"

        await tabs.set_rules(tab, TabRules(("a.localhost",)))

        assert await tab.page.evaluate(getting, f"http://{b}/net/x?inside") == "failed"
        assert await free.page.evaluate(getting, f"http://{b}/net/x?free") == "answered"
        socket = f"new WebSocket('ws://{b}/net/x?freely')"
        await free.page.evaluate(f"new Promise((done) => {{ {socket}.onerror = done }})")
        frame = await free.page.evaluate("(url) => load('iframe', url)", f"http://{b}/net/tries")
        assert frame == "loaded"
        inner = free.page.frames[1]
        assert await inner.evaluate(getting, f"http://{b}/net/x?inner") == "answered"

        await tabs.set_rules(tab, None)

        assert await tab.page.evaluate(getting, f"http://{b}/net/x?after") == "answered"
    arrived = {row.partition("?")[2] for row in reached if "?" in row}
    assert arrived == {"before", "free", "freely", "inner", "after"}


def test_read_only_browser_sends_nothing_but_reads(project: Project, site: Site, reached):
    project.env["BROWSE_READONLY"] = "1"
    form = "<form method=post action=/net/x?form><button>Send</button></form>"
    page = site.page("/readonly", f"{form}<a href=/net/x?link>Read</a>{TRIES}")
    project.ok("goto", page)

    sent = project.ok("click", "text=Send")
    assert "1 request was blocked: only reading is allowed, and this is a POST request" in sent.out
    project.ok("goto", page)
    tried = project.ok("js", f"everything('{site.url}/net/x', 'ws://127.0.0.1:{site.port}/net/x')")

    for outcome in ("post failed", "socket failed", "fetch answered", "worker answered"):
        assert outcome in tried.page
    assert {row.partition(" ")[0] for row in reached} == {"GET"}
    assert not any("socket" in row for row in reached)


# Ends when both relays have been tried, with and without TLS.
CALL = """new Promise((done) => {
  const urls = ['turn', 'turns'].map((kind) => `${kind}:127.0.0.1:%d?transport=tcp`);
  const server = {urls, username: 'words', credential: 'of the page'};
  const call = new RTCPeerConnection({iceServers: [server]});
  call.createDataChannel('x');
  call.onicegatheringstatechange = () => {
    if (call.iceGatheringState === 'complete') done('tried');
  };
  call.createOffer().then((offer) => call.setLocalDescription(offer));
})"""


@contextmanager
def hearing() -> Iterator[tuple[int, list[bytes]]]:
    """Listen on a port; yields it, and the first bytes of each connection that sent some."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):  # closed: nobody listens any more
                while True:
                    client, _ = server.accept()
                    with client, suppress(OSError):
                        heard.extend(filter(None, [client.recv(1_000)]))

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


@pytest.mark.parametrize("read_only", ["0", "1"])
def test_a_read_only_browser_sends_nothing_by_calls_either(project: Project, site: Site, read_only):
    project.env["BROWSE_READONLY"] = read_only
    project.ok("goto", site.page("/calling", "<p>words"))

    with hearing() as (port, heard):
        tried = project.ok("js", CALL % port)

    assert tried.page == "tried"
    assert bool(heard) is (read_only == "0")


def test_only_allowed_domains_are_reached_loopback_included(project: Project, site: Site, reached):
    project.env["BROWSE_ALLOWED_DOMAINS"] = "a.localhost"
    a, b = (f"{host}.localhost:{site.port}" for host in "ab")
    project.ok("goto", f"http://{a}/net/tries")

    tried = project.ok("js", f"everything('http://{b}/net/x', 'ws://{b}/net/x')")
    hop = project.browse("goto", f"http://{a}/net/hop")
    asked = project.browse("goto", f"{site.url}/net/x")
    saved = project.browse("download", f"http://{a}/net/hop", "file")

    assert tried.page.count("failed") == 6
    for refused in (hop, asked, saved):
        assert refused.code != 0
        assert "not one of the domains in BROWSE_ALLOWED_DOMAINS" in refused.err
    assert [row for row in reached if "a.localhost" not in row] == []


def test_nothing_leaves_by_udp(browser: Project, site: Site, reached):
    browser.ok("goto", f"{site.url}/net/x")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stun:
        stun.bind(("127.0.0.1", 0))
        stun.setblocking(False)
        browser.ok(
            "js",
            f"""new Promise((done) => {{
              const server = {{urls: 'stun:127.0.0.1:{stun.getsockname()[1]}'}};
              const call = new RTCPeerConnection({{iceServers: [server]}});
              call.createDataChannel('x');
              call.onicegatheringstatechange = () => {{
                if (call.iceGatheringState === 'complete') done();
              }};
              call.createOffer().then((offer) => call.setLocalDescription(offer));
            }})""",
        )

        with pytest.raises(BlockingIOError):
            stun.recv(2000)


def test_a_proxy_of_the_environment_is_used(project, site):
    """The site stands for the proxy: it is asked for addresses of other hosts."""
    asked: list[str] = []

    def answer(request) -> None:
        asked.append(request.path)
        request.send_response(200)
        request.send_header("content-type", "text/html")
        request.send_header("content-length", "5")
        request.end_headers()
        request.wfile.write(b"<p>by")

    site.answer("http://nowhere.invalid/proxied", answer)

    ran = project.ok("goto", "http://nowhere.invalid/proxied", all_proxy=site.url)

    assert asked == ["http://nowhere.invalid/proxied"]
    assert "(200)" in ran.out


def test_a_tab_is_limited_to_domains_until_that_is_lifted(browser, site):
    there = f"http://localhost:{site.port}"
    page = site.page("/limited", "<p>here")
    site.page("/limited-away", "<p>away")

    browser.ok("goto", page, "--allowed-domains", "127.0.0.1")
    refused = browser.browse("goto", f"{there}/limited-away")
    browser.ok("goto", f"{there}/limited-away", "--allowed-domains", "any")

    assert refused.code == 4
    assert "may not send anything to that domain" in refused.err
    assert browser.ok("text").page == "away"
    assert browser.browse("goto", page, "--allowed-domains", "https://x").code == 2
    assert browser.browse("newtab", "--allowed-domains", ",").code == 2


@pytest.mark.issue(15)
def test_requests_are_held_no_longer_than_a_tab_has_rules(project, site):
    free = "no tab has request rules any more: requests are not held"
    at_once = {"browser.network.request_rules.LINGER_S": 0}
    driven(project, "goto", site.page("/held", "<p>free"), daemon=at_once)
    fenced = site.page("/held-fenced", "<p>fenced")
    tabs = [
        project.ok("newtab", fenced, "--allowed-domains", "127.0.0.1", "--json").json["tabId"]
        for _ in range(2)
    ]

    project.ok("closetab", f"{tabs[0]}")
    refused = project.browse("goto", f"http://localhost:{site.port}/held", "--tab-id", f"{tabs[1]}")
    still_held = free not in project.log
    project.ok("closetab", f"{tabs[1]}")

    assert "may not send anything to that domain" in refused.err
    assert still_held
    until(lambda: free in project.log, what="the end of holding requests")
    assert "(200)" in project.ok("goto", f"http://localhost:{site.port}/held").out
