"""L4b, the transcript judge: a command of the user's that is asked about doubtful words.

It gets one JSON object on stdin and answers with another on stdout (docs/security/classifier.md).
It has no say when it hangs, dies or answers anything else; the log says so once.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Literal

import msgspec

from browse.core.children import Child, Launch, described
from browse.core.text import cut_at_line, well_formed
from browse.security.combine import LOG_ONLY, Label, Layer, Signal

LIMIT_S = 10.0
MAX_ASKED_CHARS = 16_000
MAX_ANSWER_BYTES = 65_536
_log = logging.getLogger(__name__)


class Answer(msgspec.Struct):
    """What the command must answer; the reason is for its own log."""

    verdict: Literal["safe", "warn", "block"]
    confidence: float
    reason: str = ""


class Judge:
    """Asks the command; without a command it never says anything."""

    def __init__(self, command: Sequence[str], *, limit_s: float = LIMIT_S) -> None:
        self._argv = list(command)
        self._limit_s = limit_s
        self._complained = False

    @property
    def is_there(self) -> bool:
        return bool(self._argv)

    async def ask(self, text: str, *, source: str, signals: Sequence[Signal]) -> Signal | None:
        """Ask about a text, if another layer has a doubt about it."""
        if not self._argv or all(each.confidence < LOG_ONLY for each in signals):
            return None
        question = msgspec.json.encode(
            {
                "text": cut_at_line(well_formed(text), MAX_ASKED_CHARS),
                "source": well_formed(source),
                "signals": [
                    {"layer": each.layer, "confidence": round(each.confidence, 4)}
                    for each in signals
                ],
            }
        )
        try:
            said = _understood(await self._answer(question))
        except (OSError, TimeoutError, ValueError) as exc:
            self._complain(exc)
            return None
        return Signal(Layer.JUDGE, said.confidence, Label(said.verdict))

    async def _answer(self, question: bytes) -> bytes:
        child = await Child.start(Launch(self._argv, stdin=True))
        try:
            async with asyncio.timeout(self._limit_s):
                answer = await child.exchange(question, max_bytes=MAX_ANSWER_BYTES)
                if not answer:
                    raise OSError(f"it {described(await child.ended)}")
                return answer
        finally:
            await child.kill()

    def _complain(self, why: Exception) -> None:
        if self._complained:
            return
        self._complained = True
        what = f"no answer within {self._limit_s:g} s" if isinstance(why, TimeoutError) else why
        _log.warning("the judge (BROWSE_JUDGE) has no say: %s", what)


def _understood(answer: bytes) -> Answer:
    try:
        said = msgspec.json.decode(answer, type=Answer)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        # The answer may repeat words of the page, which do not belong into a log.
        raise ValueError("its answer is not as agreed") from None
    if not 0 <= said.confidence <= 1:
        raise ValueError("its confidence is not from 0 to 1")
    return said
