"""A tab that somebody looks at: its screencast, and its viewers."""

import asyncio
from typing import TYPE_CHECKING, Any

from browse.browser.actions.file_choosers import FileQuestion
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.browser.visual.screencast import Screencast, ScreenFrame
from browse.core.tasks import spawn
from browse.core.text import cut, well_formed
from browse.view.person_input import PersonInput
from browse.view.viewer import LiveViewer

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NAME_CHARS = 300


class ShownTab:
    """Shows one tab to its viewers, whatever page is in it."""

    def __init__(
        self, tabs: Tabs, tab: Tab, on_question: "Callable[[ShownTab, FileQuestion], None]"
    ) -> None:
        self.tabs = tabs
        self.tab = tab
        self.viewers: list[LiveViewer] = []
        self.moves = asyncio.Lock()  # a person's addresses and ways back, one after the other
        self._cast: Screencast | None = None
        self._on_question = on_question
        self._asked_in: Any = None  # the page whose questions for files are taken

    async def enter(self, viewer: LiveViewer) -> None:
        """Show the tab to one more viewer."""
        self.viewers.append(viewer)
        viewer.shown = self.tab.id
        viewer.on_drawn = self._on_drawn
        viewer.forget_frames()
        viewer.input = PersonInput(self._send, lambda: self._cast.size if self._cast else (0, 0))
        await self.follow()
        if self._cast:
            viewer.offer(self._cast.last)

    async def show_again(self, viewer: LiveViewer) -> None:
        """Show the last frame to a viewer that looks again."""
        if self._cast and not viewer.hidden:
            viewer.forget_frames()
            viewer.offer(self._cast.last)

    async def leave(self, viewer: LiveViewer) -> None:
        """Stop to show it; what the viewer has pressed is released."""
        self.viewers.remove(viewer)
        if viewer.input:
            await viewer.input.release()
        if not self.viewers and self._cast:
            cast, self._cast = self._cast, None
            cast.page.remove_listener("download", self._on_download)
            self.hear_choosers(on=False)
            await cast.stop()

    async def follow(self) -> None:
        """Show the page that the tab has now, which may be another than before."""
        if not self.viewers or (self._cast and self._cast.page is self.tab.page):
            return
        old, self._cast = self._cast, Screencast(self.tab, self._on_frame)
        for viewer in self.viewers:
            viewer.forget_frames()
        self._cast.page.on("download", self._on_download)
        if old:
            old.page.remove_listener("download", self._on_download)
            spawn(old.stop(), name=f"tab {self.tab.id}: its old page")
        await self._cast.start()

    def hear_choosers(self, *, on: bool) -> None:
        """Take the page's questions for files, or leave them to a window, if there is one."""
        page = self._cast.page if self._cast and on else None
        if page is self._asked_in:
            return
        if self._asked_in:
            self._asked_in.remove_listener("filechooser", self._on_chooser)
        if page:
            page.on("filechooser", self._on_chooser)
        self._asked_in = page

    def _on_download(self, download: Any) -> None:
        for viewer in self.viewers:
            viewer.tell(
                "download", page=cut(well_formed(download.suggested_filename), MAX_NAME_CHARS)
            )

    def _on_chooser(self, chooser: Any) -> None:
        self._on_question(self, FileQuestion(chooser))

    @property
    def size(self) -> tuple[float, float]:
        """The size of the page, in CSS pixels; nothing before its first frame."""
        return self._cast.size if self._cast else (0.0, 0.0)

    def _on_frame(self, frame: ScreenFrame) -> None:
        for viewer in self.viewers:
            viewer.offer(frame)

    def _on_drawn(self, number: int) -> None:
        if self._cast:
            self._cast.acknowledge(number)

    async def _send(self, method: str, about: dict[str, object]) -> None:
        if self._cast:
            await self._cast.send(method, **about)
