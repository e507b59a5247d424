"""What is emulated, seen from inside real pages and from the server."""

import json
from http.server import BaseHTTPRequestHandler

import pytest

from support.cli import Project, until

pytestmark = pytest.mark.e2e

# Read by the page's first script, so that what came too late does not count.
FIRST = """<meta name=viewport content='width=device-width'><script>window.first = {
  agent: navigator.userAgent, platform: navigator.platform,
  brands: navigator.userAgentData?.brands.map((it) => it.brand) ?? [],
  mobile: navigator.userAgentData?.mobile ?? false,
  language: navigator.language, locale: Intl.DateTimeFormat().resolvedOptions().locale,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  reduce: matchMedia('(prefers-reduced-motion: reduce)').matches,
  print: matchMedia('print').matches, touch: 'ontouchstart' in window,
  width: innerWidth, scale: devicePixelRatio,
};</script>"""
PLAIN = {"language": "en-US", "dark": False, "reduce": False, "print": False, "touch": False}


@pytest.fixture
def emulating(browser):
    yield browser
    browser.post("emulate", "reset")


@pytest.fixture
def page(emulating, site):
    """A page that says what it saw, and has a frame of another site that does so too."""
    framed = site.page("/first-framed", FIRST).replace("127.0.0.1", "localhost")
    site.page("/first", f"{FIRST}<p>first</p><iframe src={framed}></iframe>")
    return emulating


def first(page: Project, site, *, frame: bool = False, path: str = "/first") -> dict:
    """What the first script of a newly loaded page saw."""
    page.post("goto", site.url + path)
    page.post("wait", "--load")
    if frame:
        page.post("frame", "iframe")
    seen = json.loads(page.post("js", "first", "--json"))["page"]["value"]
    page.post("frame", "main")
    return seen


def now(page: Project, script: str) -> object:
    return json.loads(page.post("js", script, "--json"))["page"]["value"]


def recording(site, path: str) -> tuple[str, list[dict[str, str]]]:
    """Serve a path that keeps the headers of its requests."""
    seen: list[dict[str, str]] = []

    def answer(request: BaseHTTPRequestHandler) -> None:
        seen.append({name.lower(): value for name, value in request.headers.items()})
        request.send_response(200)
        request.send_header("content-type", "text/html")
        request.end_headers()
        request.wfile.write(FIRST.encode())

    return site.answer(path, answer), seen


SEEN: list[tuple[list[str], dict[str, object]]] = [
    (["locale", "de-DE"], {"language": "de-DE", "locale": "de-DE"}),
    (["timezone", "Asia/Tokyo"], {"zone": "Asia/Tokyo"}),
    (["color-scheme", "dark"], {"dark": True}),
    (["reduced-motion", "reduce"], {"reduce": True}),
    (["media", "print"], {"print": True}),
]


def test_the_first_script_of_a_page_and_its_frames_sees_it(page, site):
    expected = {key: value for _, seen in SEEN for key, value in seen.items()}
    for words, _ in SEEN:
        assert page.post("emulate", *words).startswith(f"Emulating {words[0]}: {words[1]}")

    top, framed = first(page, site), first(page, site, frame=True)
    page.post("newtab")
    fresh = first(page, site)
    listed = page.ok("emulate").out
    page.post("emulate", "reset")
    after = first(page, site)

    for seen in (top, framed, fresh):
        assert {key: seen[key] for key in expected} == expected
    assert "locale: de-DE\ntimezone: Asia/Tokyo\ncolor-scheme: dark" in listed
    assert {key: after[key] for key in PLAIN} == PLAIN
    assert page.ok("emulate").out == "(nothing is emulated)\n"


def test_one_thing_can_be_ended(page, site):
    page.post("emulate", "locale", "de-DE")
    page.post("emulate", "color-scheme", "dark")

    assert page.post("emulate", "locale", "off").strip() == "No longer emulating locale"

    seen = first(page, site)
    assert (seen["language"], seen["dark"]) == ("en-US", True)


def test_a_device_is_seen_by_pages_and_servers(page, site):
    url, requests = recording(site, "/device")
    told = page.ok("emulate", "device", "pixel", "7").out
    page.post("goto", url)
    seen = json.loads(page.post("js", "first", "--json"))["page"]["value"]
    framed = first(page, site, frame=True)

    assert told.startswith("Emulating device: Pixel 7 (412x839 @ 2.625x)")
    assert (seen["width"], seen["scale"], seen["touch"]) == (412, 2.625, True)
    assert (seen["mobile"], seen["platform"]) == (True, "Linux armv81")
    assert "Pixel 7" in seen["agent"]
    assert "Pixel 7" in framed["agent"]
    assert requests[0]["user-agent"] == seen["agent"]
    assert requests[0]["sec-ch-ua-mobile"] == "?1"
    assert page.ok("emulate", "--json").json["emulated"]["device"] == "Pixel 7"

    page.post("emulate", "device", "off")
    after = first(page, site)
    assert (after["width"], after["scale"], after["touch"]) == (1280, 1, False)
    assert "Pixel" not in after["agent"]


def test_devices_are_listed_by_part_of_their_name(emulating):
    ran = emulating.ok("emulate", "devices", "pixel 7")

    assert "Pixel 7 — 412x839 @ 2.625x, mobile, touch" in ran.out.splitlines()
    assert "iPhone" not in ran.out


def test_a_user_agent_is_seen_by_pages_and_servers(page, site):
    url, requests = recording(site, "/agent")
    own = first(page, site)["agent"]

    assert page.ok("useragent", "MyBot/1.0", "(test)").out == "User agent set: MyBot/1.0 (test)\n"

    page.post("goto", url)
    seen = json.loads(page.post("js", "first", "--json"))["page"]["value"]
    assert (seen["agent"], seen["brands"]) == ("MyBot/1.0 (test)", [])
    assert requests[0]["user-agent"] == "MyBot/1.0 (test)"
    assert "sec-ch-ua" not in requests[0]
    assert page.ok("useragent", "--reset").out == "User agent reset\n"
    assert first(page, site)["agent"] == own


def test_a_window_follows(page, site):
    page.post("emulate", "timezone", "Asia/Tokyo")
    page.post("viewport", "500x400")
    page.post("goto", site.url + "/first")
    page.post("js", f"void window.open('{site.url}/first')")
    tab = until(lambda: json.loads(page.post("tabs", "--json"))["tabs"][1:], what="the window")[0]

    page.post("tab", str(tab["id"]))

    script = "innerWidth + Intl.DateTimeFormat().resolvedOptions().timeZone"
    until(lambda: now(page, script) == "500Asia/Tokyo", what="the window to follow")


def test_a_position_is_given_to_the_page(page, site):
    page.post("emulate", "geo", "48.8584,2.2945,7")
    page.post("goto", site.url + "/first")

    position = now(
        page,
        """new Promise((tell) => navigator.geolocation.getCurrentPosition(
        ({coords}) => tell([coords.latitude, coords.longitude, coords.accuracy].join()),
        (error) => tell(error.message)))""",
    )

    assert position == "48.8584,2.2945,7"


def test_permissions_are_granted(page, site):
    ask = "navigator.permissions.query({name: 'notifications'}).then((it) => it.state)"
    page.post("goto", site.url + "/first")
    before = now(page, ask)

    page.post("emulate", "permissions", "notifications", "camera")

    assert (before, now(page, ask)) == ("prompt", "granted")
    page.post("emulate", "permissions", "off")
    assert now(page, ask) == "prompt"


def test_offline_pages_reach_nothing(page, site):
    fetch = f"fetch('{site.url}/first').then(() => 'reached', () => 'failed')"
    page.post("goto", site.url + "/first")

    page.post("emulate", "offline", "on")
    cut_off = (now(page, "navigator.onLine"), now(page, fetch))
    refused = page.browse("goto", site.url + "/first")
    page.post("emulate", "throttle", "4g")
    still = now(page, fetch)
    page.post("emulate", "offline", "off")

    assert cut_off == (False, "failed")
    assert "this machine is offline" in refused.err
    assert still == "failed"
    page.post("goto", site.url + "/first")
    assert (now(page, "navigator.onLine"), now(page, fetch)) == (True, "reached")


def test_what_is_emulated_survives_what_is_asked_of_the_protocol(page, site):
    """Chromium forgets the medium and the lost network when a session of the page ends."""
    host = "<my-tile></my-tile><script>customElements.define('my-tile', class extends HTMLElement"
    made = "{ constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<b>in' }})"
    page.post("goto", site.page("/survives", f"<p id=p>x</p>{host} {made}</script>"))
    page.post("emulate", "media", "print")
    page.post("emulate", "offline", "on")

    for words in (["snapshot"], ["inspect", "#p"], ["css", "#p", "color"], ["snapshot", "-C"]):
        page.post(*words)

    assert now(page, "[navigator.onLine, matchMedia('print').matches]") == [False, True]


def test_slow_networks_and_processors_are_taken(page, site):
    race = f"""Promise.race([fetch('{site.url}/first').then(() => 'answer'),
        new Promise((tell) => setTimeout(() => tell('clock'), 1000))])"""
    page.post("goto", site.url + "/first")
    before = now(page, race)

    page.post("emulate", "throttle", "8000,8000,5000")
    slowed = now(page, race)
    cpu = json.loads(page.post("emulate", "cpu", "2", "--json"))

    assert (before, slowed) == ("answer", "clock")
    assert cpu == {"emulated": {"cpu": 2.0}, "silent": []}
    assert "throttle: 8000 kbit/s down, 8000 kbit/s up, 5000 ms\ncpu: 2" in page.ok("emulate").out


def test_a_page_that_spins_follows_later_and_is_told(page, site):
    began = site.hold("/emulate-spins")
    page.post("goto", site.url + "/first")
    script = (
        f"r = new XMLHttpRequest(); r.open('GET', '{began.url}', false); r.send(); for (;;) {{}}"
    )
    client = page.start("js", script)
    try:
        assert began.arrived.wait(150)
        told = page.ok("emulate", "timezone", "Asia/Tokyo").out
    finally:
        began.let_go.set()
        client.terminate()
        client.communicate(timeout=150)

    assert "does not answer: it follows with its next page" in told
    assert first(page, site)["zone"] == "Asia/Tokyo"


BUTTON = """<body style='margin: 0; height: 3000px'><button style='position: absolute;
left: 150px; top: 2000px' onclick="log.push([innerWidth, innerHeight, devicePixelRatio].join())">
Go</button><script>window.log = []</script>"""


def test_viewport_resizes_without_loading_the_page_again(emulating):
    (emulating.root / "sized.html").write_text(BUTTON)
    emulating.post("load-html", "sized.html")

    told = [
        emulating.ok("viewport", *words).out
        for words in (["400x300"], ["--scale", "2"], ["500x200", "--scale", "1.5"], [])
        if emulating.ok("click", "text=Go").code == 0
    ]
    emulating.ok("click", "text=Go")

    assert told == [
        "Viewport set to 400x300\n",
        "Viewport set to 400x300 @ 2x\n",
        "Viewport set to 500x200 @ 1.5x\n",
        "Viewport is 500x200 @ 1.5x\n",
    ]
    assert now(emulating, "log.join(' ')") == (
        "1280,720,1 400,300,1 400,300,2 500,200,1.5 500,200,1.5"
    )


def test_viewport_is_kept_across_sites_and_by_new_tabs(page, site):
    page.post("viewport", "640x480", "--scale", "2")
    here = first(page, site)
    page.post("goto", site.url.replace("127.0.0.1", "localhost") + "/first")
    there = json.loads(page.post("js", "first", "--json"))["page"]["value"]
    page.post("newtab")
    fresh = first(page, site)

    assert [(it["width"], it["scale"]) for it in (here, there, fresh)] == [(640, 2)] * 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["viewport", "wide"], "'wide' is not a size with sides from 1 to 16384"),
        (["viewport", "0x100"], "'0x100' is not a size"),
        (["viewport", "--scale", "4"], "'4' is not a scale from 1 to 3"),
        (["viewport", "--scale", "NaN"], "'NaN' is not a scale"),
        (["emulate", "devise"], "Did you mean 'emulate device'?"),
        (["emulate", "device", "Pixle 7"], "Did you mean 'Pixel 7'?"),
        (["emulate", "geo", "1"], "emulate geo: '1' is not a position"),
        (["emulate", "geo"], "emulate geo: a value is missing"),
        (["emulate", "reset", "all"], "emulate reset: unexpected argument 'all'"),
        (["useragent"], "give either a string or --reset"),
        (["useragent", "x\ny"], "characters that no header may hold"),
        (["header", "X-Test: a\r\nEvil: b"], "line break"),
        (["header", "--remove", "nothing"], "'nothing' is not set"),
    ],
)
def test_what_cannot_be_emulated_is_refused(emulating, words, said):
    ran = emulating.browse(*words)

    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert emulating.ok("emulate").out == "(nothing is emulated)\n"


def test_a_header_goes_with_every_request(browser, site):
    url, requests = recording(site, "/header")
    try:
        told = browser.ok("header", "X-Test: on").out
        secret = browser.ok("header", "Authorization:", "Bearer", "abc123").out
        browser.post("newtab")
        browser.post("goto", url)
        listed = browser.ok("header").out
    finally:
        browser.post("header", "--remove", "x-test")
        browser.post("header", "--remove", "Authorization")
    browser.post("goto", url)

    assert (told, secret) == ("Header set: X-Test: on\n", "Header set: Authorization: ****\n")
    assert listed == "x-test: on\nauthorization: ****\n"
    assert (requests[0]["x-test"], requests[0]["authorization"]) == ("on", "Bearer abc123")
    assert "x-test" not in requests[1]
    # The browser may know a login of this site by itself.
    assert requests[1].get("authorization") != "Bearer abc123"
    assert "abc123" not in browser.log


@pytest.mark.issue(15)
def test_frames_in_frames_of_other_sites_are_emulated_too(page, site):
    """Also those that are there before it begins, and until it ends."""
    inner = site.page("/nested-inner", "<p>inner</p>").replace("127.0.0.1", "nested.localhost")
    middle = site.page("/nested-middle", f"<iframe src={inner}></iframe>")
    middle = middle.replace("127.0.0.1", "localhost")
    outer = site.page("/nested-outer", f"<iframe src={middle}></iframe>")
    page.post("goto", outer)
    page.post("wait", "--load")
    zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"

    def seen() -> object:
        page.post("frame", "main")
        page.post("frame", "--url", "nested-inner")
        return now(page, zone)

    plain = seen()
    page.post("emulate", "timezone", "Asia/Tokyo")
    at_once = seen()
    page.post("frame", "main")
    page.post("goto", outer)
    page.post("wait", "--load")
    until(lambda: seen() == "Asia/Tokyo", what="the time zone of the nested frame")
    page.post("emulate", "timezone", "off")
    ended = seen()
    page.post("frame", "main")

    assert (at_once, ended) == ("Asia/Tokyo", plain)
