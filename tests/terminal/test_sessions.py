"""The terminals of a daemon: granted, kept, taken back."""

import asyncio

import pytest

from browse.core.errors import BrowseError, Code
from browse.terminal.session import CloseCode
from browse.terminal.sessions import MAX_SESSIONS, Terminals
from support.cli import HANG_S
from support.fake_terminals import a_terminal_keeper


@pytest.fixture
async def terminals():
    made = a_terminal_keeper()
    yield made
    await made.close()


async def test_a_ticket_opens_its_terminal_once(terminals: Terminals):
    one, other = terminals.open(), terminals.open()

    assert terminals.claim(other.ticket) is other.session
    assert terminals.claim(one.ticket) is one.session
    assert terminals.claim(one.ticket) is None
    assert terminals.claim("guess") is None


async def test_coming_back_gives_a_new_ticket_for_the_same_terminal(terminals: Terminals):
    first = terminals.open()
    terminals.claim(first.ticket)
    again = terminals.reattach(first.session.name)

    assert again.session is first.session
    assert again.ticket != first.ticket
    assert terminals.claim(again.ticket) is first.session


async def test_a_terminal_that_is_gone_is_not_revived(terminals: Terminals):
    first = terminals.open()
    await terminals.dispose(first.session.name)

    with pytest.raises(BrowseError) as caught:
        terminals.reattach(first.session.name)
    assert caught.value.code is Code.TERMINAL_GONE
    assert terminals.claim(first.ticket) is None


async def test_a_restart_ends_only_the_terminal_that_was_named(terminals: Terminals):
    one, other = terminals.open(), terminals.open()
    await terminals.start(one.session)
    await terminals.start(other.session)
    fresh = await terminals.restart(one.session.name)

    assert one.session.ended.done()
    assert not other.session.ended.done()
    assert fresh.session is not one.session
    assert not fresh.session.is_started


async def test_nothing_runs_before_a_viewer_wants_it(terminals: Terminals):
    grant = terminals.open()
    assert not terminals.are_used

    await asyncio.gather(*(terminals.start(grant.session) for _ in range(5)))
    assert terminals.are_used


async def test_a_lease_that_ends_takes_the_terminal_along():
    terminals = a_terminal_keeper(pty_detach_ms=100)
    grant = terminals.open()
    await terminals.start(grant.session)
    async with asyncio.timeout(HANG_S):
        await grant.session.ended

    assert grant.session._closing[0] == CloseCode.EXPIRED
    with pytest.raises(BrowseError):
        terminals.reattach(grant.session.name)
    assert not terminals.are_used
    await terminals.close()


async def test_there_are_only_so_many_and_idle_ones_make_room(terminals: Terminals):
    idle = terminals.open()
    for _ in range(MAX_SESSIONS - 1):
        await terminals.start(terminals.open().session)
    last = terminals.open()
    await terminals.start(last.session)

    with pytest.raises(BrowseError) as caught:
        terminals.open()
    assert caught.value.code is Code.RATE_LIMITED
    with pytest.raises(BrowseError):
        terminals.reattach(idle.session.name)


async def test_the_end_of_the_daemon_ends_all(terminals: Terminals):
    grants = [terminals.open() for _ in range(3)]
    for grant in grants:
        await terminals.start(grant.session)
    await terminals.close()

    assert all(grant.session.ended.done() for grant in grants)
