"""Dialogs of pages (alert, confirm, prompt, beforeunload): how they are answered, and a record.

Each is answered at once, because a page with an open dialog does nothing else.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from playwright.async_api import BrowserContext, Dialog
from playwright.async_api import Error as DriverError

from browse.browser.logs.ring_buffer import Ring
from browse.core.journal import Journal
from browse.core.tasks import spawn
from browse.core.text import well_formed
from browse.guard.secrets import scrubbed

Answer = Literal["accepted", "dismissed"]
MAX_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A dialog that opened, and how it was answered."""

    kind: str
    message: str
    answer: Answer
    response: str | None = None
    url: str = ""
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def spelled(self) -> str:
        """Say it on one line, without the text that was given: that may be a secret."""
        when = f"{self.at:%Y-%m-%dT%H:%M:%SZ}"
        return f"[{when}] [{self.kind}] {quoted(self.message)} → {self.answer}"


@dataclass(frozen=True, slots=True)
class Policy:
    """How to answer; without a text of ours, a prompt is answered with what the page suggests."""

    accept: bool = True
    text: str | None = None

    def answer(self, kind: str, suggested: str) -> tuple[Answer, str | None]:
        """Tell the answer to a dialog and, for a prompt that is accepted, the text given to it."""
        if kind == "beforeunload":
            return "accepted", None  # or the page could keep its tab for ever
        if not self.accept:
            return "dismissed", None
        text = suggested if self.text is None else self.text
        return "accepted", text if kind == "prompt" else None


class Dialogs:
    """Answers the dialogs of all pages of a browser, whoever opened them."""

    def __init__(self, context: BrowserContext, journal: Journal) -> None:
        self.policy = Policy()
        self.next: Policy | None = None
        self.last: Asked | None = None
        self.seen: Ring[Asked] = Ring(lambda asked: len(asked.message))
        self._journal = journal
        context.on("dialog", self._on_dialog)

    def decide(self, kind: str, message: str, suggested: str, url: str) -> Asked:
        """Choose and record the answer; an answer that holds once is used up by it."""
        policy = self.policy
        if self.next and kind != "beforeunload":
            policy, self.next = self.next, None
        answer, response = policy.answer(kind, suggested)
        asked = Asked(kind, _bounded(message), answer, response, url)
        self.last = asked
        self.seen.add(asked)
        self._journal.add(scrubbed(asked.spelled))
        return asked

    def _on_dialog(self, dialog: Dialog) -> None:
        url = dialog.page.url if dialog.page else ""
        asked = self.decide(dialog.type, dialog.message, dialog.default_value, url)
        spawn(_give(dialog, asked), name="answer a dialog")


async def _give(dialog: Dialog, asked: Asked) -> None:
    try:
        if asked.answer == "dismissed":
            await dialog.dismiss()
        else:
            await dialog.accept(asked.response)
    except DriverError:
        return  # the page navigated away and took its dialog along


def quoted(text: str) -> str:
    """Keep the words of a page on one line."""
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"') + '"'


def _bounded(text: str) -> str:
    text = well_formed(text)
    return text if len(text) <= MAX_CHARS else text[:MAX_CHARS] + "…"
