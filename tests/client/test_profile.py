"""`--profile` before a command."""

import os

import pytest

from browse.client import profile
from browse.client.wire import Failure


@pytest.fixture(autouse=True)
def environ(monkeypatch):
    monkeypatch.setenv(profile.VARIABLE, "")


@pytest.mark.parametrize(
    ("words", "left", "folder"),
    [
        (["--profile", "a b", "goto", "x"], ["goto", "x"], "a b"),
        (["--profile=./p", "url"], ["url"], "./p"),
        (["--json", "--profile", "text", "text"], ["--json", "text"], "text"),
        (["--session", "--profile", "url"], ["--session", "--profile", "url"], ""),
        (["--json", "url", "--profile", "mine"], ["--json", "url", "--profile", "mine"], ""),
    ],
)
def test_the_flag_is_taken_out_before_the_command_only(words, left, folder):
    assert profile.take(words) == left
    assert os.environ[profile.VARIABLE] == folder


@pytest.mark.parametrize(
    "words", [["--profile"], ["--profile="], ["--profile", "url"], ["--profile", "--json", "url"]]
)
def test_a_folder_must_follow(words):
    with pytest.raises(Failure, match="the folder is missing"):
        profile.take(words)


@pytest.mark.parametrize("folder", ["..", "../x", "/a/../b"])
def test_a_name_with_dots_is_refused(folder):
    with pytest.raises(Failure, match=r"`\.\.` in it is refused"):
        profile.take(["--profile", folder, "url"])
