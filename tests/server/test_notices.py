"""What the daemon says without being asked."""

from browse.server.notices import MAX_NOTICES, Notices


def test_a_line_is_told_once_and_in_order():
    notices = Notices()
    for line in ("a", "b", "a"):
        notices.add(line)

    assert notices.take() == ["a", "b"]
    assert notices.take() == []


def test_of_too_many_the_newest_are_kept():
    notices = Notices()
    for number in range(MAX_NOTICES + 1):
        notices.add(str(number))

    assert notices.take()[0] == "1"
