"""Who is asking."""

import uuid

import pytest
from hypothesis import given

from browse.auth.caller import ROOT, bearer, new_root_token, same_secret
from browse.core.scopes import Scope, Surface
from support.hostile import any_text, fuzz


def test_the_owner_may_do_everything_on_this_machine_only():
    assert ROOT.scopes == Scope.every()
    assert ROOT.surface is Surface.LOCAL


def test_the_owners_own_token_is_used():
    assert new_root_token("chosen-by-the-owner") == "chosen-by-the-owner"


def test_without_one_every_daemon_has_another():
    one, two = new_root_token(""), new_root_token("")

    assert one != two
    assert uuid.UUID(one).version == 4


@pytest.mark.parametrize(
    ("header", "token"),
    [
        ("Bearer abc", "abc"),
        ("bearer abc", "abc"),
        ("BEARER  abc ", "abc"),
        ("Basic abc", ""),
        ("Bearer", ""),
        ("Bearer ", ""),
        ("abc", ""),
        ("", ""),
        (" Bearer abc", ""),
    ],
)
def test_the_token_is_taken_from_a_bearer_header(header, token):
    assert bearer(header) == token


@fuzz
@given(any_text, any_text)
def test_secrets_are_the_same_only_if_they_are_equal(one, two):
    assert same_secret(one, one)
    if "?" not in one + two:  # half a character is compared as a question mark
        assert same_secret(one, two) is (
            one.encode("utf-8", "replace") == two.encode("utf-8", "replace")
        )
