"""The live view: persons look at running tabs, and one of them may use each.

Nothing is reloaded: a person's mouse and keys go into the same page that the agents work in.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from browse.browser.actions.file_choosers import FileQuestion
from browse.browser.process.browser import Browser
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.browser.visual.screenshots import Area
from browse.core.errors import BrowseError
from browse.core.tasks import spawn
from browse.core.text import cut, well_formed
from browse.inbox import taking
from browse.inbox.inbox import Inbox
from browse.inbox.message import InboxMessage
from browse.registry.params import URL, Surroundings
from browse.view import messages
from browse.view.asking import PersonsAnswers
from browse.view.holds import Hold, Holds
from browse.view.person_files import PersonsFiles
from browse.view.shown_tab import ShownTab
from browse.view.viewer import LiveViewer, Wire

# How often titles and addresses are read again while somebody looks.
LOOK_S = 1.0
# A viewer that says nothing for so long may be cut off: what it has pressed is released.
SILENT_S = 6.0
# How long a person who took a tab may be away before the agents get it back.
AWAY_S = 60.0
MAX_VIEWERS = 20
MAX_URL_CHARS = 2_000
MAX_NOTES = 5
MAX_NOTE_CHARS = 200
_LOCAL = ("localhost", "127.", "[::1]")


class LiveView:
    """The viewers, the tabs that they look at, and who controls which."""

    def __init__(
        self,
        browser: Browser,
        holds: Holds,
        inbox: Inbox,
        surroundings: Callable[[], Surroundings],
    ) -> None:
        self._browser = browser
        self._holds = holds
        self._inbox = inbox
        self._surroundings = surroundings
        self._viewers: list[LiveViewer] = []
        self._stages: dict[int, ShownTab] = {}
        self._looking: asyncio.Task[None] | None = None
        self._introduced: set[int] = set()  # popups that were shown to their person
        self._answers = PersonsAnswers(self._controller_of)
        self._files = PersonsFiles()
        self._notes: list[dict[str, Any]] = []
        self._notes_of = -1  # the change of the inbox that they are of
        holds.changed.add(self._on_holds)

    async def attend(self, wire: Wire, tab: int | None) -> None:
        """Serve a viewer until it goes."""
        viewer = LiveViewer(wire)
        if len(self._viewers) >= MAX_VIEWERS:
            await wire.send_text('{"type":"full"}')
            return
        await self._browser.tabs()
        self._viewers.append(viewer)
        writing = spawn(viewer.write(), name="a viewer of the live view")
        try:
            await self._show(viewer, self._find(tab) or self._first())
            self._look_on()
            async for raw in wire.messages():
                viewer.heard_at = time.monotonic()
                if sent := messages.decode(raw):
                    await self._on_message(viewer, sent)
        finally:
            writing.cancel()
            self._viewers.remove(viewer)
            # In its own task: this one may be cancelled.
            await spawn(self._leave(viewer), name="a viewer has gone")

    async def _on_message(self, viewer: LiveViewer, sent: messages.Sent) -> None:
        stage = self._stages.get(viewer.shown)
        match sent:
            case messages.Drawn(frame=number):
                viewer.drawn(number)
            case messages.Hide(hidden=hidden):
                viewer.hidden = hidden
                if stage:
                    await stage.show_again(viewer)
            case messages.Show(tab=id):
                await self._show(viewer, self._find(id))
            case messages.Alive():
                pass
            case messages.Take() if stage:
                await self._take(viewer, stage)
            case messages.NoteWritten() if stage:
                spawn(self._note(viewer, stage, sent), name="a note of a person")
            case _ if stage and (hold := self._controlled(viewer)):
                await self._on_control(viewer, stage, hold, sent)

    def _on_chooser(self, stage: ShownTab, question: FileQuestion) -> None:
        """Ask the person who controls the tab for the files that its page wants."""
        if viewer := self._controller_of(stage.tab.page):
            asking = self._files.ask(viewer, question, stage.tabs.scratch)
            spawn(asking, name=f"tab {stage.tab.id}: a question for files")

    async def _on_control(
        self, viewer: LiveViewer, stage: ShownTab, hold: Hold, sent: messages.Sent
    ) -> None:
        """Do what only the person who controls the tab may do."""
        match sent:
            case messages.Give(message=message):
                spawn(self._give(viewer, hold, message), name="a person gives a tab back")
            case messages.Go(url=url):
                spawn(self._go(viewer, stage, url), name="a person goes to an address")
            case messages.Travel(to=to):
                spawn(self._travel(viewer, stage, to), name="a person travels")
            case messages.DialogAnswer():
                self._answers.answer(sent)
            case messages.FilePart():
                await _told(viewer, self._files.add(viewer, sent))
            case messages.FilesChosen():
                # In its own task: the page may open a dialog, which the next message answers.
                spawn(_told(viewer, self._files.answer(viewer, sent)), name="files of a person")
            case (
                messages.MouseEvent()
                | messages.WheelEvent()
                | messages.KeyEvent()
                | messages.Pasted()
                | messages.TouchEvent()
            ) if viewer.input:
                viewer.input.add(sent)

    async def _show(self, viewer: LiveViewer, found: tuple[str, Tabs, Tab] | None) -> None:
        if found is None or found[2].id == viewer.shown:
            return
        _, tabs, tab = found
        if old := self._stages.get(viewer.shown):
            await old.leave(viewer)
        stage = self._stages.setdefault(tab.id, ShownTab(tabs, tab, self._on_chooser))
        self._answers.listen(tabs)
        hold = self._holds.of(tab.id)
        if hold and hold.controller is None:
            hold.controller = viewer
        await stage.enter(viewer)
        self._forget_empty()
        await self._tell_all()

    async def _take(self, viewer: LiveViewer, stage: ShownTab) -> None:
        hold = self._holds.of(stage.tab.id)
        if hold is None:
            try:
                hold = self._holds.begin(stage.tabs, stage.tab)
            except BrowseError as exc:
                _tell_error(viewer, exc)
                return
        before, hold.controller = hold.controller, viewer
        if isinstance(before, LiveViewer) and before is not viewer and before.input:
            await before.input.release()
        await self._tell_all()

    async def _give(self, viewer: LiveViewer, hold: Hold, message: str) -> None:
        if viewer.input:
            await viewer.input.finish()
        self._holds.end(hold, "the person", message)

    async def _leave(self, viewer: LiveViewer) -> None:
        hold = self._controlled(viewer)
        self._files.drop(viewer)
        if stage := self._stages.get(viewer.shown):
            await stage.leave(viewer)
        self._forget_empty()
        if hold:
            hold.controller = None
            self._answers.give_up()
            if not hold.asked_by:
                loop = asyncio.get_running_loop()
                loop.call_later(AWAY_S, self._end_if_away, hold)
        await self._tell_all()

    def _end_if_away(self, hold: Hold) -> None:
        if hold.controller is None and not hold.ended_by:
            self._holds.end(hold, "the person", "")

    async def _go(self, viewer: LiveViewer, stage: ShownTab, typed: str) -> None:
        """Open an address as `goto` does, by the same rules.

        Not in the tab's lock: a command that waits for what the person does would hold it.
        """
        around = self._surroundings()
        try:
            url = URL.parse(_completed(typed), around)
            await around.admit(url)
            async with stage.moves:
                await stage.tab.open(url)
        except BrowseError as exc:
            _tell_error(viewer, exc)
        await self._tell_all()

    async def _travel(self, viewer: LiveViewer, stage: ShownTab, to: str) -> None:
        try:
            async with stage.moves:
                if to == "reload":
                    await stage.tab.reload()
                else:
                    await stage.tab.travel(-1 if to == "back" else 1)
        except BrowseError as exc:
            _tell_error(viewer, exc)
        await self._tell_all()

    async def _note(self, viewer: LiveViewer, stage: ShownTab, note: messages.NoteWritten) -> None:
        """Put a note for the agent into the inbox."""
        width, height = stage.size
        at = area = None
        if note.x is not None and note.y is not None:
            at = note.x * width, note.y * height
            if note.width and note.height:
                area, at = Area(*at, note.width * width, note.height * height), None
        try:
            kept = await taking.take(self._inbox, stage.tab, note.message, at=at, area=area)
        except BrowseError as exc:
            _tell_error(viewer, exc)
            return
        viewer.tell("noted", id=kept.id, ref=kept.ref)

    def _controlled(self, viewer: LiveViewer) -> Hold | None:
        """Return the hold on the tab that a viewer looks at, if that viewer controls it."""
        hold = self._holds.of(viewer.shown)
        return hold if hold and hold.controller is viewer else None

    def _controller_of(self, page: object) -> LiveViewer | None:
        """Return the viewer that controls the tab of a page."""
        for hold in self._holds.all():
            if any(tab.page is page for tab in hold.tabs):
                return hold.controller if isinstance(hold.controller, LiveViewer) else None
        return None

    def _sessions(self) -> list[tuple[str, Tabs]]:
        usual = self._browser.open_tabs
        return [*([("", usual)] if usual else []), *self._browser.named().items()]

    def _every(self) -> list[tuple[str, Tabs, Tab]]:
        return [(name, tabs, tab) for name, tabs in self._sessions() for tab in tabs.all()]

    def _find(self, id: int | None) -> tuple[str, Tabs, Tab] | None:
        return next((it for it in self._every() if it[2].id == id), None)

    def _first(self) -> tuple[str, Tabs, Tab] | None:
        """Return the tab to show first: one that a person is asked for, else the newest."""
        every = self._every()
        held = [it for it in every if self._holds.of(it[2].id)]
        return next(iter(held or every[::-1]), None)

    def _forget_empty(self) -> None:
        for id, stage in list(self._stages.items()):
            if not stage.viewers:
                del self._stages[id]

    def _look_on(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = spawn(self._look(), name="the live view")

    async def _look(self) -> None:
        """Keep the viewers informed, while there are any: titles change without an event."""
        while self._viewers:
            for stage in list(self._stages.values()):
                await stage.follow()
                await stage.tab.refresh_title()
            for viewer in list(self._viewers):
                silent = time.monotonic() - viewer.heard_at > SILENT_S
                if silent and viewer.input and self._controlled(viewer):
                    await viewer.input.release()
                if self._find(viewer.shown) is None:  # its tab was closed
                    await self._show(viewer, self._first())
            await self._read_notes()
            await self._tell_all()
            await asyncio.sleep(LOOK_S)

    async def _read_notes(self) -> None:
        """Read the notes for the agent again, if some are new, done or deleted."""
        if self._notes_of == self._inbox.changes:
            return
        self._notes_of = self._inbox.changes
        with suppress(BrowseError):  # a folder that cannot be read is said by `browse inbox`
            found = await asyncio.to_thread(self._inbox.all)
            self._notes = [_note(it) for it in found[:MAX_NOTES]]

    def _on_holds(self) -> None:
        for hold in self._holds.all():
            for popup in hold.popups:
                if popup.id not in self._introduced and isinstance(hold.controller, LiveViewer):
                    self._introduced.add(popup.id)
                    spawn(self._show(hold.controller, self._find(popup.id)), name="show a popup")
        if self._viewers:
            spawn(self._tell_all(), name="tell the viewers")

    async def _tell_all(self) -> None:
        tabs = [self._row(*it) for it in self._every()]
        for stage in self._stages.values():
            stage.hear_choosers(on=self._controller_of(stage.tab.page) is not None)
        for viewer in self._viewers:
            if self._controlled(viewer) is None:
                self._files.drop(viewer)
            viewer.tell_state({"tabs": tabs, "notes": self._notes, **self._state(viewer)})

    def _row(self, session: str, _: Tabs, tab: Tab) -> dict[str, Any]:
        hold = self._holds.of(tab.id)
        return {
            "id": tab.id,
            "title": tab.last_title,
            "url": cut(tab.url, MAX_URL_CHARS),
            "session": session,
            "held": hold is not None,
            "waits": bool(hold and hold.asked_by and hold.tab is tab and not hold.controller),
        }

    def _state(self, viewer: LiveViewer) -> dict[str, Any]:
        hold, stage = self._holds.of(viewer.shown), self._stages.get(viewer.shown)
        control = "agent"
        if hold:
            control = "you" if hold.controller is viewer else "other" if hold.controller else "open"
        return {
            "shown": viewer.shown,
            "control": control,
            "asked": bool(hold and hold.asked_by),
            "reason": hold.reason if hold else "",
            "viewers": len(stage.viewers) if stage else 0,
            "crashed": bool(stage and stage.tab.crashed),
        }


def _completed(typed: str) -> str:
    """Complete an address as a person types it: without a scheme it is https, or http here."""
    words = typed.strip()
    if "://" in words or words.startswith("about:"):
        return words
    return f"{'http' if words.startswith(_LOCAL) else 'https'}://{words}"


def _note(message: InboxMessage) -> dict[str, Any]:
    words = cut(well_formed(message.user_message), MAX_NOTE_CHARS)
    return {"id": message.id, "words": words, "done": bool(message.done)}


async def _told(viewer: LiveViewer, doing: Coroutine[Any, Any, None]) -> None:
    """Do something, and tell the viewer if it fails."""
    try:
        await doing
    except BrowseError as exc:
        _tell_error(viewer, exc)


def _tell_error(viewer: LiveViewer, exc: BrowseError) -> None:
    viewer.tell("notice", text=exc.message, hint=exc.hint, page=cut(exc.page, MAX_URL_CHARS))
