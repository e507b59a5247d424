"""What counts as a consequence of an action, and what is waited for."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from browse.browser.actions.effects import MAX_KEPT, ActionEffects
from browse.browser.elements.departures import Departure, PageLeft
from browse.browser.page.shapes import Watched


@dataclass(eq=False)
class FakeFrame:
    parent_frame: Any = None


@dataclass(eq=False)
class FakeRequest:
    resource_type: str = "fetch"
    navigation: bool = False
    url: str = "http://127.0.0.1/"
    frame: FakeFrame = field(default_factory=FakeFrame)
    timing: dict[str, float] = field(
        default_factory=lambda: {"startTime": 0, "responseStart": -1, "responseEnd": -1}
    )
    existing_response: Any = None

    def is_navigation_request(self) -> bool:
        return self.navigation


@dataclass
class FakeResponse:
    request: FakeRequest | None = None
    status: int = 200


@dataclass
class FakeMessage:
    type: str
    text: str


@dataclass
class FakeSignal:
    word: str


@dataclass
class FakeDownload:
    suggested_filename: str = "file.bin"


@pytest.fixture
def seen() -> Any:
    return ActionEffects(Departure())


async def quiet(seen: ActionEffects) -> bool:
    """Whether nothing is waited for."""
    try:
        async with asyncio.timeout(0.01):
            await seen.until_quiet()
    except TimeoutError:
        return False
    return True


async def test_nothing_at_all_is_quiet(seen):
    assert seen.is_empty
    assert await quiet(seen)


async def test_request_is_waited_for_until_it_is_over(seen):
    request = FakeRequest()
    seen.on_request(request)
    before = await quiet(seen)
    seen.on_request_done(request)

    assert (before, await quiet(seen)) == (False, True)
    assert not seen.is_empty


@pytest.mark.parametrize("kind", ["eventsource", "websocket", "ping", "media"])
async def test_what_never_ends_is_not_waited_for(seen, kind):
    seen.on_request(FakeRequest(kind))

    assert await quiet(seen)


async def test_navigation_is_waited_for_until_the_document_is_parsed(seen):
    request = FakeRequest("document", navigation=True)
    seen.on_request(request)
    seen.on_request_done(request)
    before = await quiet(seen)
    seen.on_parsed(None)

    assert (before, await quiet(seen)) == (False, True)


async def test_navigation_that_fails_is_over(seen):
    request = FakeRequest("document", navigation=True)
    seen.on_request(request)
    seen.on_request_failed(request)

    assert await quiet(seen)


@pytest.mark.issue(18)
async def test_a_document_that_came_while_more_was_waited_for_is_not_pending(seen):
    seen.on_request(FakeRequest("document", navigation=True))
    before = len(seen.pending)
    seen.add_later(came_true=True, navigated=True)

    assert (before, seen.pending) == (1, [])


@pytest.mark.issue(18)
@pytest.mark.parametrize("ends", ["on_parsed", "on_closed"])
async def test_a_page_is_asked_nothing_from_when_it_leaves_until_the_next_is_there(seen, ends):
    seen.on_request(FakeRequest("document", navigation=True))
    with pytest.raises(PageLeft):
        async with seen.departure.ending():
            await asyncio.Event().wait()
    getattr(seen, ends)(None)

    async with seen.departure.ending():
        await asyncio.sleep(0)


@pytest.mark.issue(18)
async def test_navigation_that_was_answered_becomes_a_download(seen):
    request = FakeRequest("document", navigation=True, existing_response=FakeResponse())
    seen.on_request(request)
    seen.on_request_failed(request)
    before = await quiet(seen)

    seen.on_download(FakeDownload())

    assert (before, await quiet(seen)) == (False, True)


async def test_window_is_waited_for_until_its_page_is_there(seen):
    seen.on_window({})
    before = await quiet(seen)
    seen.on_popup(object())

    assert (before, await quiet(seen)) == (False, True)


@pytest.mark.parametrize(
    "sign",
    [
        lambda seen: seen.on_request(FakeRequest("document", navigation=True)),
        lambda seen: seen.on_navigated(FakeFrame()),
        lambda seen: seen.on_navigated(FakeFrame(parent_frame=FakeFrame())),
        lambda seen: seen.on_window({}),
        lambda seen: seen.on_popup(object()),
        lambda seen: seen.on_download(FakeDownload()),
        lambda seen: seen.on_dialog(FakeMessage("beforeunload", "Leave?")),
    ],
)
async def test_a_followed_link_is_waited_for_until_its_first_sign(seen, sign):
    seen.changes += 1  # what else the page did is no sign of it
    waiting = asyncio.create_task(seen.until_loading())
    await asyncio.sleep(0)
    before = waiting.done(), seen.loading_unseen
    sign(seen)
    await waiting

    assert before == (False, True)
    assert not seen.loading_unseen


def test_frame_that_navigates_is_a_change_but_no_navigation(seen):
    seen.on_navigated(FakeFrame(parent_frame=FakeFrame()))

    assert not seen.navigated
    assert not seen.is_empty


def test_only_errors_of_the_console_are_told(seen):
    seen.on_console(FakeMessage("log", "hello"))
    seen.on_console(FakeMessage("error", "oh no"))

    assert seen.errors == ["oh no"]


def test_what_a_page_says_without_end_is_bounded(seen):
    for _ in range(MAX_KEPT * 2):
        seen.on_error("oh no")

    assert len(seen.errors) == MAX_KEPT


async def test_a_request_is_no_sign_of_a_reaction_yet(seen):
    seen.on_request(FakeRequest())

    assert not seen.has_event
    assert not seen.is_empty


@pytest.mark.parametrize(("word", "is_sign"), [("sign", True), ("quiet", False), ("over", False)])
def test_page_scripts_tell_of_signs(seen, word, is_sign):
    seen.on_signal(FakeSignal(word))

    assert bool(seen.signs) is is_sign


async def test_signs_from_before_the_action_do_not_count(seen):
    seen.on_signal(FakeSignal("sign"))
    seen.on_signal(FakeSignal("acted 1000"))

    assert not seen.signs


def timed(kind: str, began: float, ended: float) -> FakeRequest:
    return FakeRequest(
        kind, timing={"startTime": 1000.0, "responseStart": began, "responseEnd": ended}
    )


@pytest.mark.parametrize(
    ("signs", "is_answer"),
    [
        ([], False),
        ([1010], True),  # before anything was answered
        ([1025], False),  # after an answer to an older request
        ([1035], True),  # after an answer to one of the action
        ([1045], False),  # after the end of an older one
        ([1025, 1045], False),
        ([1025, 1035, 1045], True),
        ([1300], True),  # long after any answer
    ],
)
def test_what_follows_the_answer_to_an_older_request_is_not_the_answer(seen, signs, is_answer):
    older, own, image = timed("fetch", 20, 40), timed("xhr", 30, 42), timed("image", 15, 36)
    seen.on_request(own)
    # Events may be late, so their order tells nothing.
    for request in (own, older, image):
        seen.on_response(FakeResponse(request))
        seen.on_request_done(request)

    assert seen.is_answer(signs) is is_answer


@pytest.mark.parametrize("kind", ["fetch", "image", "document"])
def test_no_sign_counts_before_what_was_asked_is_answered_where_older_things_come(seen, kind):
    own, older = timed("fetch", 300, 310), timed(kind, 10, 20)
    seen.on_request(own)
    seen.on_response(FakeResponse(older))
    before = seen.is_answer([1200])
    seen.on_response(FakeResponse(own))
    seen.on_request_done(own)

    assert (before, seen.is_answer([1200]), seen.is_answer([1200, 1305])) == (False, False, True)


def test_a_picture_that_comes_is_not_the_answer_to_what_was_asked(seen):
    own, older = timed("fetch", 10, 20), timed("image", 40, 50)
    seen.on_request(own)
    for request in (own, older):
        seen.on_response(FakeResponse(request))
        seen.on_request_done(request)

    assert not seen.is_answer([1055])
    assert seen.is_answer([1055, 1200])


async def test_what_was_asked_after_the_watch_began_and_before_the_action_is_older(seen):
    request = timed("fetch", 20, 30)
    seen.on_request(request)
    seen.on_signal(FakeSignal("acted 1010"))
    seen.on_response(FakeResponse(request))

    assert not seen.is_answer([1025])


class FakeScript:
    async def __call__(self, _: object) -> str:
        return "done"

    async def look(self, _: object) -> tuple[str, Watched]:
        return "done", Watched(changes=2)


async def test_the_last_script_of_an_action_looks_around_where_there_is_one_document(seen):
    document, script = FakeFrame(), FakeScript()

    assert await seen.run_last(script, document) == "done"
    assert seen.looked is None  # it has other frames, which would have to be asked too

    seen.only = document
    assert await seen.run_last(script, document) == "done"
    assert seen.looked == Watched(changes=2)


def test_the_watch_is_begun_once(seen):
    seen.start = {"token": "7"}

    assert seen.take_start() == {"token": "7"}
    assert seen.take_start() is None
