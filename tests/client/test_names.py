"""Names for completion: asked of a daemon that runs, and of no other."""

import json
import shlex
import shutil
import subprocess

import pytest

from browse.client import names
from support.fake_daemon import FakeDaemon, says
from support.shells import complete_in_bash

pytestmark = pytest.mark.issue(15)
REPLIES = {
    "skills": {"skills": [{"name": "price-list"}, {"name": "news"}], "page": {}},
    "logins": {"logins": [{"name": "shop"}]},
    "states": {"states": [{"name": "price-list"}, {"name": "news"}]},
    "sessions": {"sessions": [{"session": "(usual)"}, {"session": "news"}]},
    "tabs": {"tabs": [{"id": 1}, {"id": 12}]},
}


def text(done) -> str:
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def reply(kind: str) -> bytes:
    return json.dumps(REPLIES[kind]).encode() + b"\n"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("skills", "price-list\nnews\n"),
        ("states", "price-list\nnews\n"),
        ("logins", "shop\n"),
        ("sessions", "news\n"),
        ("tabs", "1\n12\n"),
    ],
)
def test_the_names_are_those_that_the_daemon_knows(project, kind, said):
    with FakeDaemon(project.state, says(reply(kind))) as daemon:
        assert text(project.run("completion", "names", kind)) == said

    assert daemon.requests[0].words == names.KINDS[kind][0]


@pytest.mark.parametrize("kind", [*names.KINDS, "teas", ""])
def test_without_a_daemon_there_are_none_and_none_is_started(project, kind):
    assert text(project.run("completion", "names", kind)) == ""
    assert not project.state.parent.exists()


@pytest.mark.parametrize("said", [b"", b"nonsense", b"{}", b'{"tabs": [{"id": "$(rm -r x)"}]}'])
def test_what_a_shell_should_not_expand_is_left_out(project, said):
    with FakeDaemon(project.state, says(said)):
        assert text(project.run("completion", "names", "tabs")) == ""


def a_browse(project) -> str:
    """Put the client on a PATH as `browse`."""
    program = project.folder / "bin" / "browse"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.join(project.command())} "$@"\n')
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("words", "kind", "offered"),
    [
        (["skill", "run", "p"], "skills", ["price-list"]),
        (["state", "load", ""], "states", ["price-list", "news"]),
        (["login", "fill", ""], "logins", ["shop"]),
        (["session", "close", ""], "sessions", ["news"]),
        (["tab", "1"], "tabs", ["1", "12"]),
        (["closetab", ""], "tabs", ["1", "12"]),
        (["text", "--tab-id", ""], "tabs", ["1", "12"]),
        (["--session", "n"], "sessions", ["news"]),
    ],
)
def test_bash_completes_names(project, words, kind, offered, monkeypatch):
    script = text(project.run("completion", "bash"))
    program = a_browse(project)
    monkeypatch.chdir(project.folder)

    with FakeDaemon(project.state, says(reply(kind))):
        found = complete_in_bash(script.replace("${COMP_WORDS[0]}", program), *words)

    assert found == offered


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_names(project, tmp_path):
    script = tmp_path / "script.fish"
    script.write_text(text(project.run("completion", "fish")))
    program = a_browse(project)
    path = f"{project.folder / 'bin'}:{project.env['PATH']}"

    with FakeDaemon(project.state, says(reply("skills"))):
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source '{script}'; complete -C 'browse skill run p'"],
            capture_output=True, text=True, cwd=project.folder, env={**project.env, "PATH": path},
        )  # fmt: skip

    assert program
    assert done.stdout.split() == ["price-list"]
