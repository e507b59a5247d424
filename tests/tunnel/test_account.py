"""Where the token and the domain of an ngrok account are looked for."""

from typing import Any

import pytest

from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.tunnel.account import Account


@pytest.fixture
def paths(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    made = Paths(tmp_path / "browse.json", tmp_path / ".gstack")
    made.home.mkdir()
    return made


def found(paths, **settings: Any) -> tuple[str, str]:
    account = Account.find(Settings(**settings), paths)
    return account.token, account.domain


def fill(path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_environment_comes_first(paths):
    fill(paths.ngrok_env, "NGROK_AUTHTOKEN=kept\nNGROK_DOMAIN=kept.example\n")

    assert found(paths, ngrok_authtoken="mine") == ("mine", "kept.example")
    assert found(paths, ngrok_domain="my.example") == ("kept", "my.example")


@pytest.mark.parametrize(
    "text",
    [
        "NGROK_AUTHTOKEN=abc\nNGROK_DOMAIN=x.example",
        "# mine\nexport NGROK_AUTHTOKEN='abc'\r\n\r\nNGROK_DOMAIN = \"x.example\"\r\n",
    ],
)
def test_the_file_of_this_home_comes_second(paths, text):
    fill(paths.ngrok_env, text)
    fill(paths.ngrok_configs[0], "authtoken: other\n")

    assert found(paths) == ("abc", "x.example")


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(
    "text",
    [
        "version: 2\nauthtoken: abc_1-2\n",
        'version: 3\nagent:\n  authtoken: "abc_1-2" # mine\n',
    ],
)
def test_the_files_of_ngrok_come_last(paths, place, text):
    fill(paths.ngrok_configs[place], text)

    assert found(paths) == ("abc_1-2", "")


def test_without_a_token_it_is_said_what_to_do(paths):
    fill(paths.ngrok_configs[0], "# authtoken: abc\n")

    with pytest.raises(BrowseError, match="no token of an ngrok account") as caught:
        found(paths)

    assert caught.value.code is Code.TUNNEL
    assert str(paths.ngrok_env) in caught.value.hint


def test_a_file_that_cannot_be_read_is_named(paths):
    paths.ngrok_env.mkdir()

    with pytest.raises(BrowseError, match=r"ngrok\.env cannot be read: Is a directory"):
        found(paths)


def test_the_token_is_not_shown():
    assert "hunter2" not in repr(Account("hunter2", "x.example"))
