"""What is kept of a terminal's output, and what a viewer that comes back is sent."""

from browse.terminal.scrollback import SOFT_RESET, Scrollback, TerminalModes


def filled(limit: int, *pieces: bytes) -> Scrollback:
    kept = Scrollback(limit)
    for piece in pieces:
        kept.add(piece)
    return kept


def test_the_oldest_bytes_make_room_and_places_stay():
    kept = filled(10, b"0123456789", b"abcde")

    assert (kept.start, kept.end) == (5, 15)
    assert kept.since(0, 100) == b"56789abcde"
    assert kept.since(12, 2) == b"cd"
    assert kept.since(15, 100) == b""


def test_a_single_piece_that_is_too_large_leaves_its_end():
    assert filled(4, b"0123456789").since(0, 100) == b"6789"


def test_a_replay_of_everything_is_everything():
    assert filled(100, b"a\r\nb").replay() == SOFT_RESET + b"a\r\nb"


def test_a_replay_begins_with_a_whole_line():
    assert filled(8, "old ä\nnew\n".encode()).replay() == SOFT_RESET + b"new\n"


def test_a_replay_without_lines_begins_at_an_escape():
    assert filled(9, b"xxxx\x1b[31mred").replay() == SOFT_RESET + b"\x1b[31mred"


def test_modes_outlast_the_bytes_that_switched_them_on():
    kept = filled(6, b"\x1b[?1049h\x1b[?1;2004h\x1b[?25l", b"0123456789\n\n12345")

    assert kept.replay() == SOFT_RESET + (
        b"\x1b[?1h\x1b[?1049h\x1b[?2004h\x1b[?25l" + b"\n12345"[1:]
    )


def test_a_switch_that_is_cut_by_the_edge_counts():
    kept = filled(7, b"text\x1b[?1049habc\nd")

    assert kept.replay() == SOFT_RESET + b"\x1b[?1049h" + b"d"
    assert kept.is_alternate()


def test_a_switch_off_is_followed_too():
    kept = filled(4, b"\x1b[?1049h" + b"x" * 100 + b"\x1b[?1049l" + b"\nabc")

    assert kept.replay() == SOFT_RESET + b"abc"
    assert not kept.is_alternate()


def test_a_screen_is_alternate_from_its_switch_on():
    kept = filled(100, b"$ vi\r\n\x1b[?1049h")

    assert kept.is_alternate()
    # The switch itself is kept, so it is not sent a second time before what came before it.
    assert kept.replay().count(b"\x1b[?1049h") == 1


def test_a_full_reset_switches_everything_off():
    modes = TerminalModes()
    modes.feed(b"\x1b[?1000;1006h\x1b[?25l\x1bc")

    assert modes.sequence() == b""


def test_what_looks_like_a_switch_and_is_none_is_left_alone():
    modes = TerminalModes()
    modes.feed(b"\x1b[?;;h\x1b[?9999h\x1b[?" + b"9" * 5000 + b"h\xff\xfe")

    assert modes.sequence() == b""
