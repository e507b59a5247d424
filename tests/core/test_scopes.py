"""Scopes and surfaces."""

import pytest

from browse.core.scopes import ANYWHERE, NOTHING, Scope, Surface


def test_every_scope_is_in_every():
    assert all(scope in Scope.every() for scope in Scope)


@pytest.mark.parametrize(
    ("scopes", "words"),
    [
        (Scope.READ | Scope.WRITE, "read, write"),
        (Scope.CONTROL, "control"),
        (NOTHING, ""),
    ],
)
def test_scopes_are_spelled_as_in_tokens(scopes, words):
    assert scopes.words() == words


def test_anywhere_is_every_surface():
    assert all(surface in ANYWHERE for surface in Surface)
