import stat

import pytest

from browse.core.errors import BrowseError, Code
from browse.core.launching import start_options
from browse.core.settings import load

LOGIN = "socks5://ada:secret@h:1"


def test_only_variables_with_a_flag_are_options():
    text = f"BROWSE_PROXY_URL={LOGIN}\nAUTH_TOKEN=x\nBROWSE_PROXY_PASS=y\nnonsense"

    assert start_options.parse(text) == {"BROWSE_PROXY_URL": LOGIN}


def test_options_are_kept_privately_until_they_are_forgotten(tmp_path):
    note = tmp_path / "note"
    start_options.keep(note, {"BROWSE_PROXY_URL": LOGIN})

    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert start_options.kept(note) == {"BROWSE_PROXY_URL": LOGIN}
    start_options.forget(note)
    assert start_options.kept(note) == {}


def test_given_options_win_over_the_environment():
    settings = load({"BROWSE_PROXY_URL": "http://env"}, {"BROWSE_PROXY_URL": LOGIN})

    assert str(settings.proxy) == "socks5://h:1"


def test_a_bad_option_is_named_by_its_flag_and_not_quoted():
    with pytest.raises(BrowseError, match=r"^--proxy must be an address") as raised:
        load({}, {"BROWSE_PROXY_URL": "ftp://ada:secret@h"})

    assert "secret" not in raised.value.message + raised.value.hint
    assert "unset" not in raised.value.hint


@pytest.mark.parametrize("text", ["", f"BROWSE_PROXY_URL={LOGIN}"])
def test_a_running_daemon_takes_its_own_options(text):
    start_options.check(text, load({"BROWSE_PROXY_URL": LOGIN}))


@pytest.mark.parametrize(
    ("has", "asked", "said"),
    [
        (LOGIN, "http://other", "has --proxy socks5://h:1;"),
        (LOGIN, "off", "has --proxy socks5://h:1;"),
        (LOGIN, "socks5://ada:other@h:1", "the same --proxy, with another login"),
        ("", LOGIN, "has no --proxy"),
        ("off", LOGIN, "has no --proxy"),
    ],
)
def test_a_running_daemon_refuses_other_options_and_says_to_restart(has, asked, said):
    with pytest.raises(BrowseError) as raised:
        start_options.check(f"BROWSE_PROXY_URL={asked}", load({"BROWSE_PROXY_URL": has}))

    assert raised.value.code is Code.STARTED_OTHERWISE
    assert said in raised.value.message
    assert "browse restart" in raised.value.hint
    assert "secret" not in raised.value.message + raised.value.hint


def test_a_running_daemon_says_what_is_wrong_with_an_option():
    with pytest.raises(BrowseError, match="--proxy must be an address that begins with") as raised:
        start_options.check("BROWSE_PROXY_URL=ftp://ada:secret@h", load({}))

    assert raised.value.code is Code.USAGE
    assert "secret" not in raised.value.message


def test_secrets_are_kept_from_programs_that_the_daemon_starts():
    private = start_options.private_variables()

    assert {"BROWSE_START_OPTIONS", "BROWSE_PROXY_URL", "BROWSE_PROXY_PASS"} <= private
