"""The settings table."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.core.errors import BrowseError, Code
from browse.core.settings import Settings, load, rows
from support.hostile import any_text, attempt, fuzz

NAMES = [about.env for _, _, about in rows()]


def test_an_empty_environment_gives_the_defaults():
    assert load({}) == Settings()


def test_an_empty_variable_counts_as_not_set():
    assert load(dict.fromkeys(NAMES, "")) == Settings()


def test_no_variable_is_declared_twice():
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("row", rows(), ids=NAMES)
def test_every_setting_has_help_that_is_a_sentence(row):
    _, _, about = row

    assert about.help.endswith(".")


@pytest.mark.parametrize(
    ("name", "raw", "field", "value"),
    [
        ("BROWSE_PORT", "12345", "port", 12_345),
        ("BROWSE_PORT", " 12345 ", "port", 12_345),
        ("BROWSE_PORT", "0", "port", None),
        ("BROWSE_IDLE_TIMEOUT", "0", "idle_timeout_ms", 0),
        ("BROWSE_DEBUG", "Yes", "debug", True),
        ("BROWSE_DEBUG", "off", "debug", False),
        ("CI", "woodpecker", "ci", True),
        ("CI", "false", "ci", False),
        ("CONTAINER", "docker", "container", True),
        ("AUTH_TOKEN", " 0123456789\u200babcdef\n", "auth_token", "0123456789abcdef"),
        ("BROWSE_STATE_FILE", "/x/y.json", "state_file", "/x/y.json"),
        ("all_proxy", "http://proxy:3128", "all_proxy", "http://proxy:3128"),
        ("BROWSE_TUNNEL_PROVIDER", " NGROK ", "tunnel_provider", "ngrok"),
        ("BROWSE_TUNNEL_COMMAND", "a 'b c' {port}", "tunnel_command", ("a", "b c", "{port}")),
        ("BROWSE_TUNNEL_URL_PATTERN", "a(b)", "tunnel_url_pattern", re.compile("a(b)")),
        ("GSTACK_TELEMETRY_OFF", "1", "telemetry_off", True),
        ("BROWSE_JUDGE", "judge --model 'a b'", "judge", ("judge", "--model", "a b")),
    ],
)
def test_a_variable_is_read_into_its_field(name, raw, field, value):
    assert getattr(load({name: raw}), field) == value


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("BROWSE_PORT", "65536"),
        ("BROWSE_PORT", "-1"),
        ("BROWSE_PORT", "8080x"),
        ("BROWSE_PORT", "1e4"),
        ("BROWSE_PORT", "²"),
        ("BROWSE_JUDGE", "judge 'half"),
        ("BROWSE_PORT", "9" * 10_000),
        ("BROWSE_MAX_TABS", "0"),
        ("BROWSE_DEBUG", "maybe"),
        ("AUTH_TOKEN", "short"),
        ("AUTH_TOKEN", "\u200b" * 40),
        ("AUTH_TOKEN", "é" * 20),
        ("BROWSE_READY_FD", "1"),
        ("BROWSE_TUNNEL_PROVIDER", "wormhole"),
        ("BROWSE_TUNNEL_COMMAND", "ssh 'host"),
        ("BROWSE_TUNNEL_COMMAND", "ssh host"),
        ("BROWSE_TUNNEL_URL_PATTERN", "(https"),
    ],
)
def test_a_bad_value_is_refused_by_name(name, raw):
    with pytest.raises(BrowseError, match=f"^{name} must be (?!Exceeds)") as caught:
        load({name: raw})

    assert caught.value.code is Code.SETTING_INVALID
    assert name in caught.value.hint
    assert len(caught.value.message) < 200


def test_bad_values_are_reported_together():
    environ = {"BROWSE_PORT": "x", "BROWSE_MAX_TABS": "y", "BROWSE_DEBUG": "1", "AUTH_TOKEN": "z"}

    with pytest.raises(BrowseError) as caught:
        load(environ)

    assert all(name in caught.value.message for name in ("BROWSE_PORT", "BROWSE_MAX_TABS"))
    assert "unset BROWSE_PORT AUTH_TOKEN BROWSE_MAX_TABS" in caught.value.hint


@pytest.mark.parametrize("name", ["AUTH_TOKEN", "BROWSE_TUNNEL_COMMAND"])
def test_a_bad_secret_is_not_shown(name):
    with pytest.raises(BrowseError) as caught:
        load({name: "hunter2"})

    assert "hunter2" not in caught.value.message + caught.value.hint


@fuzz
@given(st.dictionaries(st.sampled_from(NAMES), any_text, max_size=6))
def test_any_environment_is_read_or_refused(environ):
    loaded = attempt(load, environ)

    if isinstance(loaded, BrowseError):
        assert loaded.code is Code.SETTING_INVALID
        assert loaded.message.isprintable()
    else:
        assert loaded.auth_token == "" or loaded.auth_token.isascii()


def test_word_out_of_a_list_is_taken_in_any_case_and_another_is_refused():
    assert load({"BROWSE_CONTENT_FILTER": " Block "}).content_filter == "block"
    with pytest.raises(BrowseError, match="BROWSE_CONTENT_FILTER must be off or warn or block"):
        load({"BROWSE_CONTENT_FILTER": "maybe"})
