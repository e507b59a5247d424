"""From the word that a caller typed to the one element that it means.

A ref finds the very element that was shown under it, or nothing; anything else is a selector.
"""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.async_api import Frame, Locator

from browse.browser import scripts
from browse.browser.locate import no_match
from browse.browser.refs import Ref, parse
from browse.browser.tab import Tab
from browse.core.errors import BrowseError, Code

MAX_SHOWN = 10
# Playwright has methods for these, not selectors.
BY: dict[str, Callable[[Frame, str], Locator]] = {
    "label": lambda frame, words: frame.get_by_label(words),
    "placeholder": lambda frame, words: frame.get_by_placeholder(words),
    "testid": lambda frame, words: frame.get_by_test_id(words),
}


@dataclass(frozen=True, slots=True)
class Target:
    """One element on the page: how to reach it, and what it is."""

    place: Locator
    tag: str
    role: str


async def find(tab: Tab, word: str, *, anyway: bool = False) -> Target:
    """Find the one element that a ref or a selector means."""
    if word.startswith("@"):
        return await _by_ref(tab, word, anyway=anyway)
    place = selected(tab.frame, word)
    found = await scripts.DESCRIBE.each(place, selector=word)
    if not found:
        raise no_match(word)
    if len(found) > 1:
        raise _several(word, found)
    return Target(place, found[0].tag, found[0].role)


def _several(word: str, found: list[scripts.Described]) -> BrowseError:
    shown = [f'{number}) [{it.role}] "{it.name}"' for number, it in enumerate(found[:MAX_SHOWN])]
    return BrowseError(
        Code.SEVERAL_MATCH,
        f"{word[:80]!r} matches {len(found)} elements. Nothing was done.",
        hint=f"choose one by a ref (`browse snapshot -i`), or by its place: {word[:80]!r} >> nth=0",
        page="\n".join(shown),
    )


def selected(frame: Frame, selector: str) -> Locator:
    """Turn a selector into a locator: CSS, Playwright's own, label=, placeholder=, testid=."""
    kind, equals, words = selector.partition("=")
    by = BY.get(kind.strip().lower()) if equals else None
    return by(frame, words.strip().strip("\"'")) if by else frame.locator(selector)


async def _by_ref(tab: Tab, word: str, *, anyway: bool) -> Target:
    ref = parse(word)
    if ref is None:
        raise BrowseError(
            Code.REF_UNKNOWN,
            f"{word[:20]} is not a ref.",
            hint="refs look like @e3 or @c1: run `browse snapshot -i`",
        )
    _ = tab.frame  # a crashed tab says so first
    frame = tab.refs.frame_of(ref)
    if frame is None:
        raise BrowseError(
            Code.REF_UNKNOWN,
            f"Ref {ref} not found: no snapshot of this tab has shown it.",
            hint="run `browse snapshot -i` to see the refs there are",
        )
    standing = await _check(ref, frame, anyway=anyway)
    place = frame.locator(f"{scripts.ENGINE}={ref}{'!' if anyway else ''}")
    return Target(place, standing.tag, standing.now.role if standing.now else "")


async def _check(ref: Ref, frame: Frame, *, anyway: bool) -> scripts.Standing:
    if frame.is_detached():
        raise _stale(ref, None)
    standing = await scripts.INSPECT_REF(frame, kind=ref.kind, number=ref.number)
    if standing.status in ("stale", "unknown"):
        raise _stale(ref, standing.was)
    if standing.status == "changed" and not anyway:
        raise _changed(ref, standing)
    return standing


def _stale(ref: Ref, was: scripts.Called | None) -> BrowseError:
    return BrowseError(
        Code.REF_STALE,
        f"Ref {ref} is stale: its element is no longer on the page. Nothing was done.",
        hint="run `browse snapshot -i` for the refs there are now",
        page=f'it was: [{was.role}] "{was.name}"' if was else "",
    )


def _changed(ref: Ref, standing: scripts.Standing) -> BrowseError:
    lines = [
        f'{label}: [{called.role}] "{called.name}"'
        for label, called in (("was", standing.was), ("now", standing.now))
        if called
    ]
    return BrowseError(
        Code.REF_CHANGED,
        f"The element of ref {ref} is another than was shown. Nothing was done.",
        hint=f"run `browse snapshot -i` to look again, or add --anyway to act on {ref} as it is",
        page="\n".join(lines),
    )
