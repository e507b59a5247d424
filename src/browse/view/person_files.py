"""Files that a person sends through the live view when the page asks for some.

They come in parts, each asked for after the one before. They are kept in a private folder, which is
removed when the page closes, or at once if they are not given to it.
"""

import asyncio
import itertools
import os
import shutil
from pathlib import Path

import msgspec

from browse.browser.actions.file_choosers import FileQuestion
from browse.browser.scratch import Scratch
from browse.core.errors import BrowseError, Code
from browse.core.files import unwritable
from browse.core.text import cut, well_formed
from browse.view.messages import FilePart, FilesChosen
from browse.view.viewer import LiveViewer

MAX_BYTES = 100 * 1024 * 1024  # of all files of one answer
MAX_FILES = 20
MAX_NAME_BYTES = 200
MAX_ACCEPT_CHARS = 500
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW


class _Asked(msgspec.Struct, eq=False):
    """A question that a person has not answered yet."""

    number: int
    question: FileQuestion
    scratch: Scratch
    folder: Path | None = None
    paths: list[Path] = msgspec.field(default_factory=list)
    bytes: int = 0

    async def keep(self, part: FilePart) -> None:
        """Add a part to its file; raise if that is more than a person may send."""
        self.bytes += len(part.data)
        if self.bytes > MAX_BYTES or part.file >= MAX_FILES:
            raise _too_much()
        if self.folder is None:
            self.folder = await asyncio.to_thread(self.scratch.folder)
        if part.file == len(self.paths):
            self.paths.append(self.folder / str(part.file) / _file_name(part.name))
        elif part.file != len(self.paths) - 1:
            raise _too_much()  # files come one after the other
        try:
            await asyncio.to_thread(_append, self.paths[-1], part.data)
        except OSError as exc:
            raise unwritable(self.paths[-1], exc) from exc

    def discard(self) -> None:
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


class PersonsFiles:
    """Asks the persons who control tabs for files, one question at a time for each."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._open: dict[LiveViewer, _Asked] = {}

    async def ask(self, viewer: LiveViewer, question: FileQuestion, scratch: Scratch) -> None:
        """Ask a person; a question that is still open is replaced."""
        self.drop(viewer)
        asked = self._open[viewer] = _Asked(next(self._numbers), question, scratch)
        try:
            accepted = await question.accepted()
        except BrowseError:
            accepted = ""  # the page has gone on; the person may still answer, in vain
        if self._open.get(viewer) is asked:
            viewer.tell(
                "chooser",
                ask=asked.number,
                multiple=question.is_multiple,
                most=MAX_BYTES,
                page=cut(well_formed(accepted), MAX_ACCEPT_CHARS),
            )

    async def add(self, viewer: LiveViewer, part: FilePart) -> None:
        """Keep a part of a file, and ask for the next."""
        asked = self._of(viewer, part.ask)
        if asked is None:
            return
        try:
            await asked.keep(part)
        except BrowseError:
            self.drop(viewer)
            raise
        if self._of(viewer, part.ask):
            viewer.tell("part", ask=asked.number)
        else:
            asked.discard()  # the person went while it was written

    async def answer(self, viewer: LiveViewer, sent: FilesChosen) -> None:
        """Give the page the files that came, or tell it that there are none."""
        asked = self._of(viewer, sent.ask)
        if asked is None:
            return
        del self._open[viewer]
        if sent.cancelled or not asked.paths:
            asked.discard()
            await asked.question.cancel()
            return
        try:
            await asked.question.choose(asked.paths)
        except BaseException:
            asked.discard()
            raise
        asked.question.page.once("close", lambda _: asked.discard())
        viewer.tell("chosen", files=len(asked.paths))

    def drop(self, viewer: LiveViewer) -> None:
        """Forget the open question of a person, who does not control the tab any more."""
        if asked := self._open.pop(viewer, None):
            asked.discard()
            viewer.tell("unasked", ask=asked.number)

    def _of(self, viewer: LiveViewer, number: int) -> _Asked | None:
        asked = self._open.get(viewer)
        return asked if asked and asked.number == number else None


def _append(path: Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with os.fdopen(os.open(path, _FLAGS, 0o600), "ab") as file:
        file.write(data)


def _file_name(name: str) -> str:
    """Return the name that the page will see: the last part of it, of limited length."""
    last = well_formed(name).replace("\\", "/").rpartition("/")[2].replace("\0", "")
    stem, dot, kind = last.rpartition(".")
    kept, ending = (stem, f".{kind}") if dot and len(kind.encode()) < 20 else (last, "")
    room = MAX_NAME_BYTES - len(ending.encode())
    short = kept.encode()[:room].decode("utf-8", "ignore") + ending
    return short if short.strip(". ") else "file"


def _too_much() -> BrowseError:
    return BrowseError(
        Code.TOO_LARGE,
        f"Up to {MAX_FILES} files of {MAX_BYTES // 1024 // 1024} MB together can be sent.",
        hint="Send less, or ask the agent to upload it.",
    )
