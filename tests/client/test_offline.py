"""Help, version, completion, suggestions and the want of a daemon: nothing is started for them."""

import shutil
import subprocess

import pytest

import browse
from browse.client import offline
from browse.client._help import AGENT, ALIASES, FLAGS, HELP, OVERVIEW
from browse.client._names import HERE, NAMES, READS_STDIN


def text(done) -> str:
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_overview(project, words):
    assert text(project.run(*words)) == OVERVIEW
    assert not project.state.parent.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["help", "goto"],
        ["goto", "--help"],
        ["goto", "x", "--help", "--", "y"],
        ["--help", "goto"],
        ["--json", "goto", "--help"],
    ],
)
def test_help_of_a_command(project, words):
    assert text(project.run(*words)) == HELP["goto"]


def test_help_of_an_alias_is_that_of_its_command(project):
    assert text(project.run("help", "setcontent")) == HELP["load-html"]


def test_help_of_several_commands(project):
    assert text(project.run("help", "url", "back")) == HELP["url"] + "\n" + HELP["back"]


@pytest.mark.parametrize("name", sorted(HERE))
def test_help_of_a_set_up_command_does_not_run_it(project, name):
    assert text(project.run(name, "--help")) == HELP[name]


def test_the_agent_guide(project):
    assert text(project.run("help", "--agent")) == AGENT


@pytest.mark.parametrize("word", ["--version", "-V"])
def test_version(project, word):
    assert text(project.run(word)) == f"browse {browse.__version__}\n"


def test_help_into_a_pipe_that_nobody_reads_is_quiet(project):
    with project.popen("help") as client:
        client.stdout.close()
        assert client.wait(150) in (0, 141)  # 0 if it was faster than the pipe's end
        assert client.stderr.read() == b""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gotoo"], "Unknown command: 'gotoo'. Did you mean 'goto'?"),
        (["zzzzzz"], "Unknown command: 'zzzzzz'."),
        (["gto"], "Unknown command: 'gto'."),
        (["help", "relaod"], "Unknown command: 'relaod'. Did you mean 'reload'?"),
        (["statsu", "--help"], "Unknown command: 'statsu'. Did you mean 'status'?"),
        (["--json", "linkz"], "Unknown command: 'linkz'. Did you mean 'links'?"),
        (["--nonsense"], "Unknown command: '--nonsense'."),
        (["--", "goto"], "Unknown command: '--'."),
        ([""], "Unknown command: ''."),
        (["\udcff"], "Unknown command: '\udcff'."),
    ],
)
def test_an_unknown_command_is_told_without_starting_anything(project, words, said):
    done = project.run(*words)

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode(errors="surrogateescape").splitlines() == [
        said,
        "Type `browse help` for the list of commands.",
    ]
    assert not project.state.parent.exists()


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [("", "", 0), ("a", "", 1), ("", "ab", 2), ("goto", "gto", 1), ("kitten", "sitting", 3)],
)
def test_distance_counts_edits(one, other, steps):
    assert offline.distance(one, other) == steps


def test_of_equally_close_names_the_one_as_long_as_the_word_is_meant():
    # One letter away from `tab` and from `tabs`.
    assert offline.suggestion("tabz") == "tabs"


def test_status_without_a_daemon(project):
    shown = text(project.run("status"))

    assert shown.splitlines()[0] == "Status: not running"
    assert len(shown.splitlines()) == 2
    assert not project.state.parent.exists()


def test_status_without_a_daemon_as_json(project):
    assert text(project.run("status", "--json")) == '{"status":"not running"}\n'


def test_status_of_a_daemon_whose_state_is_damaged_is_an_error(project):
    project.run("url", child="loses_state")

    done = project.run("status")

    assert done.returncode == 6
    assert f"pid {project.children[0]}" in done.stderr.decode()


def test_status_after_a_daemon_died(project, dead_pid):
    project.state.parent.mkdir()
    (project.state.parent / "browse-daemon.lock").write_text(f"{dead_pid}\n")
    project.state.write_text("{")

    assert text(project.run("status")).startswith("Status: not running\n")


@pytest.mark.parametrize("words", [["completion"], ["completion", "tcsh"]])
def test_completion_needs_a_shell_it_knows(project, words):
    done = project.run(*words)

    assert done.returncode == 2
    assert b"bash, zsh or fish" in done.stderr


def complete_in_bash(script: str, *words: str) -> list[str]:
    line = " ".join(f"'{word}'" for word in ("browse", *words))
    probe = (
        f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}\n"
        '_browse; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-uc", probe], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


def names(start: str) -> list[str]:
    return [name for name in sorted(NAMES) if name.startswith(start)]


def flags(command: str, start: str) -> list[str]:
    return [flag for flag in (*FLAGS[command], "--help") if flag.startswith(start)]


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
        (["goto", "x"], []),
        (["goto", ""], []),
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
    ],
)
def test_fish_completes(project, tmp_path, typed, offered):
    script = tmp_path / "script.fish"
    script.write_text(text(project.run("completion", "fish")))

    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source '{script}'; complete -C '{typed}'"],
        capture_output=True, text=True, env=project.env,
    )  # fmt: skip

    assert done.stdout.split() == offered


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize(
    ("words", "prefix", "offered"),
    [
        (["browse", "re"], "re", {"reload", "restart", "goto"}),
        (["browse", "help", "clo"], "clo", {"closetab"}),
        (["browse", "text", "--m"], "--m", {"--max-chars", "--help"}),
        (["browse", "completion", "z"], "z", {"zsh", "bash", "fish"}),
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


def test_every_name_has_help():
    assert set(HELP) | set(ALIASES) == NAMES
    assert set(ALIASES.values()) <= set(HELP)
    assert set(FLAGS) <= set(HELP)
    assert NAMES >= HERE
    assert NAMES >= READS_STDIN
