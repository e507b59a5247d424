"""The terms of a token."""

import pytest
from msgspec.structs import replace

from browse.auth.terms import TabPolicy, Terms, client_name
from browse.core.errors import Usage
from browse.core.scopes import Scope

WIDE = Terms("codex", Scope.READ | Scope.WRITE, tabs=TabPolicy.SHARED, rate=0)


@pytest.mark.parametrize(
    "narrower",
    [
        replace(WIDE, scopes=Scope.READ),
        replace(WIDE, scopes=Scope.READ | Scope.ADMIN),
        replace(WIDE, domains=("example.com",), tabs=TabPolicy.OWN_ONLY),
        replace(WIDE, tabs=TabPolicy.OWN_ONLY),
        replace(WIDE, rate=10),
    ],
    ids=["scopes", "other-scopes", "domains", "tabs", "rate"],
)
def test_terms_that_take_something_away(narrower):
    assert narrower.reduces(WIDE)
    assert narrower.reduces(narrower) is False


def test_whoever_may_use_all_tabs_cannot_be_kept_to_some_domains():
    with pytest.raises(Usage, match="all tabs"):
        replace(WIDE, domains=("example.com",))


def test_terms_that_give_more_or_the_same():
    narrow = Terms("codex", Scope.READ, ("a.com",), rate=5)

    assert not WIDE.reduces(WIDE)
    assert not WIDE.reduces(narrow)
    assert not replace(narrow, domains=("a.com", "b.com")).reduces(narrow)
    assert replace(narrow, domains=("b.com",)).reduces(narrow)


@pytest.mark.parametrize("name", ["codex", "Codex 2", "ada@laptop", "a", "x" * 64])
def test_a_plain_name_is_taken(name):
    assert client_name(f" {name} ") == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "root",
        "Root",
        " ROOT ",
        "\uff52\uff4f\uff4f\uff54",
        "a\nb",
        "a\x00",
        "x" * 65,
        "x" * 10_240,
        "../x",
        "skill:x:1",
        "caf\u00e9",
        "-x",
        "a\u202eb",
    ],
    ids=ascii,
)
def test_any_other_name_is_refused_and_not_quoted(name):
    with pytest.raises(Usage) as caught:
        client_name(name)

    assert len(caught.value.message) < 200
    assert "\n" not in caught.value.message
