"""What passes between the driver and a person's browser, message by message."""

import asyncio
from collections import Counter
from typing import Any

import msgspec
import pytest

from browse.browser.attach import messages
from browse.browser.attach.passage import Passage
from browse.browser.driver_messages import NOT_OURS


class Sides:
    """Both sides of a passage: writes down what each is told."""

    def __init__(self) -> None:
        self.driver: list[dict[str, Any]] = []
        self.browser: list[dict[str, Any]] = []
        self.asked: list[tuple[str, str]] = []
        self.sessions = Counter[str | None]()
        self.answering = asyncio.Event()
        self.answering.set()
        self.passage = Passage(
            self._ask, to_driver=self._to(self.driver), to_browser=self._to(self.browser)
        )
        self.passage.own_session = "own"

    def _to(self, kept: list[dict[str, Any]]):
        async def send(raw: bytes) -> None:
            kept.append(msgspec.json.decode(raw))

        return send

    async def _ask(self, method: str, params: dict[str, Any], session: str = "") -> dict[str, Any]:
        self.asked.append((method, session or params.get("sessionId", "")))
        await self.answering.wait()
        target = params.get("targetId")
        self.sessions[target] += 1
        return {"sessionId": f"ours in {target}" + "'" * (self.sessions[target] - 1)}

    async def say(self, method: str, id: int = 1, session: str = "", **params: Any) -> None:
        """Let the driver say something."""
        raw = messages.command(id, method, params, session)
        await self.passage.on_driver(messages.read(raw), raw)

    async def hear(self, **fields: Any) -> None:
        """Let the browser say something."""
        raw = msgspec.json.encode(fields)
        await self.passage.on_browser(messages.read(raw), raw)

    async def attach(self, target: str, session: str = "", **info: Any) -> None:
        params = {
            "sessionId": f"s-{target}",
            "targetInfo": {"targetId": target, "type": "page", "url": "", **info},
            "waitingForDebugger": True,
        }
        await self.hear(
            method="Target.attachedToTarget",
            params=params,
            **({"sessionId": session} if session else {}),
        )

    async def open(self, target: str) -> None:
        await self.say("Target.createTarget", 7, url="about:blank")
        await self.attach(target)
        await self.hear(id=7, result={"targetId": target})


@pytest.fixture
def sides() -> Sides:
    return Sides()


async def test_pages_of_the_person_are_let_go_and_never_shown(sides):
    await sides.attach("theirs")
    await sides.attach("worker", type="service_worker")
    await asyncio.sleep(0)
    await sides.hear(
        method="Target.detachedFromTarget", params={"sessionId": "s-theirs", "targetId": "theirs"}
    )
    await sides.say("Target.getTargets", 2)
    await sides.hear(id=2, result={"targetInfos": [{"targetId": "theirs", "type": "page"}]})

    assert sides.driver == [{"id": 2, "result": {"targetInfos": []}}]
    assert ("Runtime.runIfWaitingForDebugger", "s-theirs") in sides.asked
    assert ("Target.detachFromTarget", "s-worker") in sides.asked


async def test_a_worker_that_does_not_answer_yet_holds_up_nothing(sides):
    await sides.open("ours")
    sides.answering.clear()  # it begins once the driver has let go of it, too
    await sides.attach("worker", type="service_worker")
    await sides.hear(method="Page.loaded", params={}, sessionId="s-ours")
    told = sides.driver[-1]["method"]
    sides.answering.set()

    assert told == "Page.loaded"


async def test_a_page_that_we_open_is_ours_with_the_windows_that_it_opens(sides):
    await sides.say("Target.createTarget", 7, url="about:blank")
    await sides.attach("theirs")  # opened by the person at the same moment
    await sides.attach("ours")
    assert sides.driver == []
    await sides.hear(id=7, result={"targetId": "ours"})
    await sides.attach("popup", openerId="ours")

    shown = [it["params"]["sessionId"] for it in sides.driver if "method" in it]
    assert shown == ["s-ours", "s-popup"]
    assert sides.driver[1] == {"id": 7, "result": {"targetId": "ours"}}
    assert sides.browser[0]["params"]["background"] is True
    assert sides.passage.owned.opened == {"ours", "popup"}


async def test_a_window_that_a_taken_page_opens_is_used_and_stays_the_persons(sides):
    sides.passage.owned.targets.add("taken")
    await sides.attach("popup", openerId="taken")

    assert [it["params"]["sessionId"] for it in sides.driver] == ["s-popup"]
    assert not sides.passage.owned.opened


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Target.closeTarget", {"targetId": "theirs"}),
        ("Target.attachToTarget", {"targetId": "theirs"}),
        ("Browser.close", {}),
        ("Storage.clearCookies", {}),
        ("Browser.setDownloadBehavior", {"behavior": "deny"}),
        ("Target.disposeBrowserContext", {"browserContextId": "theirs"}),
        ("Target.exposeDevToolsProtocol", {"targetId": "theirs"}),
        ("Security.setIgnoreCertificateErrors", {"ignore": True}),
    ],
)
async def test_what_is_not_ours_to_change_is_refused(sides, method, params):
    await sides.say(method, **params)

    assert sides.browser == []
    assert sides.driver[0]["error"]["message"].startswith(NOT_OURS)


async def test_a_page_of_ours_cannot_close_the_browser_either(sides):
    await sides.open("ours")
    sides.browser.clear()
    await sides.say("Browser.close", session="s-ours")
    await sides.say("Page.navigate", session="s-ours", url="about:blank")

    assert [it["method"] for it in sides.browser] == ["Page.navigate"]


async def test_a_browser_context_that_we_made_may_be_changed(sides):
    await sides.say("Target.createBrowserContext", 3)
    await sides.hear(id=3, result={"browserContextId": "apart"})
    sides.browser.clear()
    await sides.say("Storage.clearCookies", 4, browserContextId="apart")
    await sides.attach("in it", browserContextId="apart")

    assert [it["method"] for it in sides.browser] == ["Storage.clearCookies"]
    assert sides.driver[-1]["params"]["sessionId"] == "s-in it"


async def test_a_cache_is_cleared_only_in_a_browser_context_that_we_made(sides):
    sides.passage.owned.contexts.add("apart")
    await sides.attach("in it", browserContextId="apart")
    await sides.open("beside it")
    sides.browser.clear()
    for target in ("in it", "beside it"):
        await sides.say("Network.clearBrowserCache", session=f"s-{target}")

    assert [it["sessionId"] for it in sides.browser] == ["s-in it"]
    assert sides.driver[-1]["error"]["message"].startswith(NOT_OURS)


async def test_requests_are_held_in_our_pages_only_and_before_they_begin(sides):
    await sides.say("Target.attachToBrowserTarget", 3)
    await sides.hear(id=3, result={"sessionId": "x"})
    await sides.say("Fetch.enable", 4, session="x", patterns=[])
    await sides.attach("theirs")
    await sides.open("ours")
    held = "ours in ours"
    assert [it for it in sides.asked if it[0] == "Fetch.enable"] == [("Fetch.enable", held)]

    await sides.hear(method="Fetch.requestPaused", sessionId=held, params={"requestId": "1.0"})
    told = sides.driver[-1]
    await sides.say("Fetch.failRequest", 5, session="x", requestId=told["params"]["requestId"])
    await sides.hear(id=5, sessionId=held, result={})

    assert told["sessionId"] == "x"
    assert (sides.browser[-1]["sessionId"], sides.browser[-1]["params"]["requestId"]) == (
        held,
        "1.0",
    )
    assert sides.driver[-1] == {"id": 5, "sessionId": "x", "result": {}}


async def test_two_may_hold_the_same_requests_and_each_answers_for_itself(sides):
    for at, name in enumerate(("rules", "logins")):
        await sides.say("Target.attachToBrowserTarget", at)
        await sides.hear(id=at, result={"sessionId": name})
    await sides.say("Fetch.enable", 10, session="rules", patterns=[])
    await sides.open("ours")
    await sides.say("Fetch.enable", 11, session="logins", patterns=[])
    holding = [who for method, who in sides.asked if method == "Fetch.enable"]
    assert holding == ["ours in ours", "ours in ours'"]

    for name, where, event in zip(
        ("rules", "logins"), holding, ("requestPaused", "authRequired"), strict=True
    ):
        await sides.hear(method=f"Fetch.{event}", sessionId=where, params={"requestId": "1"})
        assert sides.driver[-1]["sessionId"] == name
        assert sides.driver[-1]["method"] == f"Fetch.{event}"
    await sides.say("Fetch.disable", 12, session="logins")
    assert [who for method, who in sides.asked if method == "Fetch.disable"] == holding[1:]


def test_what_is_no_message_is_refused():
    for raw in (b"", b"[]", b'{"id": "one"}', b"<html>"):
        with pytest.raises(ValueError, match="no message"):
            messages.read(raw)
