"""The memory of what happened."""

from browse.browser.logs.ring_buffer import Ring


def test_the_newest_entries_are_kept_in_order():
    ring: Ring[int] = Ring(lambda _: 1, max_entries=3)

    for number in range(5):
        ring.add(number)

    assert list(ring) == [2, 3, 4]
    assert (len(ring), ring.total, ring.bytes) == (3, 5, 3)


def test_heavy_entries_make_older_ones_go():
    ring: Ring[str] = Ring(len, max_bytes=10)

    for word in ("aaaa", "bbbb", "cccc"):
        ring.add(word)

    assert list(ring) == ["bbbb", "cccc"]
    assert ring.bytes == 8


def test_an_entry_that_is_too_heavy_alone_is_not_kept():
    ring: Ring[str] = Ring(len, max_bytes=3)

    ring.add("aaaa")

    assert (list(ring), ring.bytes, ring.total) == ([], 0, 1)


def test_clearing_forgets_the_entries_but_not_how_many_there_were():
    ring: Ring[int] = Ring(lambda _: 1)
    ring.add(1)

    ring.clear()
    ring.add(2)

    assert (list(ring), ring.total, ring.bytes) == ([2], 2, 1)


def test_an_entry_keeps_its_number_whatever_comes_or_goes():
    ring: Ring[str] = Ring(lambda _: 1, max_entries=2)
    for word in "abc":
        ring.add(word)

    assert ring.numbered() == [(2, "b"), (3, "c")]
    ring.clear()
    assert (ring.numbered(), ring.oldest) == ([], 4)
    ring.add("d")
    assert (ring.numbered(), ring.oldest) == ([(4, "d")], 4)


def test_entries_may_come_while_it_is_read():
    ring: Ring[int] = Ring(lambda _: 1)
    ring.add(1)

    for number in ring:
        ring.add(number + 1)

    assert len(ring) == 2
