"""Flags that commands have without declaring them."""

import pytest

from browse.registry.shared_flags import ACTING, COMMON, is_flag, shared_flags
from support.fakes import a_spec


def test_commands_that_act_have_flags_of_their_own():
    assert shared_flags(a_spec()) == COMMON
    assert shared_flags(a_spec(acts=True)) == (*ACTING, *COMMON)


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        *((flag, True) for flag in ("--json", "-i", "-ic", "--", "--tea leaves")),
        *((other, False) for other in ("-", "-5", "- tea", "-\ttea", "---")),
    ],
)
def test_a_dash_makes_a_flag_but_for_numbers_stdin_and_texts(word, is_one):
    assert is_flag(word) is is_one
