"""What others did in a tab is said, and what the same agent did is not."""

from itertools import count

import pytest
from msgspec.structs import replace

from browse.auth.caller import ROOT, Caller
from browse.auth.origins import Process
from browse.browser.tabs.deeds import ALL_TABS, MOVED, Deeds

CLIENTS = count(1000)


def client(*above: int, agent: str = "") -> Caller:
    """A new client, run by these processes."""
    chain = (*above, next(CLIENTS)) if above else ()
    return replace(ROOT, agent=agent, origin=tuple(Process(pid, name=f"p{pid}") for pid in chain))


@pytest.fixture
def deeds() -> Deeds:
    return Deeds()


def test_an_agent_with_a_new_shell_for_each_command_is_one_caller(deeds):
    for shell in range(20, 40):
        assert deeds.add(client(1, 2, shell), "goto", 1, changes=True) == []


def test_two_agents_without_names_are_told_of_each_other_once(deeds):
    deeds.add(client(1, 2, 10), "goto", 1, changes=True)
    assert deeds.add(client(1, 3, 11), "goto", 1, changes=True) == []  # it comes first

    (told,) = deeds.add(client(1, 2, 12), "text", 1, changes=False)

    assert told.startswith(
        "since your last command, another program (p3, pid 3) ran `goto` in tab 1"
    )
    assert "BROWSE_AGENT=<name>" in told
    assert deeds.add(client(1, 2, 13), "text", 1, changes=False) == []
    assert deeds.add(client(1, 3, 14), "text", 1, changes=False) == []  # the other only looked


def test_steps_of_two_chains_in_one_shell_are_told_apart(deeds):
    one, two = client(1, 2), client(1, 2)
    deeds.add(one, "goto", 1, changes=True)
    deeds.add(two, "goto", 1, changes=True)

    assert "another program (p" in deeds.add(one, "text", 1, changes=False)[0]


def test_a_named_agent_is_named_and_only_tabs_that_concern_the_caller_count(deeds):
    deeds.add(client(agent="ada"), "goto", 1, changes=True)
    deeds.add(client(agent="grace"), "goto", 2, changes=True)
    assert deeds.add(client(agent="ada"), "text", 1, changes=False) == []

    deeds.add_silent(client(agent="grace"), "closetab", 1)

    told = deeds.add(client(agent="ada"), "text", 3, changes=False)
    assert told == ["since your last command, grace ran `closetab` in tab 1"]


def test_another_current_tab_and_a_change_of_all_tabs_are_told(deeds):
    deeds.add(client(1, 2, 10), "goto", 1, changes=True)
    deeds.add_silent(client(1, 3, 11), MOVED, 2)
    deeds.add_silent(client(1, 2, 15), MOVED, 2)  # which does not count as being told
    (told,) = deeds.add(client(1, 2, 12), "text", 2, changes=False)
    assert "(p3, pid 3) made tab 2 current" in told

    deeds.add_silent(client(1, 3, 13), "state load", ALL_TABS)
    (told,) = deeds.add(client(1, 2, 14), "url", 5, changes=False)
    assert "ran `state load` in all tabs" in told


def test_what_came_from_nowhere_is_nobodys(deeds):
    deeds.add(client(1, 2, 10), "goto", 1, changes=True)
    deeds.add(client(), "goto", 1, changes=True)

    assert deeds.add(client(1, 2, 11), "text", 1, changes=False) == []
