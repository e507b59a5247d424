"""The parsers of settings, apart from the table."""

import pytest

from browse.core.setting_parsers import command_line, number, one_of, secret


def test_a_command_line_is_split_as_a_shell_does():
    assert command_line("'/opt/my agent' --model \"a b\"") == ("/opt/my agent", "--model", "a b")


@pytest.mark.parametrize(
    ("parse", "raw"),
    [(number(2, 5), "6"), (number(2, 5), "³"), (one_of("a"), "b"), (secret, "short")],
)
def test_what_does_not_fit_says_what_would(parse, raw: str):
    with pytest.raises(ValueError, match=r".+"):
        parse(raw)
