"""What the driver gets to see of a page that sends too much: real Node, no browser."""

import json
import subprocess

from browse.browser.process import chromium, driver

NODE = chromium.driver_package().parent / "node"
RUN = """
const { Filter } = require(process.argv[1]);
const steps = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
let now = 0;
const got = [], sent = [];
const split = (data) => data.toString().split("\\0").filter(Boolean).map((it) => JSON.parse(it));
const into = (list) => (data) => list.push(...split(data));
const filter = new Filter(into(got), into(sent), () => now);
for (const { at = now, times = 1, cut, message } of steps) {
  now = at;
  const data = Buffer.from(JSON.stringify(message) + "\\0");
  for (let time = 0; time < times; time++) {
    filter.feed(data.subarray(0, cut));
    if (cut) filter.feed(data.subarray(cut));
  }
}
for (const { page } of new Set(filter.sessions.values())) filter.tell(page);
process.stdout.write(JSON.stringify({ got, sent }));
"""
PAGE, OTHER, WORKER = "A1", "B2", "C3"


def passed(*steps: dict) -> tuple[list[dict], list[dict]]:
    """Return what the driver gets, and what is sent to Chromium."""
    ran = subprocess.run(
        [NODE, "-e", RUN, driver.DROP_EVENTS],
        input=json.dumps(steps),
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(ran.stdout)
    return told["got"], told["sent"]


def attached(session: str, target: str, kind: str = "page", **more: str) -> dict:
    about = {"targetId": target, "type": kind, **more}
    told = {"sessionId": session, "targetInfo": about}
    return {"message": {"method": "Target.attachedToTarget", "params": told}}


def said(session: str = PAGE, *, stamp: float = 0, text: str = "x", **more: int) -> dict:
    told = {"type": "log", "args": [{"type": "string", "value": text}], "timestamp": stamp}
    return event("Runtime.consoleAPICalled", told, session, **more)


def asked(id: str, kind: str = "Fetch", method: str = "requestWillBeSent", **more: int) -> dict:
    return event(f"Network.{method}", {"requestId": id, "type": kind}, PAGE, **more)


def event(method: str, told: dict, session: str, **more: int) -> dict:
    return {"message": {"method": method, "params": told, "sessionId": session}, **more}


def count(got: list[dict], session: str = PAGE, method: str = "Runtime.consoleAPICalled") -> int:
    return sum(it["method"] == method and it.get("sessionId") == session for it in got)


def dropped(got: list[dict]) -> list[dict]:
    return [it["params"] for it in got if it["method"] == "Browse.dropped"]


def test_what_a_usual_page_sends_passes_unchanged():
    steps = [attached(PAGE, "t1"), said(text="word \0 and é", times=1000), asked("1.1")]

    got, sent = passed(*steps)

    assert got[: len(got) - 1] == [
        steps[0]["message"],
        *[steps[1]["message"]] * 1000,
        steps[2]["message"],
    ]
    assert dropped(got) == [{"console": 0, "network": 0, "floods": False}]
    assert sent == []


def test_a_message_in_two_pieces_is_put_together():
    got, _ = passed(attached(PAGE, "t1"), said(cut=50), said(cut=1))

    assert count(got) == 2


def test_a_page_that_logs_too_much_is_cut_down_and_other_pages_are_not():
    got, sent = passed(
        attached(PAGE, "t1"), attached(OTHER, "t2"), said(times=30_000), said(OTHER, times=100)
    )

    assert count(got) == 20_000
    assert count(got, OTHER) == 100
    assert {"console": 10_000, "network": 0, "floods": False} in dropped(got)
    assert sent == []


def test_after_a_while_it_may_send_again():
    got, _ = passed(
        attached(PAGE, "t1"), said(times=30_000), said(at=1000, stamp=1000, times=5_000)
    )

    assert count(got) == 22_000


def test_frames_and_workers_have_the_allowance_of_their_page():
    got, _ = passed(
        attached(PAGE, "t1"),
        attached(WORKER, "t3", "worker", parentId="t1"),
        said(times=15_000),
        said(WORKER, times=15_000),
    )

    assert count(got) + count(got, WORKER) == 20_000


def test_a_page_that_does_not_stop_is_closed_once():
    got, sent = passed(attached(PAGE, "t1"), said(times=150_000))

    close = {"id": -7, "method": "Target.closeTarget", "params": {"targetId": "t1"}}
    assert sent == [close]
    assert dropped(got)[0]["floods"] is True


def test_late_messages_show_a_flood_sooner():
    got, sent = passed(attached(PAGE, "t1"), said(at=5000, stamp=1000, times=11_000))

    assert [it["method"] for it in sent] == ["Target.closeTarget"]
    assert count(got) <= 10_001


def test_the_reply_to_our_request_does_not_reach_the_driver():
    got, _ = passed(
        {"message": {"id": -7, "result": {"success": True}}}, {"message": {"id": 7, "result": {}}}
    )

    assert got == [{"id": 7, "result": {}}]


def test_a_huge_message_is_dropped():
    got, _ = passed(attached(PAGE, "t1"), said(text="x" * 2_000_000), said())

    assert count(got) == 1


def test_a_request_is_dropped_whole_or_not_at_all():
    steps = [attached(PAGE, "t1"), asked("1.1"), said(times=20_000), asked("1.2")]
    later = [
        asked(id, method=method) for id in ("1.1", "1.2") for method in ("responseReceived",)
    ] + [asked(id, method="loadingFinished") for id in ("1.1", "1.2")]

    got, _ = passed(*steps, *later)

    ids = [it["params"]["requestId"] for it in got if it["method"].startswith("Network.")]
    assert ids == ["1.1", "1.1", "1.1"]
    assert dropped(got)[-1]["network"] == 1


def test_a_navigation_is_never_dropped():
    got, _ = passed(attached(PAGE, "t1"), said(times=30_000), asked("1.1", "Document"))

    assert count(got, method="Network.requestWillBeSent") == 1


def test_a_page_cannot_pass_a_request_off_as_a_navigation():
    forged = event(
        "Network.requestWillBeSent", {"requestId": "1.1", "url": '"type":"Document"'}, PAGE
    )

    got, _ = passed(attached(PAGE, "t1"), said(times=30_000), forged)

    assert count(got, method="Network.requestWillBeSent") == 0
