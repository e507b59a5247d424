"""Whether a page listens to an action, as the DevTools protocol tells it."""

from typing import Any

import pytest

from browse.browser.elements.path_listeners import EventPath, known_path, may_answer
from browse.browser.page.signals import PageSignal, Worlds

ISOLATED, PAGES_OWN = 7, 3


class FakeSession:
    """A session of a document in which each of some objects has listeners of some types."""

    def __init__(self, types: dict[str, str]) -> None:
        self.types = types
        self.asked: list[str] = []

    async def send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(method)
        if method == "Runtime.evaluate":
            name = "path" if params["contextId"] == ISOLATED else "window"
            return {"result": {"objectId": name}}
        if method == "Runtime.getProperties":
            nodes = [it for it in self.types if it != "window"]
            rows = [{"name": str(at), "value": {"objectId": it}} for at, it in enumerate(nodes)]
            numbers = {"length": len(nodes), "version": 3}
            rest = [{"name": name, "value": {"value": it}} for name, it in numbers.items()]
            return {"result": [*rows, *rest]}
        words = self.types.get(params.get("objectId", ""), "").split()
        pairs = [word.rpartition("@") for word in words]
        return {"listeners": [{"type": type or id, "scriptId": id} for type, _, id in pairs]}


def signal(types: dict[str, str], *, own: bool = True) -> PageSignal:
    worlds = Worlds({ISOLATED: "F"}, {"F": PAGES_OWN} if own else {})
    session: Any = FakeSession(types)
    return PageSignal("acted", session, ISOLATED, worlds)


@pytest.mark.parametrize(
    ("kind", "listens", "answers"),
    [
        ("press", "click", True),
        ("press", "focusin", True),
        ("press", "own-event", True),
        ("press", "keydown", False),
        ("press", "resize", False),
        ("key", "keydown", True),
        ("key", "click", True),
        ("move", "mouseenter", True),
        ("move", "click", False),
        ("value", "input", True),
    ],
)
@pytest.mark.parametrize("where", ["button", "document", "window"])
async def test_only_listeners_that_the_action_reaches_count(kind, listens, answers, where):
    types = {"button": "", "document": "", "window": "", where: f"{listens}@1"}

    assert await may_answer(signal(types), kind) is answers


async def test_listeners_of_the_driver_do_not_count():
    window = "click@71 mousedown@71 __playwright_global_listeners_check__@71"

    assert not await may_answer(signal({"button": "", "window": window}), "press")
    assert await may_answer(signal({"button": "", "window": f"{window} click@5"}), "press")


@pytest.mark.parametrize("unknown", [signal({"button": ""}, own=False), signal({})])
async def test_what_cannot_be_found_out_counts_as_a_listener(unknown):
    assert await may_answer(unknown, "press") is True


async def test_a_path_that_was_read_during_the_action_is_not_read_again():
    acted = signal({"button": "", "document": "click@1", "window": ""})
    session: Any = acted.session

    path = await known_path(acted)
    session.asked.clear()

    assert path == EventPath(3, ["button", "document"])
    assert await may_answer(acted, "press", path)
    assert session.asked == ["DOMDebugger.getEventListeners"] * 3


async def test_a_path_that_cannot_be_read_is_unknown():
    assert await known_path(signal({})) is None
    assert await known_path(signal({"button": ""}, own=False)) is None
