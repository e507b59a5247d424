"""Completion: each shell offers commands, sub-commands and the flags of each."""

import shutil
import subprocess

import pytest

from browse.client._help import FLAGS, HELP
from browse.client._names import NAMES
from browse.client.completion import LATER_FLAGS
from support.shells import complete_in_bash


def text(done) -> str:
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def names(start: str) -> list[str]:
    return [name for name in sorted(NAMES & HELP.keys()) if name.startswith(start)]


def flags(command: str, start: str) -> list[str]:
    return [flag for flag in (*FLAGS[command], *LATER_FLAGS, "--help") if flag.startswith(start)]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["re"], names("re")),
        (["got"], ["goto"]),
        (["help", "clo"], names("clo")),
        (["help", "--a"], flags("help", "--a")),
        (["text", "--m"], flags("text", "--m")),
        (["text", "--"], flags("text", "--")),
        (["setcontent", "--"], flags("load-html", "--")),
        (["--json", "sto"], names("sto")),
        (["completion", "z"], ["zsh"]),
        (["--ver"], ["--version"]),
        (["--pro"], ["--proxy", "--proxy-bypass", "--profile"]),
        (["goto", "--pro"], ["--proxy", "--proxy-bypass"]),
        (["goto", "x"], []),
        (["goto", ""], []),
        (["skill", "re"], ["record", "restore"]),
        (["--json", "skill", "dis"], ["discard"]),
        (["skill", "--"], flags("skill list", "--")),
        (["skill", "run", "--t"], flags("skill run", "--t")),
        (["skill", "run", "--"], flags("skill run", "--")),
        (["skill", "check", "--a"], flags("skill check", "--a")),
        (["skill", "run", "r"], []),
        (["skill", "dance", "--ar"], []),
        (["domain-skill", "delete", "--"], flags("domain-skill rm", "--")),
        (["help", "skill", "re"], ["record", "restore"]),
    ],
)
def test_bash_completes(project, words, offered):
    script = text(project.run("completion", "bash"))

    assert complete_in_bash(script, *words) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_accepted_by_its_shell(project, shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(text(project.run("completion", shell)))

    done = subprocess.run([shell, "-n", script], capture_output=True)

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("browse got", ["goto"]),
        ("browse help clo", names("clo")),
        ("browse text --m", flags("text", "--m")),
        ("browse completion z", ["zsh"]),
        ("browse skill re", ["record", "restore"]),
        ("browse skill run --t", flags("skill run", "--t")),
        ("browse skill check --a", flags("skill check", "--a")),
        ("browse help skill re", ["record", "restore"]),
    ],
)
def test_fish_completes(project, tmp_path, typed, offered):
    script = tmp_path / "script.fish"
    script.write_text(text(project.run("completion", "fish")))

    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source '{script}'; complete -C '{typed}'"],
        capture_output=True, text=True, env=project.env,
    )  # fmt: skip

    assert done.stdout.split() == sorted(offered)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize(
    ("words", "prefix", "offered"),
    [
        (["browse", "re"], "re", {"reload", "restart", "goto"}),
        (["browse", "help", "clo"], "clo", {"closetab"}),
        (["browse", "text", "--m"], "--m", {"--max-chars", "--help"}),
        (["browse", "completion", "z"], "z", {"zsh", "bash", "fish"}),
        (["browse", "skill", "re"], "re", {"record", "restore", "run"}),
        (["browse", "skill", "run", "--t"], "--t", {"--timeout", "--arg", "--help"}),
        (["browse", "help", "skill", "re"], "re", {"record", "restore", "run"}),
    ],
)
def test_zsh_offers_the_right_words(project, tmp_path, words, prefix, offered):
    script = tmp_path / "script.zsh"
    script.write_text(text(project.run("completion", "zsh")))
    probe = (
        "compdef() { }; compadd() { shift; print -l -- $@ }; _files() { print files }\n"
        f"source '{script}'; words=({' '.join(words)}); CURRENT={len(words)}; PREFIX={prefix}\n"
        "_browse"
    )

    done = subprocess.run(["zsh", "-fc", probe], capture_output=True, text=True, check=True)

    assert offered <= set(done.stdout.split())
