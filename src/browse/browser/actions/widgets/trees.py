"""Expand a tree to an item, part by part, as a person does; children may come later."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal

import msgspec
from playwright.async_api import ElementHandle

from browse.browser.driver_errors import acting
from browse.browser.elements.element import ACTION_MS
from browse.browser.elements.page_changes import while_late
from browse.browser.page import scripts
from browse.browser.page.branches import Branch
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

MAX_SHOWN = 50
Way = Literal["toggle", "key", "click"]


class Tree(msgspec.Struct, frozen=True):
    """The place in which a tree is looked for, and whether requests of its page are open."""

    tab: Tab
    root: ElementHandle
    is_busy: Callable[[], bool]

    async def look(self, path: Sequence[str]) -> Branch:
        frame = await self.root.owner_frame() or self.tab.frame
        numbers = self.tab.refs.start()
        seen = await scripts.TREE(self.root, path=[*path], most=MAX_SHOWN, numbers=numbers)
        self.tab.refs.claim(frame, seen.next)
        if seen.item:
            self.tab.refs.show({f"@e{seen.item.number}": seen.item})
        return seen

    async def expand(self, path: Sequence[str]) -> tuple[Branch, int]:
        """Expand every item of a path; return the last one, and how many were opened."""
        opened = 0
        for end in range(1, len(path) + 1):
            seen = await self._appear(path[:end])
            if seen.found < end:
                raise _missing(path[: end - 1], path[end - 1], seen)
            if seen.state == "closed":
                await self._open(path[:end])
                opened += 1
        return await self.look(path), opened

    async def _appear(self, path: Sequence[str]) -> Branch:
        """Look for an item, which may be loading."""

        def is_there(seen: Branch) -> bool:
            return seen.found == len(path) or seen.many > 1 or (seen.count > 0 and not seen.busy)

        return await self._until(path, is_there)

    async def _open(self, path: Sequence[str]) -> None:
        """Open an item: by what is there to open it, by its key, or by clicking it."""
        ways: tuple[Way, ...] = ("toggle", "key", "click")
        for way in ways:
            handle = await scripts.TREE_PART(self.root, path=[*path], toggle=way == "toggle")
            if handle is None:
                continue
            with acting("expanding it", target=path[-1]):
                if way == "key":
                    with suppress(BrowseError):
                        await handle.focus()
                    await self.tab.page.keyboard.press("ArrowRight")
                else:
                    await handle.click(timeout=ACTION_MS)
            seen = await self._until(path, lambda it: it.state != "closed")
            if seen.state != "closed":
                return
        raise BrowseError(
            Code.UNMET,
            f"{path[-1][:80]!r} was pressed, but it has not expanded.",
            hint="look with `browse snapshot -i`, and click what opens it",
        )

    async def _until(self, path: Sequence[str], is_it: Callable[[Branch], bool]) -> Branch:
        """Look again at each change, until it is so or nothing has happened for a while."""
        seen = await self.look(path)

        async def look() -> Branch | None:
            nonlocal seen
            seen = await self.look(path)
            return seen if is_it(seen) else None

        if not is_it(seen):
            await while_late(self.tab, look, lambda: seen.busy or self.is_busy())
        return seen


def _missing(found: Sequence[str], name: str, seen: Branch) -> BrowseError:
    where = f"below {'/'.join(found)[:200]!r}" if found else "at the top"
    there = list(seen.names)
    if seen.count > len(there):
        there.append(f"… and {seen.count - len(there):,} more")
    if not seen.trees:
        raise BrowseError(
            Code.NO_MATCH,
            "There is no tree on the page: no role=tree with items, and no <details>.",
            hint="look with `browse snapshot -i`, and click what opens a part",
        )
    several = seen.many > 1
    what = f"{seen.many} items are called {name[:80]!r} {where}" if several else (
        f"{name[:80]!r} is not {where}; there {'is' if seen.count == 1 else 'are'} {seen.count}"
    )  # fmt: skip
    return BrowseError(
        Code.SEVERAL_MATCH if several else Code.NO_MATCH,
        f"{what}. What was expanded before stays so.",
        hint="name the tree too: browse expand <path> '#tree'" if several
        else "name one of these; a name with a slash: browse expand 'a > b/c'",
        page="\n".join(there),
    )  # fmt: skip
