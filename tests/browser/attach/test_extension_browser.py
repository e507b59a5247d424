"""A browser made of single tabs: what it answers itself, and how sessions share a tab."""

import asyncio
import itertools
from typing import Any

import msgspec
import pytest

from browse.browser.attach import messages
from browse.browser.attach.extension_browser import ExtensionBrowser


class Extension:
    """The other side: answers every operation, and writes it down."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.browser = ExtensionBrowser(self._take, "Chrome/1", "agent")
        self._said = aiter(self.browser)
        self._ids = itertools.count(1)

    async def _take(self, asked: dict[str, Any]) -> None:
        self.asked.append(asked)
        if asked["op"] == "open":
            self.share(2, "opened")
        answer = {"tab": 2} if asked["op"] == "open" else {"done": True}
        if asked["id"]:
            self.browser.hear({"id": asked["id"], "result": answer})

    def share(self, tab: int, target: str) -> None:
        info = {"targetId": target, "type": "page", "url": "", "title": ""}
        self.browser.hear({"event": "attached", "tab": tab, "info": info})

    async def call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """Send a command; return its answer, with the events before it."""
        id = next(self._ids)
        await self.browser.send(messages.command(id, method, params, session))
        events = []
        async with asyncio.timeout(10):
            while (said := msgspec.json.decode(await anext(self._said))).get("id") != id:
                events.append(said)
        return {**said, "events": events}

    def methods(self) -> list[str]:
        return [it["method"] for it in self.asked if it["op"] == "send"]


@pytest.fixture
def extension() -> Extension:
    return Extension()


async def main_session(extension: Extension) -> str:
    extension.share(1, "given")
    said = await extension.call("Target.setAutoAttach", autoAttach=True)
    return str(said["events"][0]["params"]["sessionId"])


async def test_shared_tabs_are_its_pages_and_leave_with_their_sessions(extension):
    main = await main_session(extension)
    listed = await extension.call("Target.getTargets")
    assert [it["targetId"] for it in listed["result"]["targetInfos"]] == ["given"]

    extension.browser.hear({"event": "detached", "tab": 1})
    gone = await extension.call("Runtime.enable", main)

    assert gone["events"][0]["method"] == "Target.detachedFromTarget"
    assert "not found" in gone["error"]["message"]


async def test_a_new_page_is_attached_to_before_its_answer(extension):
    await main_session(extension)
    made = await extension.call("Target.createTarget", url="about:blank")

    assert made["events"][0]["params"]["targetInfo"]["targetId"] == "opened"
    assert made["result"] == {"targetId": "opened"}


async def test_sessions_share_a_tab_and_none_disables_what_another_needs(extension):
    main = await main_session(extension)
    second = await extension.call("Target.attachToTarget", targetId="given", flatten=True)
    other = second["result"]["sessionId"]
    await extension.call("Network.enable", main)
    await extension.call("Network.enable", other, maxTotalBufferSize=0)
    await extension.call("Network.disable", other)
    await extension.call("Fetch.enable", other)
    refused = await extension.call("Fetch.enable", main)
    assert extension.methods() == ["Network.enable", "Fetch.enable"]
    assert "not through the extension" in refused["error"]["message"]

    extension.browser.hear(
        {"event": "cdp", "tab": 1, "method": "Fetch.requestPaused", "params": {"requestId": "1"}}
    )
    told = (await extension.call("Browser.getVersion"))["events"]
    assert [it["sessionId"] for it in told] == [other]


@pytest.mark.parametrize("method", ["Target.createBrowserContext", "Browser.close", "Storage.x"])
async def test_what_needs_a_whole_browser_is_refused(extension, method):
    assert "not through the extension" in (await extension.call(method))["error"]["message"]
