"""The frames between the daemon and the PTY process."""

import pytest

from browse.terminal.pty_frames import (
    INPUT,
    MAX_CELLS,
    MAX_FRAME_BYTES,
    MIN_CELLS,
    SIZE,
    FrameReader,
    frame,
    size_frame,
    size_of,
)


def test_frames_are_read_whole_however_the_stream_is_cut():
    stream = frame(INPUT, b"ls\n") + size_frame(120, 40) + frame(INPUT, b"")
    reader = FrameReader()

    found = [it for at in range(len(stream)) for it in reader.feed(stream[at : at + 1])]

    assert [kind for kind, _ in found] == [INPUT, SIZE, INPUT]
    assert found[0][1] == b"ls\n"
    assert size_of(found[1][1]) == (120, 40)


@pytest.mark.parametrize(("asked", "given"), [(0, MIN_CELLS), (-5, MIN_CELLS), (99_999, MAX_CELLS)])
def test_a_size_is_one_that_programs_can_bear(asked: int, given: int):
    ((_, payload),) = FrameReader().feed(size_frame(asked, asked))

    assert size_of(payload) == (given, given)


def test_what_claims_to_be_endless_is_no_frame():
    with pytest.raises(ValueError, match="not a frame"):
        FrameReader().feed(b"i" + (MAX_FRAME_BYTES + 1).to_bytes(4, "big"))
