"""Dialogs of a page, answered by the person who controls its tab.

A page with an open dialog is blocked, so a person who does not answer in time is not waited for.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable

from browse.browser.tabs.dialogs import DialogPolicy
from browse.browser.tabs.tabs import Tabs
from browse.core.text import cut, well_formed
from browse.view.messages import DialogAnswer
from browse.view.viewer import LiveViewer

ANSWER_S = 60.0
MAX_CHARS = 2_000


class PersonsAnswers:
    """Asks persons, and waits for their answers."""

    def __init__(self, controller: Callable[[object], LiveViewer | None]) -> None:
        self._controller = controller
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[DialogPolicy]] = {}

    def listen(self, tabs: Tabs) -> None:
        """Ask about the dialogs of a session's pages."""
        tabs.dialogs.person = self.ask

    def ask(
        self, page: object, kind: str, message: str, suggested: str
    ) -> Awaitable[DialogPolicy] | None:
        """Ask the person who controls the tab of a page, if there is one."""
        viewer = self._controller(page)
        return self._ask(viewer, kind, message, suggested) if viewer else None

    async def _ask(
        self, viewer: LiveViewer, kind: str, message: str, suggested: str
    ) -> DialogPolicy:
        number = next(self._numbers)
        future: asyncio.Future[DialogPolicy] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        viewer.tell(
            "dialog",
            dialog=number,
            kind=kind,
            message=cut(well_formed(message), MAX_CHARS),
            suggested=cut(well_formed(suggested), MAX_CHARS),
        )
        try:
            async with asyncio.timeout(ANSWER_S):
                return await future
        except TimeoutError:
            viewer.tell("answered", dialog=number)
            return DialogPolicy(accept=False)
        finally:
            self._waiting.pop(number, None)

    def answer(self, sent: DialogAnswer) -> None:
        """Take a person's answer."""
        if (future := self._waiting.get(sent.dialog)) and not future.done():
            future.set_result(DialogPolicy(accept=sent.accept, text=sent.text))

    def give_up(self) -> None:
        """Answer every dialog: the person is gone."""
        for future in self._waiting.values():
            if not future.done():
                future.set_result(DialogPolicy(accept=False))
