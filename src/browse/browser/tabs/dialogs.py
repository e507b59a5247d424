"""Answer and record the dialogs of pages (alert, confirm, prompt, beforeunload).

Each is answered at once, because a page with an open dialog is blocked.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Literal

import msgspec
from playwright.async_api import BrowserContext, Dialog
from playwright.async_api import Error as DriverError

from browse.browser.logs.ring_buffer import RingBuffer
from browse.core.log_file import LogFile
from browse.core.tasks import spawn
from browse.core.text import well_formed
from browse.guard.secrets import scrubbed

Answer = Literal["accepted", "dismissed"]
MAX_CHARS = 2_000


class DialogRecord(msgspec.Struct, frozen=True):
    """A dialog that opened, and how it was answered."""

    kind: str
    message: str
    answer: Answer
    response: str | None = None
    url: str = ""
    at: datetime = msgspec.field(default_factory=lambda: datetime.now(UTC))

    @property
    def spelled(self) -> str:
        """Describe the dialog on one line, without the text typed into it: that may be a secret."""
        when = f"{self.at:%Y-%m-%dT%H:%M:%SZ}"
        return f"[{when}] [{self.kind}] {quoted(self.message)} → {self.answer}"


class DialogPolicy(msgspec.Struct, frozen=True):
    """How to answer; without a text, a prompt gets the page's own default."""

    accept: bool = True
    text: str | None = None

    def answer(self, kind: str, suggested: str) -> tuple[Answer, str | None]:
        """Return the answer to a dialog and, for an accepted prompt, the text to enter."""
        if kind == "beforeunload":
            return "accepted", None  # otherwise the page could never be left
        if not self.accept:
            return "dismissed", None
        text = suggested if self.text is None else self.text
        return "accepted", text if kind == "prompt" else None


# Asks the person who uses a page: the page, the kind of dialog, its message, the suggested text.
AskPerson = Callable[[object, str, str, str], Awaitable[DialogPolicy] | None]


class Dialogs:
    """Answers the dialogs of all pages of a session.

    `person` returns None for a page that no person uses just now.
    """

    def __init__(self, context: BrowserContext, journal: LogFile) -> None:
        self.policy = DialogPolicy()
        self.person: AskPerson = lambda *_: None
        self.next: DialogPolicy | None = None
        self.last: DialogRecord | None = None
        self.seen: RingBuffer[DialogRecord] = RingBuffer(lambda asked: len(asked.message))
        self._journal = journal
        self.listen(context)

    def listen(self, context: BrowserContext) -> None:
        """Answer the dialogs of this browser context too."""
        context.on("dialog", self._on_dialog)

    def decide(
        self,
        kind: str,
        message: str,
        suggested: str,
        url: str,
        persons: DialogPolicy | None = None,
    ) -> DialogRecord:
        """Choose and record the answer; an answer set for one dialog is used up."""
        policy = persons or self.policy
        if self.next and not persons and kind != "beforeunload":
            policy, self.next = self.next, None
        answer, response = policy.answer(kind, suggested)
        asked = DialogRecord(kind, _bounded(message), answer, response, url)
        self.last = asked
        self.seen.add(asked)
        self._journal.add(scrubbed(asked.spelled))
        return asked

    def _on_dialog(self, dialog: Dialog) -> None:
        about = dialog.type, dialog.message, dialog.default_value
        url = dialog.page.url if dialog.page else ""
        if dialog.type != "beforeunload" and (asking := self.person(dialog.page, *about)):
            spawn(self._ask(dialog, asking, url), name="ask a person about a dialog")
            return
        spawn(_give(dialog, self.decide(*about, url)), name="answer a dialog")

    async def _ask(self, dialog: Dialog, asking: Awaitable[DialogPolicy], url: str) -> None:
        about = dialog.type, dialog.message, dialog.default_value
        await _give(dialog, self.decide(*about, url, await asking))


async def _give(dialog: Dialog, asked: DialogRecord) -> None:
    try:
        if asked.answer == "dismissed":
            await dialog.dismiss()
        else:
            await dialog.accept(asked.response)
    except DriverError:
        return  # the page navigated away, and its dialog is gone


def quoted(text: str) -> str:
    """Quote page words on one line."""
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"') + '"'


def _bounded(text: str) -> str:
    text = well_formed(text)
    return text if len(text) <= MAX_CHARS else text[:MAX_CHARS] + "…"
