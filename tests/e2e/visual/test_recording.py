"""Traces and videos, looked at with other eyes than ours."""

import json
import stat
import zipfile

import pytest

from support.cli import until

pytestmark = pytest.mark.e2e

MOVING = """<title>Moving</title><style>
  div { width: 99px; height: 99px; background: red; animation: run 1s infinite alternate }
  @keyframes run { to { margin-left: 600px } }
</style><h1>Moving</h1><label>Name <input></label><div></div>"""
# Chromium's own player: what it makes of a file.
PLAY = """new Promise((done, fail) => {
  const video = document.querySelector('video');
  video.onerror = () => fail(new Error(video.error.message));
  video.onended = () => done({
    width: video.videoWidth, height: video.videoHeight, seconds: video.duration,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
  });
  video.muted = true;
  video.playbackRate = 8;
  video.src = '/video.webm';
  video.play().catch(fail);
})"""


@pytest.fixture
def browser(browser):
    yield browser
    browser.browse("video", "stop", "left.webm")
    browser.browse("trace", "stop", "left.zip")


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def pictures(browser) -> int:
    return browser.ok("video", "--json").json["pictures"]


def played(browser, site, path) -> dict:
    """Play a file in the browser."""
    site.page("/video.webm", path.read_bytes(), content_type="video/webm")
    browser.ok("goto", site.page("/player", "<video></video>"))
    return json.loads(browser.post("js", PLAY, "--json"))["page"]["value"]


def test_a_trace_is_what_the_viewer_reads(browser, site):
    browser.ok("trace", "start")
    browser.ok("goto", site.page("/traced", MOVING))
    browser.ok("fill", "input", "Ada typed this")
    state = browser.ok("trace").out
    told = browser.ok("trace", "stop", "out/trace.zip").out

    path = browser.root / "out" / "trace.zip"
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        events = [json.loads(line) for line in archive.read("trace.trace").splitlines()]
        requests = [json.loads(line) for line in archive.read("trace.network").splitlines()]
    kinds = {event["type"] for event in events}
    assert "Recording a trace" in state
    assert "what was typed" in told
    assert mode(path) == 0o600
    assert {"context-options", "before", "after", "frame-snapshot", "screencast-frame"} <= kinds
    assert any(name.startswith("resources/") for name in names)
    assert any(name.endswith(".jpeg") for name in names)
    assert "/traced" in json.dumps(requests)
    assert "Ada typed this" in json.dumps(events)
    assert browser.ok("trace", "--json").json == {"state": None}


def test_a_video_goes_through_navigations_and_plays(browser, site):
    browser.ok("goto", site.page("/filmed", MOVING))
    browser.ok("video", "start")
    until(lambda: pictures(browser) > 2, what="pictures of the page")
    seen = pictures(browser)
    browser.ok("goto", site.page("/filmed/next", MOVING.replace("red", "blue")))
    until(lambda: pictures(browser) > seen + 1, what="pictures of the next page")
    told = browser.ok("video", "stop", "video.webm", "--json").json

    path = browser.root / "video.webm"
    found = played(browser, site, path)
    assert mode(path) == 0o600
    assert path.read_bytes().startswith(bytes.fromhex("1a45dfa3"))
    assert told["bytes"] == path.stat().st_size
    assert (found["width"], found["height"]) == (800, 450)
    assert abs(found["seconds"] - told["seconds"]) < 2
    assert found["frames"] >= 4


def test_a_tab_that_closes_leaves_its_video(browser, site):
    browser.ok("newtab", site.page("/filmed/closing", MOVING))
    about = browser.ok("video", "start", "--size", "320x240", "--json").json
    until(lambda: pictures(browser), what="a picture")
    browser.ok("closetab")

    state = until(lambda: "is ready" in (told := browser.ok("video").out) and told)
    saved = browser.ok("video", "stop", "closed.webm").out
    found = played(browser, site, browser.root / "closed.webm")

    assert about["state"] == "recording"
    assert "ended by the end of its tab" in state
    assert "ended by the end of its tab" in saved
    assert (found["width"], found["height"]) == (320, 240)


@pytest.mark.parametrize(("kind", "file"), [("trace", "x.zip"), ("video", "x.webm")])
def test_one_at_a_time_and_none_to_stop_without(browser, kind, file):
    none = browser.browse(kind, "stop", file)
    browser.ok(kind, "start")
    second = browser.browse(kind, "start")
    unnamed = browser.browse(kind, "stop")
    refused = browser.browse(kind, "stop", f"/etc/{file}")
    browser.ok(kind, "stop", file)

    assert f"No {kind} is being recorded" in none.err
    assert f"A {kind} already exists" in second.err
    assert f"{kind} stop: <file> is missing" in unnamed.err
    assert "Path must be within" in refused.err
    assert (browser.root / file).stat().st_size > 0


def test_a_daemon_stops_in_the_middle_of_everything(project, site):
    project.ok("goto", site.page("/filmed/stopped", MOVING))
    for words in ("trace start", "video start", "har record unsaved.har", "route *.png --abort"):
        project.ok(*words.split())

    project.end()

    assert not (project.root / "unsaved.har").exists()
    assert "ERROR" not in project.log


@pytest.mark.issue(15)
def test_what_stays_in_pages_after_a_trace_does_not_delay_clicks(browser, site):
    traced = ("--session", "traced")
    browser.ok("trace", "start", *traced)
    browser.ok("trace", "stop", "clicks.zip", *traced)
    browser.ok("goto", site.page("/traced", "<button>Go</button>"), *traced)

    ran = browser.ok("click", "text=Go", "--settle", "250s", *traced)

    assert ran.out.splitlines()[1:] == ["Nothing changed"]
