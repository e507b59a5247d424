"""Expressions that never end: a real process, which is ended."""

import asyncio

import pytest

from browse.browser.logs import url_filter
from browse.browser.logs.url_filter import FilterFailed, UrlFilter


@pytest.fixture
async def filters():
    made: list[UrlFilter] = []

    async def start(pattern: str) -> UrlFilter:
        made.append(await UrlFilter.start(pattern))
        return made[-1]

    yield start
    for it in made:
        await it.close()


async def test_addresses_match_or_not(filters):
    it = await filters(r"/api/(v\d+|é\n)$")

    matched = [await it.matches(url) for url in ("http://x/api/v12", "http://x/", "/api/é\n", "")]

    assert matched == [True, False, True, False]


async def test_many_at_once_get_their_own_answers(filters):
    it = await filters("even")

    answers = await asyncio.gather(*(it.matches(f"{n} {'even' * (n % 2)}") for n in range(50)))

    assert answers == [n % 2 == 1 for n in range(50)]


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "(a|a)*b", ".*.*.*.*.*.*.*b"])
async def test_one_that_never_ends_is_ended_and_the_loop_goes_on(filters, pattern, monkeypatch):
    it = await filters(pattern)
    monkeypatch.setattr(url_filter, "MATCH_S", 0.2)

    with pytest.raises(FilterFailed):
        await it.matches("a" * 1000 + "!")
    with pytest.raises(FilterFailed):
        await it.matches("")
    assert it._child.ended.done()
