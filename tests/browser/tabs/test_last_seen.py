"""What callers have seen last."""

from browse.browser.tabs.last_seen import MAX_CALLERS, MAX_WARNED_LINES, LastSeen, WarnedLines


def test_each_caller_gets_what_it_saw_itself():
    seen: LastSeen[str] = LastSeen()

    assert seen.add("one", "a") is None
    assert seen.add("two", "b") is None
    assert seen.add("one", "c") == "a"
    assert seen.add("two", "d") == "b"


def test_a_continued_reply_is_compared_with_what_was_before_it():
    seen: LastSeen[str] = LastSeen()
    seen.add("one", "a")

    assert seen.add("one", "b") == "a"
    assert seen.add("one", "b", again=True) == "a"
    assert seen.add("one", "b", again=True) == "a"
    assert seen.add("one", "c") == "b"


def test_the_callers_that_came_first_are_forgotten():
    seen: LastSeen[str] = LastSeen()
    for number in range(MAX_CALLERS + 1):
        seen.add(str(number), "x")

    assert seen.add("0", "y") is None
    assert seen.add(str(MAX_CALLERS), "y") == "x"


def test_lines_that_a_caller_was_warned_of_are_those_of_one_document():
    warned = WarnedLines()
    warned.of("one", 1).update({5, 6})

    assert warned.of("one", 1) == {5, 6}
    assert warned.of("two", 1) == set()
    assert warned.of("one", 2) == set()
    assert warned.of("one", 1) == set()


def test_of_too_many_lines_is_warned_again():
    warned = WarnedLines()
    warned.of("one", 1).update(range(MAX_WARNED_LINES + 1))

    assert warned.of("one", 1) == set()


def test_the_callers_that_were_warned_first_are_forgotten():
    warned = WarnedLines()
    for number in range(MAX_CALLERS + 1):
        warned.of(str(number), 1).add(number)

    assert warned.of("0", 1) == set()
    assert warned.of(str(MAX_CALLERS), 1) == {MAX_CALLERS}
