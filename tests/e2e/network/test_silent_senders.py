"""What Chromium sends by itself for a page: in advance, in the background, past the requests."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from browse.browser.network import silent_senders
from browse.browser.network.request_rules import TabRules
from support.cli import Project
from support.inside import browsing
from support.site import Site

pytestmark = pytest.mark.e2e

# Each way gets the address that it must not reach. Those with a promise are waited for.
WAYS = """async ([there, tcp, udp]) => {
  const ended = (promise) => Promise.resolve(promise).then(() => 0, () => 0);
  const link = (rel, href, more) =>
    document.head.append(Object.assign(document.createElement('link'), {rel, href, ...more}));
  const trying = (name) => {
    try { return ended(ways[name]()); } catch { return 0; }  // it is not there
  };
  const calling = (servers) => new Promise((done) => {
    const call = new RTCPeerConnection({iceServers: servers});
    call.createDataChannel('x');
    call.onicegatheringstatechange = () => call.iceGatheringState === 'complete' && done();
    call.createOffer().then((offer) => call.setLocalDescription(offer));
  });
  const ways = {
    fedcm: () => navigator.credentials.get({
      identity: {providers: [{configURL: `${there}?fedcm`, clientId: '1', nonce: '1'}]},
    }),
    keepalive: () => fetch(`${there}?keepalive`, {mode: 'no-cors', keepalive: true}),
    later: () => fetchLater(`${there}?later`, {activateAfter: 0}),
    socketStream: () => new WebSocketStream(`${there.replace('http', 'ws')}?stream`).opened,
    events: () => new Promise((done) => { new EventSource(`${there}?events`).onerror = done; }),
    worklet: () => CSS.paintWorklet.addModule(`${there}?worklet`),
    background: async () => {
      const made = await navigator.serviceWorker.register('/silent/service.js');
      await navigator.serviceWorker.ready;
      return made.backgroundFetch.fetch('x', [`${there}?background`]);
    },
    auction: () => navigator.joinAdInterestGroup(
      {owner: new URL(there).origin, name: 'x', biddingLogicURL: `${there}?auction`}, 10),
    call: () => calling([
      {urls: `turn:127.0.0.1:${tcp}?transport=tcp`, username: 'u', credential: 'c'},
      {urls: `turn:b.localhost:${tcp}?transport=tcp`, username: 'u', credential: 'c'},
      {urls: `stun:127.0.0.1:${udp}`},
    ]),
    transport: () => new WebTransport(`https://127.0.0.1:${udp}/x`).ready,
    prefetch: () => link('prefetch', `${there}?link`),
    preload: () => link('preload', `${there}?preload`, {as: 'fetch'}),
    modules: () => link('modulepreload', `${there}?modules`),
    dictionary: () => link('compression-dictionary', `${there}?dictionary`),
    preconnect: () => link('preconnect', `http://b.localhost:${tcp}/`),
    lookup: () => link('dns-prefetch', `http://b.localhost:${tcp}/`),
    ping: () => {
      document.body.insertAdjacentHTML('beforeend',
        `<iframe name=inside></iframe><a target=inside href="/silent/own" ping="${there}?ping">x`);
      document.querySelector('a[ping]').click();
    },
  };
  await Promise.all(Object.keys(ways).map(trying));
}"""
# What is sent without being asked for has been sent after so many requests.
A_WHILE = "async () => { for (let turn = 0; turn < 30; turn += 1) await fetch('/silent/own'); }"


def speculation(kind: str, *urls: str) -> str:
    rule = {"source": "list", "urls": urls, "eagerness": "immediate"}
    return f"<script type=speculationrules>{json.dumps({kind: [rule]})}</script>"


@pytest.fixture
def reached(site: Site) -> list[str]:
    """What arrives at the paths below /silent/, as `host path?query`."""
    arrived: list[str] = []

    def serve(path: str, body: str, kind: str = "text/html", **headers: str) -> None:
        def answer(request: BaseHTTPRequestHandler) -> None:
            arrived.append(f"{request.headers['host'].partition(':')[0]} {request.path}")
            request.send_response(302 if "location" in headers else 200)
            for name, value in {"content-type": kind, **headers}.items():
                request.send_header(name.replace("_", "-"), value)
            request.send_header("content-length", str(len(body)))
            request.end_headers()
            request.wfile.write(body.encode())

        site.answer(path, answer)

    there, here = (f"http://{host}.localhost:{site.port}/silent" for host in "ba")
    rules = {"prefetch": [{"source": "list", "urls": [f"{there}/x?header"]}]}
    serve("/silent/rules", json.dumps(rules), "application/speculationrules+json")
    serve("/silent/x", "there")
    serve("/silent/own", "here")
    serve("/silent/service.js", "", "text/javascript")
    serve("/silent/hop", "", location=f"{there}/x?hop")
    serve(
        "/silent/page",
        "<title>silent</title><body>"
        + speculation("prefetch", f"{there}/x?prefetch", f"{here}/hop", f"{here}/own?early")
        + speculation("prerender", f"{there}/x?prerender", f"{here}/own?rendered")
        + f"<a href='{here}/own?early'>early</a>",
        speculation_rules='"/silent/rules"',
        link=f"<{there}/x?preloaded>; rel=preload; as=fetch, <{there}/x?linked>; rel=prefetch",
    )
    return arrived


@contextmanager
def listening() -> Iterator[tuple[int, int, list[str]]]:
    """Listen for connections and for datagrams; yields the two ports and what came."""
    came: list[str] = []
    udp = socket.socket(type=socket.SOCK_DGRAM)
    with socket.create_server(("127.0.0.1", 0)) as tcp, udp:
        udp.bind(("127.0.0.1", 0))

        def accept() -> None:
            with suppress(OSError):  # closed: nobody listens any more
                while True:
                    tcp.accept()[0].close()
                    came.append("a connection")

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield tcp.getsockname()[1], udp.getsockname()[1], came
            udp.setblocking(False)
            with suppress(BlockingIOError):
                came.append(f"a datagram {udp.recv(2000)!r}")
        finally:
            tcp.shutdown(socket.SHUT_RDWR)
            thread.join()


async def test_nothing_of_a_fenced_tab_gets_out_silently(tmp_path: Path, site: Site, reached):
    here, there = (f"http://{host}.localhost:{site.port}/silent" for host in "ab")
    async with browsing(tmp_path) as tabs:
        tab = await tabs.current()
        await tabs.set_rules(tab, TabRules(("a.localhost",)))
        await tab.open(f"{here}/page")
        with listening() as (tcp, udp, came):
            await tab.page.evaluate(WAYS, [f"{there}/x", tcp, udp])
            await tab.page.evaluate(A_WHILE)
        await tab.open(f"{here}/own?left")
        await tab.page.evaluate(A_WHILE)

    assert came == []
    assert [row for row in reached if not row.startswith("a.localhost ")] == []
    assert not [row for row in reached if row.endswith(("?early", "?rendered", "/hop"))]


def test_a_link_that_a_page_wants_loaded_in_advance_opens(browser: Project, site: Site, reached):
    browser.ok("goto", f"http://a.localhost:{site.port}/silent/page")

    browser.ok("click", "text=early")

    assert browser.ok("text").page == "here"


async def test_the_features_that_the_driver_turns_on_stay_on(tmp_path: Path):
    """Of two flags with one name Chromium takes the last, which is ours."""
    async with browsing(tmp_path) as tabs:
        chromium = tabs.context.browser
        assert chromium
        session = await chromium.new_browser_cdp_session()
        told = await session.send("SystemInfo.getInfo")
    words = told["commandLine"].split(" --")
    for name in ("enable-features", "disable-blink-features"):
        *drivers, ours = [word.partition("=")[2] for word in words if word.startswith(f"{name}=")]
        assert f"--{name}={ours}".strip() in silent_senders.flags(stealth=False)
        assert {it for list in drivers for it in list.split(",")} <= set(ours.split(","))
