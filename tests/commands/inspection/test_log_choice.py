"""How the flags that choose from a log are read."""

import pytest

from browse.browser.logs.console import ConsoleMessage
from browse.browser.logs.ring_buffer import RingBuffer
from browse.commands.inspection.log_choice import LogChoice, Since, cursor
from browse.core.errors import Usage


def log(*texts: str) -> RingBuffer[ConsoleMessage]:
    ring: RingBuffer[ConsoleMessage] = RingBuffer(lambda said: len(said.text))
    for at, text in enumerate(texts):
        ring.add(ConsoleMessage(float(at), "log", text, 1))
    return ring


def chosen(ring: RingBuffer[ConsoleMessage], after: int = 0, **flags) -> list[str]:
    choice: LogChoice[ConsoleMessage] = LogChoice(lambda _: True, lambda said: said.text, **flags)
    return [said.text for _, said in choice.of(ring, after)]


def test_the_newest_are_first_and_counted_after_all_other_flags():
    ring = log("a1", "b2", "A3", "b4")

    assert chosen(ring) == ["b4", "A3", "b2", "a1"]
    assert chosen(ring, text="a", last=1) == ["A3"]
    assert chosen(ring, since=Since(at=2.0)) == ["b4", "A3"]
    assert chosen(ring, since=Since(number=4), last=3) == ["b4"]


def test_the_last_ones_are_counted_from_the_cursor_of_the_reply_that_is_continued():
    assert chosen(log("1", "2", "3", "4"), after=300_000, last=2) == ["3", "2"]


def test_the_cursor_goes_on_where_the_log_was_cleared():
    ring = log("1", "2")
    before = cursor(ring)
    ring.clear()

    assert cursor(ring) == before
    assert chosen(ring, since=Since(number=3)) == []


def test_a_cursor_of_another_daemon_is_refused():
    with pytest.raises(Usage, match="is no cursor of this log, which has come to 200000"):
        chosen(log("1"), since=Since(number=3))
