"""Replace the text of an editor, as a person does: select all, paste, and look at what is there."""

from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace as altered
from playwright.async_api import Error as DriverError

from browse.browser import driver_errors
from browse.browser.elements.element import Element
from browse.browser.elements.page_changes import listening, while_restless
from browse.browser.elements.target import Patience
from browse.browser.page import scripts
from browse.core.errors import BrowseError, Code

SELECT_ALL = "ControlOrMeta+a"
INVISIBLE = dict.fromkeys(map(ord, "\u200b\ufeff\r"))
# So long an editor may take to begin with a paste.
TAKES_S = 0.4
# What an agent needs to see of it, to tell what went wrong.
MAX_SHOWN_CHARS = 2_000


async def area_of(element: Element) -> Element | None:
    """Find what takes the text of the editor that an element is, or that belongs to it."""
    handle = await scripts.EDITOR(element.handle)
    if handle is None:
        return None
    if frame := await handle.content_frame():  # an editor whose text is a document of its own
        with driver_errors.acting("reaching it", target=element.word):
            handle = await frame.query_selector("body")
    return altered(element, handle=handle) if handle else None


async def replace(area: Element, text: str, patience: Patience | None, *, secret: bool) -> None:
    """Replace all text of an editor; raise unless it holds what was asked for then.

    One that shows other characters than it holds cannot be compared.
    """
    state = await _enter(area)
    as_shown = _folded if state == "folding" else str

    def is_it(held: str) -> bool:
        return state == "masked" or is_same(as_shown(held), as_shown(text))

    try:
        before = await _selected(area)
        await _put(area, text, before, pastes=bool(text))
        held = await _read(area, is_it, patience)
        if not is_it(held) and is_same(held, before):
            await _selected(area)  # the page took the paste and did nothing with it
            await _put(area, text, before, pastes=False)
            held = await _read(area, is_it, patience)
        with suppress(DriverError):  # it is filled; the page may have removed the field since
            await area.handle.dispatch_event("change")
    finally:
        with suppress(BrowseError, DriverError):
            await scripts.EDITOR_TEXT(area.handle, copied=False)  # text may go anywhere again
    if not is_it(held):
        raise BrowseError(
            Code.UNMET,
            f"{area.word} was filled, but the editor holds something else now.",
            hint="look with `browse snapshot -i`: it may be read-only, or change what is typed;"
            " `browse type` types key by key",
            page="" if secret else held[:MAX_SHOWN_CHARS],
        )


async def _put(area: Element, text: str, before: str, *, pastes: bool) -> None:
    """Put text in place of what is selected."""
    keyboard = area.tab.page.keyboard
    async with listening(area.tab) as changes:
        await changes.expect_next()
        with driver_errors.acting("filling it", target=area.word):
            taken = pastes and await _paste(area, text) == "taken"
            if not taken:
                await _enter(area)  # the page may have moved the focus
                await (keyboard.insert_text(text) if text else keyboard.press("Delete"))
        if taken and await _is_still(area, before):
            await changes.next(TAKES_S)


async def _is_still(area: Element, before: str) -> bool:
    """Whether an editor that shows its text shows what it held before."""
    shown = await scripts.EDITOR_TEXT(area.handle, copied=False)
    return shown is not None and is_same(shown, before)


def is_same(held: str, asked: str) -> bool:
    """Compare texts without what editors add: empty lines between paragraphs, unbroken spaces."""
    return _lines(held) == _lines(asked)


def _lines(text: str) -> list[str]:
    plain = text.translate(INVISIBLE).replace("\xa0", " ")
    return [line.rstrip() for line in plain.split("\n") if line.strip()]


def _folded(text: str) -> str:
    """Return a text as it is shown where runs of blanks are shown as one."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


async def _enter(area: Element, *, writes: bool = True) -> str:
    """Focus an editor, so that keys and text go there and nowhere else; return how it stands."""
    state = await scripts.ENTER_EDITOR(area.handle)
    if state == "readonly" and writes:
        raise driver_errors.not_editable(area.word, "filling it")
    if state == "doubt":
        raise area.not_actionable(
            "does not keep the focus; no other field was touched",
            "look with `browse snapshot -i`; click it first",
        )
    return state


async def _paste(area: Element, text: str) -> str:
    done = await scripts.PASTE(area.handle, text=text, lines=False)
    if done == "lost":
        raise area.not_actionable("has lost the focus; nothing was filled", "click it first")
    return done


async def whole_text(area: Element) -> str:
    """Return all that an editor holds, also what it does not show; the caret goes to its end."""
    held = await _selected(area, writes=False)
    with driver_errors.acting("reading it", target=area.word):
        await area.tab.page.keyboard.press("ArrowRight")  # nothing stays selected
    return held


async def _selected(area: Element, *, writes: bool = True) -> str:
    """Select all and return it, as the editor gives it to be copied."""
    await _enter(area, writes=writes)
    with driver_errors.acting("selecting its text", target=area.word):
        await area.tab.page.keyboard.press(SELECT_ALL)
    return await scripts.EDITOR_TEXT(area.handle, copied=True) or ""


async def _read(area: Element, is_it: Callable[[str], bool], patience: Patience | None) -> str:
    """Return what an editor holds; one that is slow is looked at until the page is quiet."""
    shown = await scripts.EDITOR_TEXT(area.handle, copied=False)

    async def look() -> str | None:
        nonlocal shown
        shown = await scripts.EDITOR_TEXT(area.handle, copied=False)
        return shown if shown is not None and is_it(shown) else None

    if shown is not None and not is_it(shown) and patience:
        await while_restless(area.tab, look, patience.limit_ms, patience.is_busy)
    if shown is not None and is_it(shown):
        return shown
    # One that shows a part of a long text only, or shows it elsewhere.
    held = await _selected(area)
    await _enter(area)
    with driver_errors.acting("filling it", target=area.word):
        await area.tab.page.keyboard.press("ArrowRight")  # nothing stays selected
    return held
