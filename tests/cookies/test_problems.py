"""The form of what is wrong with another browser's cookies."""

from browse.cookies.problems import unreadable
from browse.core.errors import Code


def test_a_program_gets_a_word_for_it():
    error = unreadable("db_locked", "It is locked.", "try again")

    assert (error.code, error.facts) == (Code.COOKIE_SOURCE, {"reason": "db_locked"})
    assert (error.message, error.hint) == ("It is locked.", "try again")
