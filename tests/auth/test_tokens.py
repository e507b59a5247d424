"""Tokens: made, recognised, exchanged, revoked."""

import uuid
from datetime import UTC, datetime

import pytest

from browse.auth.terms import TabPolicy, Terms
from browse.auth.tokens import SESSION_S, SETUP_S, TokenKind, Tokens, new_root_token
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope

TERMS = Terms("codex", Scope.READ | Scope.WRITE)


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def tokens(hand) -> Tokens:
    return Tokens("the-owners-token", clock=hand)


def refused(tokens: Tokens, key: str) -> bool:
    with pytest.raises(BrowseError) as caught:
        tokens.exchange(key)
    assert not key or key not in caught.value.message
    return caught.value.code is Code.UNAUTHENTICATED


def test_the_owners_own_token_is_used():
    assert new_root_token("chosen-by-the-owner") == "chosen-by-the-owner"


def test_without_one_every_daemon_has_another():
    one, two = new_root_token(""), new_root_token("")

    assert one != two
    assert uuid.UUID(one).version == 4


def test_only_the_whole_root_token_is_the_owners(tokens):
    assert tokens.is_root("the-owners-token")
    assert not any(map(tokens.is_root, ["", "the-owners-toke", "the-owners-token ", "\ud800"]))
    assert tokens.find("the-owners-token") is None


def test_a_token_is_recognised_by_its_whole_and_kept_as_a_hash(tokens):
    issued = tokens.issue(TokenKind.SESSION, TERMS)

    assert issued.token.startswith("gsk_sess_")
    assert len(issued.token) == len("gsk_sess_") + 48
    assert tokens.find(issued.token) is issued.grant
    assert tokens.find(issued.token[:-1]) is None
    assert issued.token not in repr(vars(tokens))
    assert issued.token[9:] not in repr(vars(tokens))


def test_a_set_up_key_becomes_a_token_once(tokens):
    key, revoked = tokens.invite(TERMS)

    issued = tokens.exchange(key.token)

    assert revoked is None
    assert key.token.startswith("gsk_setup_")
    assert tokens.find(issued.token).terms == TERMS
    assert refused(tokens, key.token)


def test_a_set_up_key_is_good_for_nothing_else(tokens):
    key, _ = tokens.invite(TERMS)

    assert tokens.find(key.token) is None
    assert not tokens.is_root(key.token)


def test_a_token_is_no_set_up_key(tokens):
    issued = tokens.issue(TokenKind.SESSION, TERMS)

    assert refused(tokens, issued.token)
    assert refused(tokens, "the-owners-token")
    assert refused(tokens, "")


def test_a_set_up_key_ends_after_five_minutes(tokens, hand):
    key, _ = tokens.invite(TERMS)
    hand.now += SETUP_S

    assert refused(tokens, key.token)
    assert tokens.agents() == []


def test_a_token_ends_after_a_day_and_its_client_is_let_go(tokens, hand):
    gone: list[str] = []
    tokens.on_revoked(gone.append)
    issued = tokens.issue(TokenKind.SESSION, TERMS)
    hand.now += SESSION_S - 1
    assert tokens.find(issued.token)

    hand.now += 1

    assert tokens.find(issued.token) is None
    assert gone == ["codex"]


def test_the_token_of_a_paired_client_ends_a_day_after_its_last_use(tokens, hand):
    key, _ = tokens.invite(TERMS)
    issued = tokens.exchange(key.token)
    first = issued.grant.expires
    for _ in range(3):
        hand.now += SESSION_S - 1
        assert tokens.find(issued.token)
    assert issued.grant.expires > first

    hand.now += SESSION_S

    assert tokens.find(issued.token) is None


def test_a_wall_clock_that_jumps_changes_nothing(tokens, hand, monkeypatch):
    issued = tokens.issue(TokenKind.SESSION, TERMS)
    before = issued.grant.expires

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2099, 1, 1, tzinfo=UTC)

    monkeypatch.setattr("browse.auth.tokens.datetime", Later)

    assert tokens.find(issued.token)
    assert issued.grant.expires == before


def test_one_that_never_ends(tokens, hand):
    issued = tokens.issue(TokenKind.SESSION, TERMS, life_s=None)
    hand.now += 10 * 365 * 86_400

    assert tokens.find(issued.token)
    assert issued.grant.expires is None


def test_a_client_has_one_token(tokens):
    first = tokens.issue(TokenKind.SESSION, TERMS)
    second = tokens.issue(TokenKind.SESSION, TERMS)

    assert tokens.find(first.token) is None
    assert tokens.find(second.token)


@pytest.mark.parametrize(("scopes", "ended"), [(Scope.META, ["codex"]), (TERMS.scopes, [])])
def test_a_token_for_less_ends_what_its_client_runs(tokens, scopes, ended):
    gone: list[str] = []
    tokens.on_revoked(gone.append)
    tokens.issue(TokenKind.SESSION, TERMS)

    tokens.issue(TokenKind.SESSION, Terms("codex", scopes))

    assert gone == ended


def test_pairing_again_for_the_same_or_more_keeps_the_token_until_the_exchange(tokens):
    held = tokens.issue(TokenKind.SESSION, TERMS)
    first, _ = tokens.invite(TERMS)

    key, revoked = tokens.invite(Terms("codex", TERMS.scopes | Scope.ADMIN))

    assert revoked is None
    assert tokens.find(held.token)
    assert refused(tokens, first.token)
    tokens.exchange(key.token)
    assert tokens.find(held.token) is None


def test_pairing_again_for_less_ends_the_token_at_once(tokens):
    gone: list[str] = []
    tokens.on_revoked(gone.append)
    held = tokens.issue(TokenKind.SESSION, Terms("codex", TERMS.scopes, tabs=TabPolicy.SHARED))

    key, revoked = tokens.invite(TERMS)

    assert revoked == 1
    assert gone == ["codex"]
    assert tokens.find(held.token) is None
    assert tokens.exchange(key.token)


def test_revoking_ends_everything_of_that_client_and_of_no_other(tokens):
    gone: list[str] = []
    tokens.on_revoked(gone.append)
    mine = tokens.issue(TokenKind.SESSION, TERMS)
    other = tokens.issue(TokenKind.SESSION, Terms("other"))
    key, _ = tokens.invite(TERMS)

    assert tokens.revoke("codex") == 2
    assert tokens.revoke("codex") == 0
    assert tokens.revoke("nobody") == 0

    assert gone == ["codex"]
    assert tokens.find(mine.token) is None
    assert refused(tokens, key.token)
    assert tokens.find(other.token)


def test_who_has_a_token_is_listed_without_it(tokens):
    tokens.issue(TokenKind.SESSION, TERMS)
    tokens.invite(Terms("new"))

    listed = tokens.agents()

    assert [(grant.terms.client, grant.kind) for grant in listed] == [
        ("codex", TokenKind.SESSION),
        ("new", TokenKind.SETUP),
    ]
    assert "gsk_sess_" not in repr(listed).replace("Kind.SESSION: 'gsk_sess_'", "")
