"""Answer questions on stdin and stdout until the other end is closed.

One thread reads, another loads the model and scores texts: so a `ping` is answered while a model
loads or runs, and this process always ends when the daemon does.
"""

import os
import queue
import threading
from collections.abc import Callable
from typing import BinaryIO

import msgspec

from browse.core.sidecar_messages import MAX_LINE_BYTES, SidecarAnswer, SidecarQuestion
from browse.sidecar.verified import UnusableModel

Score = Callable[[str], float]
# The daemon asks one question at a time; a longer queue is a mistake.
MAX_WAITING = 8


class Work:
    """The queue of the model: texts wait until it is loaded, and are scored in turn."""

    def __init__(self, load: Callable[[], Score], tell: Callable[[SidecarAnswer], None]) -> None:
        self.status = "loading"
        self._load = load
        self._tell = tell
        self._waiting: queue.Queue[SidecarQuestion] = queue.Queue(MAX_WAITING)

    def add(self, question: SidecarQuestion) -> None:
        try:
            self._waiting.put_nowait(question)
        except queue.Full:
            self._tell(SidecarAnswer(question.id, ok=False, error="busy"))

    def run(self) -> None:
        score, error = self._loaded()
        while True:
            question = self._waiting.get()
            if score is None:
                self._tell(SidecarAnswer(question.id, ok=False, error=error))
            else:
                self._tell(SidecarAnswer(question.id, ok=True, confidence=score(question.text)))

    def _loaded(self) -> tuple[Score | None, str]:
        try:
            score = self._load()
        except UnusableModel as exc:
            self.status = "failed"
            return None, str(exc)
        self.status = "ready"
        return score, ""


def serve(load: Callable[[], Score]) -> int:
    """Answer until stdin ends."""
    os.unsetenv("AUTH_TOKEN")  # the daemon's own; a model has no use for it
    # Output of libraries must not mix with our answers.
    answers, questions = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    writing = threading.Lock()

    def tell(answer: SidecarAnswer) -> None:
        with writing:
            answers.write(msgspec.json.encode(answer) + b"\n")
            answers.flush()

    work = Work(load, tell)
    threading.Thread(target=_or_end, args=(work.run,), daemon=True).start()
    _or_end(lambda: _listen(questions, work, tell))
    return 0  # not reached


def _listen(questions: BinaryIO, work: Work, tell: Callable[[SidecarAnswer], None]) -> None:
    while line := questions.readline(MAX_LINE_BYTES + 1):
        try:
            question = msgspec.json.decode(line, type=SidecarQuestion)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            tell(SidecarAnswer(0, ok=False, error="not a valid question"))
            continue
        if question.op == "scan":
            work.add(question)
        else:
            tell(SidecarAnswer(question.id, ok=True, status=work.status))


def _or_end(run: Callable[[], None]) -> None:
    """Run one half of the process; if it ends, end the process."""
    try:
        run()
    finally:
        os._exit(0)
