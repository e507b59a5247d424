"""The parsers of settings, apart from the table."""

import pytest

from browse.core.setting_parsers import (
    browser_address,
    browser_port,
    command_line,
    number,
    one_of,
    secret,
)
from support.programs import a_program


def test_the_path_of_a_program_is_not_split(tmp_path):
    program = a_program(tmp_path / "my agent")

    assert command_line(str(program)) == (str(program),)
    assert command_line(f"'{program}' --now") == (str(program), "--now")


def test_a_command_line_is_split_as_a_shell_does():
    assert command_line("'/opt/my agent' --model \"a b\"") == ("/opt/my agent", "--model", "a b")


@pytest.mark.parametrize(
    ("parse", "raw"),
    [(number(2, 5), "6"), (number(2, 5), "³"), (one_of("a"), "b"), (secret, "short")],
)
def test_what_does_not_fit_says_what_would(parse, raw: str):
    with pytest.raises(ValueError, match=r".+"):
        parse(raw)


@pytest.mark.parametrize(
    ("raw", "address"),
    [
        ("9222", "http://127.0.0.1:9222"),
        ("extension", "extension"),
        ("http://localhost:9222/", "http://localhost:9222"),
        ("wss://grid.example/chrome?key=k", "wss://grid.example/chrome?key=k"),
    ],
)
def test_a_browser_is_named_by_port_or_address(raw: str, address: str):
    assert browser_address(raw) == address


@pytest.mark.parametrize(
    "raw", ["0", "99999", "localhost:9222", "ftp://a", "http://", "ws://a b", "http://a:x"]
)
def test_what_names_no_browser_is_refused(raw: str):
    with pytest.raises(ValueError, match="port"):
        browser_address(raw)


def test_a_port_of_this_machine_names_a_browser():
    assert browser_port("9222") == "http://127.0.0.1:9222"
    with pytest.raises(ValueError, match="whole number"):
        browser_port("70000")
