"""Identify what a command would act on, to show it to a person and to recognise it later."""

from typing import Protocol
from urllib.parse import urlsplit

import msgspec

from browse.browser.elements.element import find_element
from browse.browser.page import scripts
from browse.browser.page.shapes import Identity
from browse.browser.tabs.tab import Tab


class ActionTargets(msgspec.Struct, frozen=True):
    """The page and the elements that a command would act on, comparable by value."""

    url: str
    elements: tuple[Identity, ...] = ()
    by_focus: bool = False

    @property
    def secret(self) -> bool:
        """Whether one of the elements is a field for a secret."""
        return any(element.secret for element in self.elements)

    def lines(self) -> list[str]:
        """Describe the elements, in the page's words."""
        how = "has the focus: " if self.by_focus else ""
        here = urlsplit(self.url).netloc
        return [how + _line(element, here) for element in self.elements if element.number]


class IdentifyTargets(Protocol):
    """The signature of `identify_targets`."""

    async def __call__(
        self, tab: Tab, targets: list[str], *, anyway: bool, keys: bool
    ) -> ActionTargets: ...


async def identify_targets(
    tab: Tab, targets: list[str], *, anyway: bool, keys: bool
) -> ActionTargets:
    """Identify the targets; without any, the focused element (`keys`) or only the document."""
    found = [
        await scripts.IDENTIFY((await find_element(tab, word, anyway=anyway)).handle)
        for word in targets
    ]
    if not found and keys:
        found = [await _focused(tab)]
    elif not found:
        found = [Identity((await scripts.IDENTIFY(tab.frame)).document)]
    return ActionTargets(tab.url, tuple(found), by_focus=keys and not targets)


async def _focused(tab: Tab) -> Identity:
    """Identify the focused element, in the page or in the frame that has the focus."""
    main = await scripts.IDENTIFY(tab.page.main_frame)
    if not main.frame:
        return main
    for frame in tab.page.frames[1:]:
        inner = await scripts.IDENTIFY(frame)
        if inner.number and not inner.frame:
            return inner
    return main


def _line(element: Identity, here: str) -> str:
    line = f'[{element.role}] "{element.name}"'
    if element.words not in ("", element.name):
        line += f' shown as "{element.words}"'
    return line if element.host in ("", here) else f"{line} in a frame of {element.host}"
