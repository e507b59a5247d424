"""Consent to pairing: one way to say yes, every other way is no."""

import pytest

from browse.core.consent import to_pairing
from browse.core.paths import Paths
from browse.core.settings import Settings


@pytest.fixture
def home(tmp_path):
    return tmp_path


def asked(home, env: str = "") -> tuple[bool, str]:
    consent = to_pairing(Settings(pair_agent=env), Paths(home / "browse.json", home))
    return consent.given, consent.source


def test_nobody_has_agreed_by_default(home):
    assert asked(home) == (False, "nowhere")


@pytest.mark.parametrize(
    ("env", "given"),
    [("on", True), (" ON ", True), ("off", False), ("1", False), ("true", False), ("onn", False)],
)
def test_the_environment_wins(home, env, given):
    (home / "config.yaml").write_text(f"pair_agent: {'off' if given else 'on'}\n")

    assert asked(home, env) == (given, "GSTACK_PAIR_AGENT")


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("pair_agent: on", True),
        ("pair_agent: 'on' # for Tuesday", True),
        ("pair_agent: off\npair_agent: on", True),
        ("pair_agent: on\npair_agent: off", False),
        ("pair_agent: true", False),
        ("pair_agent:", False),
        ("pair_agent: on off", False),
    ],
)
def test_the_configuration_decides_next(home, text, given):
    (home / "config.yaml").write_text(text)
    (home / "config.json").write_text(f'{{"pair_agent": "{"off" if given else "on"}"}}')

    assert asked(home) == (given, "config.yaml")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"pair_agent": "on"}', (True, "config.json")),
        ('{"pair_agent": "off"}', (False, "config.json")),
        ('{"pair_agent": true}', (False, "config.json")),
        ('{"other": "on"}', (False, "config.json")),
        ('["pair_agent"]', (False, "config.json")),
        ('{"pair_agent": "on"', (False, "config.json is not JSON")),
        ("[" * 100_000, (False, "config.json is not JSON")),
    ],
)
def test_the_old_configuration_comes_last(home, text, answer):
    (home / "config.yaml").write_text("telemetry: off\n")
    (home / "config.json").write_text(text)

    assert asked(home) == answer


def test_a_configuration_that_cannot_be_read_is_no(home):
    (home / "config.yaml").mkdir()
    (home / "config.json").write_text('{"pair_agent": "on"}')

    assert asked(home) == (False, "config.yaml cannot be read: Is a directory")
