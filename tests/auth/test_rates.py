"""Buckets."""

import pytest

from browse.auth.rates import Bucket, Rates
from browse.core.errors import BrowseError, Code


class Hand:
    def __init__(self) -> None:
        self.now = 5.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_what_it_holds_and_then_what_drips_in():
    hand = Hand()
    bucket = Bucket(3, 2, hand)

    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]
    hand.now += 0.5
    assert [bucket.take(), bucket.take()] == [0, 0.5]
    hand.now += 100
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]


def test_every_client_has_a_bucket_of_its_own():
    hand = Hand()
    rates = Rates(hand)
    rates.admit("a", 1)
    rates.admit("b", 1)

    with pytest.raises(BrowseError) as caught:
        rates.admit("a", 1)

    assert caught.value.code is Code.RATE_LIMITED
    assert caught.value.hint == "retry after 1000 ms"
    rates.forget("a")
    rates.admit("a", 1)


def test_a_client_without_a_limit_is_never_refused():
    rates = Rates(lambda: 0.0)

    for _ in range(1000):
        rates.admit("a", 0)


def test_a_new_limit_holds_at_once():
    rates = Rates(lambda: 0.0)
    rates.admit("a", 100)
    rates.admit("a", 1)

    with pytest.raises(BrowseError):
        rates.admit("a", 1)
