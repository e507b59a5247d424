"""What a terminal has printed lately: a ring of bytes that a viewer who comes back is shown.

Every byte has a place, counted from the start of the session, so that each viewer can be told what
it has not seen. When old bytes are dropped, the modes that they switched on are kept: a full-screen
program stays on its own screen, and pasting stays bracketed.
"""

import re

# A soft reset: what a viewer had switched on before does not stay on.
SOFT_RESET = b"\x1b[!p"
# The private modes of a terminal that outlast the bytes which switched them on: keys of the cursor,
# the cursor's visibility, the mouse, focus, the alternate screen, bracketed paste.
MODES = frozenset({1, 25, 47, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1049, 2004})
ON_AT_FIRST = frozenset({25})
ALTERNATE = frozenset({47, 1047, 1049})
_SWITCH = re.compile(rb"\x1b\[\?([0-9;]{1,40})([hl])|\x1b(c)")
# Where a stretch of output can be cut: after a line, or before an escape.
_EDGE = re.compile(rb"\n|(?=\x1b)")
# Longer than any sequence above: so much of what was dropped is looked at again with what follows.
_TAIL_BYTES = 48


class TerminalModes:
    """Which private modes are on after a stretch of output."""

    def __init__(self) -> None:
        self.on: set[int] = set(ON_AT_FIRST)

    def copy(self) -> "TerminalModes":
        """Return the same modes, to be followed further."""
        other = TerminalModes()
        other.on = set(self.on)
        return other

    def feed(self, output: bytes) -> None:
        """Follow the switches in a stretch of output."""
        for numbers, letter, reset in _SWITCH.findall(output):
            if reset:
                self.on = set(ON_AT_FIRST)
                continue
            known = {int(number) for number in numbers.split(b";") if number} & MODES
            self.on = self.on | known if letter == b"h" else self.on - known

    def sequence(self) -> bytes:
        """Return what switches a fresh terminal to these modes."""
        wanted = [b"\x1b[?%dh" % mode for mode in sorted(self.on - ON_AT_FIRST)]
        hidden = [b"\x1b[?%dl" % mode for mode in sorted(ON_AT_FIRST - self.on)]
        return b"".join(wanted + hidden)


class Scrollback:
    """The newest bytes that a program printed; `start` and `end` are the places of its edges."""

    def __init__(self, limit_bytes: int) -> None:
        self.start = 0
        self._limit = limit_bytes
        self._kept = bytearray()
        self._before = TerminalModes()
        self._tail = b""

    @property
    def end(self) -> int:
        return self.start + len(self._kept)

    def add(self, output: bytes) -> None:
        """Add what was printed; the oldest bytes make room."""
        self._kept += output
        if (excess := len(self._kept) - self._limit) > 0:
            self._drop(excess)

    def since(self, place: int, limit: int) -> bytes:
        """Return up to so many bytes from a place on; from the oldest on if they are gone."""
        at = max(0, place - self.start)
        return bytes(self._kept[at : at + limit])

    def replay(self) -> bytes:
        """Return what brings an empty terminal to the present state, as far as bytes are kept."""
        kept, modes = bytes(self._kept), self._before.copy()
        if self.start:
            # What comes first may be the rest of a character or of a sequence.
            edge = _EDGE.search(kept)
            at = edge.end() if edge else 0
            modes.feed(self._tail + kept[:at])
            kept = kept[at:]
        return SOFT_RESET + modes.sequence() + kept

    def is_alternate(self) -> bool:
        """Check whether a full-screen program is on its own screen now."""
        now = self._before.copy()
        now.feed(self._tail + bytes(self._kept))
        return bool(now.on & ALTERNATE)

    def _drop(self, count: int) -> None:
        dropped = self._tail + bytes(self._kept[:count])
        self._before.feed(dropped)
        # A sequence may go on in what is kept: it is looked at again, which changes nothing.
        self._tail = dropped[-_TAIL_BYTES:]
        self.start += count
        del self._kept[:count]
