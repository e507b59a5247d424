import os

import pytest

from browse.client import options
from browse.client.wire import Failure


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv(options.VARIABLE, "")


def passed() -> str:
    return os.environ[options.VARIABLE]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["goto", "x", "--proxy", "http://p"], ["goto", "x"]),
        (["--proxy=http://p", "goto", "x"], ["goto", "x"]),
        (["goto", "--proxy", "http://p", "--", "--proxy", "y"], ["goto", "--", "--proxy", "y"]),
    ],
)
def test_options_leave_the_words_and_reach_the_daemon(words, left):
    assert options.take(words) == left
    assert passed() == "BROWSE_PROXY_URL=http://p"


def test_options_that_may_be_repeated_are_joined():
    options.take(["url", "--proxy-bypass", "a.test", "--proxy-bypass=b.test"])

    assert passed() == "BROWSE_PROXY_BYPASS=a.test,b.test"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["goto", "--proxy"], "--proxy needs a value"),
        (["goto", "--proxy", "--json"], "--proxy needs a value"),
        (["goto", "--proxy="], "--proxy needs a value"),
        (["goto", "--proxy", "a\nAUTH_TOKEN=b"], "--proxy needs a value"),
        (["goto", "--proxy", "http://a", "--proxy", "http://b"], "--proxy was given 2 times"),
    ],
)
def test_options_without_a_usable_value_are_refused(words, said):
    with pytest.raises(Failure) as raised:
        options.take(words)

    assert said in raised.value.lines[0]


def test_a_path_starts_where_it_is_typed(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    options.take(["--profile", "../work", "url"])

    assert os.environ[options.VARIABLE] == f"BROWSE_PROFILE={tmp_path}/work"
