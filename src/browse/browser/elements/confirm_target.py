"""What a command would act on, so that it can be told to a person and known again later."""

from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from browse.browser.elements.element import hold
from browse.browser.page import scripts
from browse.browser.page.shapes import Identity
from browse.browser.tabs.tab import Tab


@dataclass(frozen=True, slots=True)
class Aim:
    """The page, and the elements in it; two of the same page and elements are equal."""

    url: str
    elements: tuple[Identity, ...] = ()
    by_focus: bool = False

    @property
    def secret(self) -> bool:
        """Whether one of the elements is a field for what nobody should read."""
        return any(element.secret for element in self.elements)

    def lines(self) -> list[str]:
        """Describe the elements, in the page's words."""
        how = "has the focus: " if self.by_focus else ""
        here = urlsplit(self.url).netloc
        return [how + _line(element, here) for element in self.elements if element.number]


class Look(Protocol):
    """The way to find out what a command would act on."""

    async def __call__(self, tab: Tab, targets: list[str], *, anyway: bool, keys: bool) -> Aim: ...


async def look(tab: Tab, targets: list[str], *, anyway: bool, keys: bool) -> Aim:
    """Find the targets; without any, what would get the keys, or else only which document it is."""
    found = [
        await scripts.IDENTIFY((await hold(tab, word, anyway=anyway)).handle) for word in targets
    ]
    if not found and keys:
        found = [await _focused(tab)]
    elif not found:
        found = [Identity((await scripts.IDENTIFY(tab.frame)).document)]
    return Aim(tab.url, tuple(found), by_focus=keys and not targets)


async def _focused(tab: Tab) -> Identity:
    """Tell what has the focus: in the page, else in that of its frames which has it."""
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
