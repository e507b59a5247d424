"""Output of programs, split into lines that are safe to show."""

import re

MAX_LINE_BYTES = 4096
_LINE_END = re.compile(rb"[\r\n]+")
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Lines:
    """Splits a stream into whole lines; drops the excess of a line that is too long."""

    def __init__(self) -> None:
        self._part = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        *whole, part = _LINE_END.split(chunk)
        if whole:
            whole[0] = self._part + whole[0]
            self._part = b""
        self._part = (self._part + part)[:MAX_LINE_BYTES]
        return [line for line in whole if line]

    def rest(self) -> list[bytes]:
        """Return the last line, if it has no line end."""
        part, self._part = self._part, b""
        return [part] if part else []


def words(line: bytes) -> str:
    """Return the text of a line, without colours and control characters."""
    text = _COLOUR.sub("", line[:MAX_LINE_BYTES].decode("utf-8", "replace"))
    return "".join(char if char.isprintable() else " " for char in text).rstrip()
