"""The address in replies: named when the caller does not know it, and only then."""

import pytest

from browse.browser.tabs.refs import MAX_CALLERS
from browse.core.scopes import Scope
from browse.dispatch.known_address import is_known, remember_shown, url_if_known
from browse.registry.results import PageText, Text
from support.fakes import FakeTab, a_caller, a_runner, a_spec, run

HERE, THERE = "https://a.example/", "https://b.example/"


@pytest.fixture
def tab() -> FakeTab:
    return FakeTab(1, HERE)


def test_nobody_knows_an_address_before_a_reply(tab):
    assert url_if_known(tab, "me", PageText("words", HERE)) == ""


@pytest.mark.parametrize(
    "result",
    [Text(f"Navigated to {HERE} (200)"), Text(f"Clicked @e1 → now at {HERE}\nTab 3 was opened")],
    ids=["goto", "click"],
)
def test_an_address_in_our_own_words_is_known_from_then_on(tab, result):
    assert url_if_known(tab, "me", result) == HERE
    assert is_known(tab, "me")


@pytest.mark.parametrize(
    "result",
    [PageText(f"you are at {HERE}", THERE), Text(f"Opened {HERE}more"), Text("x", page=HERE)],
    ids=["page words", "another address", "page words below"],
)
def test_other_words_do_not_count(tab, result):
    assert url_if_known(tab, "me", result) == ""
    remember_shown(tab, "me", result)
    assert not is_known(tab, "me")


def test_an_envelope_tells_its_source(tab):
    remember_shown(tab, "me", PageText("words", HERE))

    assert is_known(tab, "me")
    assert not is_known(tab, "you")


def test_a_tab_that_moved_on_is_not_known(tab):
    remember_shown(tab, "me", PageText("words", HERE))
    tab.url = THERE

    assert url_if_known(tab, "me", PageText("words", THERE)) == ""


def test_only_the_last_callers_are_kept(tab):
    for number in range(MAX_CALLERS + 5):
        remember_shown(tab, f"caller {number}", PageText("words", HERE))

    assert len(tab.known_urls) == MAX_CALLERS
    assert not is_known(tab, "caller 0")


async def reading(ctx) -> PageText:
    return PageText("words", ctx.tab.url)


async def test_a_reply_names_an_address_once_and_again_when_it_has_changed(tab):
    runner = a_runner(a_spec(reading), tabs=(tab,))

    first, second = [(await run(runner, "act"))[0] for _ in range(2)]
    tab.url = THERE
    third = (await run(runner, "act"))[0]

    assert first.startswith(f"--- page {HERE} [")
    assert second.startswith("--- page [")
    assert third.startswith(f"--- page {THERE} [")


@pytest.mark.parametrize("name", ["agent", "skill:prices"])
async def test_who_is_not_the_owner_gets_the_long_form(tab, name):
    caller = a_caller(Scope.READ, name=name)
    runner = a_runner(a_spec(reading), tabs=(tab,))

    said = [(await run(runner, "act", caller=caller))[0] for _ in range(2)]

    begin = f"--- BEGIN UNTRUSTED EXTERNAL CONTENT (source: {HERE}) ["
    assert [text.startswith(begin) for text in said] == [True, True]
