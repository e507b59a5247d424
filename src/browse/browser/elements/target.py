"""Find the element that a caller's word means.

A ref finds exactly the element that a snapshot showed under it; any other word is a selector.
"""

import re
import shlex
from collections.abc import Callable
from typing import Any, Literal

import msgspec
from playwright.async_api import Frame, Locator

from browse.browser.driver_errors import translated
from browse.browser.elements import in_frames
from browse.browser.elements.fingerprints import ElementFingerprint, of_element
from browse.browser.elements.in_frames import ENTER
from browse.browser.elements.page_changes import while_restless
from browse.browser.engine_name import ENGINE
from browse.browser.page import scripts, shapes
from browse.browser.page.matches import Described, Matches
from browse.browser.tabs.refs import Ref, parse
from browse.browser.tabs.seen_refs import Called
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

MAX_SHOWN = 10
ENTER_FRAME = " >> internal:control=enter-frame >> "
MAX_NEAREST = 5
MAX_SELECTOR_CHARS = 200
# The driver takes seconds to parse a longer one, and every tab waits meanwhile.
LONGEST_SELECTOR_CHARS = 10_000
_WORDS = re.compile(r"[^\W_]+")
# Keywords of the selector languages, which say nothing about the element.
_BY_WORDS = {"text", "label", "placeholder"}
_SYNTAX = {"text", "role", "label", "placeholder", "testid", "xpath", "css", "nth", "name", "has"}
# Playwright has methods for these, not selectors.
LOCATORS: dict[str, Callable[[Frame, str], Locator]] = {
    "label": lambda frame, words: frame.get_by_label(words),
    "placeholder": lambda frame, words: frame.get_by_placeholder(words),
    "testid": lambda frame, words: frame.get_by_test_id(words),
}


class Patience(msgspec.Struct, frozen=True):
    """How long to look for an element while the page is not quiet.

    `is_busy` tells whether requests of the page are open.
    """

    limit_ms: int
    is_busy: Callable[[], bool]


Use = Literal["", "press", "point", "text"]


class FirstStep(msgspec.Struct, frozen=True):
    """What the script that finds an element does with it: the first step of an action.

    `watch` begins to watch the action in the main document, before anything else.
    """

    use: Use = ""
    watch: dict[str, Any] | None = None

    def options(self, frame: Frame) -> dict[str, Any]:
        """Return the script's options for it in a frame."""
        return {"use": self.use, "watch": None if frame.parent_frame else self.watch}


NO_STEP = FirstStep()


class Others(msgspec.Struct, frozen=True):
    """That more elements match than the one that was preferred: how many, and which it was."""

    count: int
    ref: str
    line: str  # page words


class FoundElement(msgspec.Struct, frozen=True):
    """One element on the page: its locator and frame, and what it is."""

    place: Locator
    frame: Frame
    tag: str
    role: str
    fingerprint: ElementFingerprint | None = None  # where it was asked for
    # Where to press it, and how it stands as a field, if that was asked for.
    aim: shapes.Aim | None = None
    field: shapes.PreparedField | None = None
    others: Others | None = None


async def find(
    tab: Tab,
    word: str,
    *,
    anyway: bool = False,
    fingerprint: bool = False,
    patience: Patience | None = None,
    first: FirstStep = NO_STEP,
) -> FoundElement:
    """Find the one element that a ref or selector means; raise if there is none or several.

    With patience, a selector that matches nothing is looked for again while the page is not quiet.
    To be pressed, only a press of the page that arrives at the element passes from now on.
    """
    if word.startswith("@"):
        return await _find_by_ref(tab, word, anyway=anyway, fingerprint=fingerprint, first=first)
    try:
        return await _find_by_selector(tab, word, fingerprint=fingerprint, first=first)
    except NothingMatches as exc:
        missing = exc.selector

    async def look() -> FoundElement | None:
        nonlocal missing
        try:
            return await _find_by_selector(tab, word, fingerprint=fingerprint, first=first)
        except NothingMatches as exc:
            missing = exc.selector
        return None

    found = None
    if patience:
        found = await while_restless(tab, look, patience.limit_ms, patience.is_busy)
    if found is None:
        raise await no_match(tab, missing)
    return found


class NothingMatches(Exception):
    """A selector matches nothing now; it may be one that leads to a frame."""

    def __init__(self, selector: str) -> None:
        super().__init__(selector)
        self.selector = selector


async def _find_by_selector(
    tab: Tab, word: str, *, fingerprint: bool, first: FirstStep
) -> FoundElement:
    frame, inner = await _enter_frames(tab, word)
    place = to_locator(frame, inner)
    found = await scripts.described(
        frame,
        place,
        selector=word,
        most=MAX_SHOWN,
        again=fingerprint,
        prefer=_words_of(inner),
        numbers=tab.refs.start(),
        **first.options(frame),
    )
    if not found.count:
        raise NothingMatches(word)
    if found.next:
        tab.refs.claim(frame, found.next)
        tab.refs.show({f"@e{it.number}": it for it in found.elements})
    if found.count > 1:
        raise _several_match(word, found)
    it = found.elements[0]
    known = await of_element(frame, it, found.address) if found.address else None
    others = None
    if found.others:
        ref = Ref("e", it.number)
        place = frame.locator(f"{ENGINE}={tab.refs.word(ref)}!?")
        others = Others(found.others, str(ref), f'{ref} [{it.role}] "{it.name or it.words}"')
    return FoundElement(place, frame, it.tag, it.role, known, found.aim, found.field, others)


def _words_of(selector: str) -> str | None:
    """Return the words of a selector by words; "" for a regular expression, None for others."""
    kind, equals, words = selector.partition("=")
    if not equals or kind.strip().lower() not in _BY_WORDS or ">>" in selector:
        return None
    words = words.strip()
    return "" if words.startswith("/") else words.strip("\"'")


def locator_for(tab: Tab, word: str) -> Locator:
    """Return the locator of a ref or selector, which may match nothing yet, or several."""
    if not word.startswith("@"):
        return to_locator(tab.frame, word)
    ref = _parse_ref(tab, word)
    return _frame_of(tab, ref).locator(f"{ENGINE}={tab.refs.word(ref)}!")


async def no_match(tab: Tab, selector: str) -> BrowseError:
    """Build the error for a selector that matches nothing, with similar elements."""
    where = "in the selected frame" if tab.in_frame else "on the page"
    if elsewhere := await in_frames.search(tab, selector, to_locator):
        return in_frames.only_there(selector, elsewhere, where)
    lines = await similar_lines(tab, tab.frame, selector)
    command = f"browse wait {shlex.quote(selector[:80])}"
    look = "use one of these refs" if lines else "look with `browse snapshot -i`"
    return BrowseError(
        Code.NO_MATCH,
        f"Nothing {where} matches {selector[:80]!r}.",
        hint=f"{look}, or wait for it: {command}",
        page="\n".join(lines),
    )


async def similar_lines(tab: Tab, frame: Frame, selector: str) -> list[str]:
    """Describe the elements that the caller may have meant."""
    found = await similar_elements(tab, frame, selector)
    called = (f"[hint={it.hint}]" if it.hint else f'"{it.name}"' for it in found)
    return [f"@e{it.number} [{it.role}] {how}" for it, how in zip(found, called, strict=True)]


async def similar_elements(tab: Tab, frame: Frame, meant: str) -> list[shapes.Candidate]:
    """List the elements that may have been meant; none if the page does not answer."""
    words = list(dict.fromkeys(_WORDS.findall(meant.lower()[:MAX_SELECTOR_CHARS])))
    words = [word for word in words if word not in _SYNTAX]
    if not words:
        return []
    try:
        found = await scripts.NEAREST(
            frame, numbers=tab.refs.start(), words=words, most=MAX_NEAREST
        )
    except BrowseError:
        return []
    tab.refs.claim(frame, found.next)
    tab.refs.show({f"@e{it.number}": it for it in found.elements})
    return found.elements


def _several_match(word: str, found: Matches) -> BrowseError:
    lines = [
        " ".join(filter(None, (f"@e{it.number}", _described(it), it.marks, f"(nth={it.nth})")))
        for it in found.elements
    ]
    first = shlex.quote(f"{word[:80]} >> nth=0")
    return BrowseError(
        Code.SEVERAL_MATCH,
        f"{word[:80]!r} matches {found.count} elements. Nothing was done.",
        hint=f"choose one by its ref, as shown here, or by its number: {first}",
        page="\n".join(lines),
    )


def _described(it: Described) -> str:
    context = f' [in "{it.context}"]' if it.context else ""
    return f'[{it.role}] "{it.name or it.words}"{context}'


async def _enter_frames(tab: Tab, word: str) -> tuple[Frame, str]:
    """Follow a selector with `>>>` into frames; return the frame and the inner selector."""
    *outer, inner = word.split(ENTER)
    frame = tab.frame
    for selector in outer:
        with translated("looking for the frame", selector=selector):
            handles = await to_locator(frame, selector).element_handles()
            entered = await handles[0].content_frame() if len(handles) == 1 else None
        if entered is None:
            raise NothingMatches(selector)
        frame = entered
    return frame, inner


def to_locator(frame: Frame, selector: str) -> Locator:
    """Convert a selector to a locator: CSS, Playwright's own, label=, placeholder=, testid=."""
    if len(selector) > LONGEST_SELECTOR_CHARS:
        raise BrowseError(
            Code.SELECTOR_INVALID,
            f"The selector has {len(selector):,} characters; {LONGEST_SELECTOR_CHARS:,} is the"
            " most.",
            hint="use a ref of `browse snapshot -i`, or a shorter selector",
        )
    outer, enters, inner = selector.rpartition(ENTER)
    if enters:
        framed = ENTER_FRAME.join(outer.split(ENTER))
        return frame.locator(f"{framed}{ENTER_FRAME}{inner}")
    kind, equals, words = selector.partition("=")
    by = LOCATORS.get(kind.strip().lower()) if equals else None
    return by(frame, words.strip().strip("\"'")) if by else frame.locator(selector)


async def _find_by_ref(
    tab: Tab, word: str, *, anyway: bool, fingerprint: bool, first: FirstStep
) -> FoundElement:
    ref = _parse_ref(tab, word)
    frame, word = _frame_of(tab, ref), tab.refs.word(ref)
    standing = await _check(tab, ref, frame, anyway=anyway, again=fingerprint, first=first)
    known = None
    if standing.address and standing.now:
        now = Described(standing.tag, standing.now.role, standing.now.name)
        known = await of_element(frame, now, standing.address)
    place = frame.locator(f"{ENGINE}={word}{'!' if anyway else ''}?")
    role = standing.now.role if standing.now else ""
    return FoundElement(place, frame, standing.tag, role, known, standing.aim, standing.field)


def _parse_ref(tab: Tab, word: str) -> Ref:
    ref = parse(word)
    if ref is None:
        raise BrowseError(
            Code.REF_UNKNOWN,
            f"{word[:20]} is not a ref.",
            hint="refs look like @e3 or @c1: run `browse snapshot -i`",
        )
    if tab.refs.is_shown(ref):
        return ref
    if was := tab.refs.was(ref):
        raise _stale(ref, was)
    raise BrowseError(
        Code.REF_UNKNOWN,
        f"Ref {ref} not found: no snapshot of this page has shown it to you.",
        hint="run `browse snapshot -i` to see the refs there are",
    )


def _frame_of(tab: Tab, ref: Ref) -> Frame:
    _ = tab.frame  # a crashed tab says so first
    frame = tab.refs.frame_of(ref)
    if frame is None or frame.is_detached() or frame.page is not tab.page:
        raise _stale(ref, tab.refs.was(ref))
    return frame


async def _check(
    tab: Tab, ref: Ref, frame: Frame, *, anyway: bool, again: bool, first: FirstStep
) -> shapes.RefStatus:
    standing = await scripts.INSPECT_REF(
        frame,
        doc=tab.refs.doc,
        kind=ref.kind,
        number=ref.number,
        again=again,
        anyway=anyway,
        **first.options(frame),
    )
    if standing.status in ("stale", "unknown"):
        raise _stale(ref, standing.was or tab.refs.was(ref))
    if standing.status == "changed" and not anyway:
        raise _changed(ref, standing)
    return standing


def _stale(ref: Ref, was: Called | None) -> BrowseError:
    return scripts.stale(str(ref), f'it was: [{was.role}] "{was.name}"' if was else "")


def _changed(ref: Ref, standing: shapes.RefStatus) -> BrowseError:
    lines = [
        f'{label}: [{called.role}] "{called.name}"'
        for label, called in (("was", standing.was), ("now", standing.now))
        if called
    ]
    return BrowseError(
        Code.REF_CHANGED,
        f"The element of ref {ref} has changed since it was shown. Nothing was done.",
        hint=f"run `browse snapshot -i` to look again, or add --anyway to act on {ref} as it is",
        page="\n".join(lines),
    )
