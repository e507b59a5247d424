"""The form of what is wrong with another browser's cookies."""

from browse.cookies.problems import NoKey, unreadable
from browse.core.errors import Code


def test_a_program_gets_a_word_and_a_person_the_state():
    error = unreadable("db_locked", "It is locked.", "try again")

    assert (error.code, error.facts) == (Code.COOKIE_SOURCE, {"reason": "db_locked"})
    assert (error.message, error.hint) == ("It is locked. No cookie was imported.", "try again")


def test_a_missing_key_becomes_an_error_only_if_it_is_needed():
    error = NoKey("keychain_denied", "Nobody allowed it.", "allow it").error("a of b: no key")

    assert (error.message, error.page) == (
        "Nobody allowed it. No cookie was imported.",
        "a of b: no key",
    )
    assert error.facts == {"reason": "keychain_denied"}
