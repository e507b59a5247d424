"""Whose current tab is which."""

from browse.browser.tabs.leases import LAPSES_S, Leases


class Hand:
    def __init__(self) -> None:
        self.now = 5.0

    def __call__(self) -> float:
        return self.now


def test_every_holder_has_a_tab_of_its_own():
    leases = Leases()
    leases.take("one", 1)
    leases.take("two", 2)

    assert (leases.of("one"), leases.of("two"), leases.of("three")) == (1, 2, 0)
    assert leases.other(1, "two") == "one"
    assert leases.other(1, "one") == ""
    assert leases.other(3, "one") == ""


def test_who_is_not_heard_of_for_long_holds_nothing_up():
    hand = Hand()
    leases = Leases(hand)
    leases.take("one", 1)
    hand.now += LAPSES_S - 1
    assert leases.other(1, "two") == "one"

    hand.now += 1

    assert leases.other(1, "two") == ""
    assert leases.of("one") == 1
    assert leases.other(1, "two") == "one"


def test_a_holder_or_a_tab_is_forgotten():
    leases = Leases()
    leases.take("one", 1)
    leases.take("two", 2)
    leases.take("three", 2)

    leases.drop(holder="one")
    leases.drop(tab=2)

    assert [leases.of(name) for name in ("one", "two", "three")] == [0, 0, 0]


def test_all_holders_are_listed_with_how_long_they_have_been_silent():
    hand = Hand()
    leases = Leases(hand)
    leases.take("one", 1)
    hand.now += 30
    leases.take("two", 2)

    assert leases.all() == [("one", 1, 30.0), ("two", 2, 0.0)]
    assert leases.all()[0][2] == 30.0, "to look is no use of a tab"


def test_who_uses_which_tab_is_known():
    leases = Leases()
    leases.take("a", 1)
    leases.take("b", 1)
    leases.take("c", 2)

    assert leases.users(1) == ["a", "b"]
    assert leases.holders() == ["a", "b", "c"]
