"""What the daemon sends to the PTY process on its stdin: a letter, a length, and so many bytes.

What comes back on its stdout is not framed: it is what the program printed, byte for byte. It is
imported by the PTY process, so it imports next to nothing.
"""

import struct

INPUT, SIZE, REDRAW = b"i", b"s", b"r"
MIN_CELLS, MAX_CELLS = 2, 1_000
_HEAD = struct.Struct(">cI")
_SIZE = struct.Struct(">HH")
# Larger than anything the daemon sends: what claims to be longer is no frame of ours.
MAX_FRAME_BYTES = 4 * 1024 * 1024


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    """Encode a frame."""
    return _HEAD.pack(kind, len(payload)) + payload


def size_frame(columns: int, rows: int) -> bytes:
    """Encode a new size, within what programs can bear."""
    return frame(SIZE, _SIZE.pack(within(columns), within(rows)))


def within(cells: int) -> int:
    """Return a number of columns or rows that a terminal may have."""
    return max(MIN_CELLS, min(MAX_CELLS, cells))


def size_of(payload: bytes) -> "tuple[int, int]":
    """Decode a size: columns, rows."""
    columns, rows = _SIZE.unpack(payload)
    return columns, rows


class FrameReader:
    """Puts frames together from pieces of a stream."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, piece: bytes) -> "list[tuple[bytes, bytes]]":
        """Return the frames that are complete now; raise ValueError for what is no frame."""
        self._rest += piece
        found = []
        while len(self._rest) >= _HEAD.size:
            kind, length = _HEAD.unpack_from(self._rest)
            if length > MAX_FRAME_BYTES:
                raise ValueError("not a frame")
            end = _HEAD.size + length
            if len(self._rest) < end:
                break
            found.append((kind, bytes(self._rest[_HEAD.size : end])))
            del self._rest[:end]
        return found
