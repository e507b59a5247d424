"""Help, version, completion, suggestions and the want of a daemon: nothing is started for them."""

import pytest

import browse
from browse.client._help import AGENT, ALIASES, FLAGS, HELP, INSTEAD, OVERVIEW, SUB_COMMANDS
from browse.client._names import HERE, NAMES, READS_STDIN, STDIN_WITH
from support.fake_daemon import FakeDaemon


def text(done) -> str:
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_overview(project, words):
    assert text(project.run(*words)) == OVERVIEW
    assert not project.state.parent.exists()


@pytest.mark.parametrize("name", ["close", "quit", "show", "batch"])
def test_a_word_of_another_tool_is_answered_with_ours(project, name):
    done = project.run(name, "--json")

    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [f"browse has no '{name}'.", INSTEAD[name]]
    assert not project.state.parent.exists()


def test_the_first_word_of_aliases_alone_lists_them(project):
    done = project.run("get", "--help")

    assert done.returncode == 2
    assert "\nThere are: get attr" in done.stderr.decode()


@pytest.mark.parametrize(
    "words", [["get", "text", "--help"], ["help", "get", "text"], ["get", "-h", "text"]]
)
def test_help_of_an_alias_of_two_words_is_that_of_its_command(project, words):
    assert text(project.run(*words)) == HELP["text"]


@pytest.mark.parametrize(
    "words",
    [
        ["help", "goto"],
        ["goto", "--help"],
        ["goto", "x", "--help", "--", "y"],
        ["--help", "goto"],
        ["goto", "-h"],
        ["open", "-h"],
        ["--json", "goto", "--help"],
    ],
)
def test_help_of_a_command(project, words):
    assert text(project.run(*words)) == HELP["goto"]


def test_help_of_an_alias_is_that_of_its_command(project):
    assert text(project.run("help", "setcontent")) == HELP["load-html"]


def test_help_of_several_commands(project):
    assert text(project.run("help", "url", "back")) == HELP["url"] + "\n" + HELP["back"]
    assert text(project.run("help", "skill", "url")) == HELP["skill"] + "\n" + HELP["url"]


@pytest.mark.parametrize("words", [["help", "skill"], ["skill", "--help"], ["--help", "skill"]])
def test_help_of_a_family_lists_its_sub_commands(project, words):
    shown = text(project.run(*words))

    assert shown == HELP["skill"]
    assert "\n  skill run <name> [words…] " in shown
    assert "--timeout" not in shown


@pytest.mark.parametrize(
    "words",
    [
        ["help", "skill", "run"],
        ["skill", "run", "--help"],
        ["skill", "run", "x", "--timeout", "9s", "--help"],
        ["skill", "--timeout", "9s", "run", "--help"],
        ["--json", "skill", "run", "--help"],
    ],
)
def test_help_of_a_sub_command_has_its_own_flags(project, words):
    shown = text(project.run(*words))

    assert shown == HELP["skill run"]
    assert "--timeout" in shown
    assert "--stage" not in shown


def test_help_of_the_alias_of_a_sub_command(project):
    assert text(project.run("domain-skill", "delete", "--help")) == HELP["domain-skill rm"]


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
        (["gto"], "Unknown command: 'gto'. Did you mean 'goto'?"),
        (["shto"], "Unknown command: 'shto'."),
        (["stpo"], "Unknown command: 'stpo'."),
        (["scr"], "Unknown command: 'scr'. Did you mean 'scrape', 'scroll' or 'screenshot'?"),
        (["help", "relaod"], "Unknown command: 'relaod'. Did you mean 'reload'?"),
        (["statsu", "--help"], "Unknown command: 'statsu'. Did you mean 'status'?"),
        (["--json", "linkz"], "Unknown command: 'linkz'. Did you mean 'links'?"),
        (["--nonsense"], "Unknown command: '--nonsense'."),
        (["--session", "sess1", "linkz"], "Unknown command: 'linkz'. Did you mean 'links'?"),
        (["--session", "sess1"], "A command is missing: --session belongs to one."),
        (["--session=sess1", "--json"], "A command is missing: --session=sess1 belongs to one."),
        (["--", "goto"], "Unknown command: '--'."),
        ([""], "Unknown command: ''."),
        (["\udcff\n\x1b"], "Unknown command: '\\udcff\\n\\x1b'."),
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
    ("words", "said"),
    [
        (["help", "skill", "rnu"], "Unknown command: 'skill rnu'. Did you mean 'skill run'?"),
        (["skill", "rnu", "--help"], "Unknown command: 'skill rnu'. Did you mean 'skill run'?"),
        (["help", "skill", "dance"], "Unknown command: 'skill dance'."),
    ],
)
def test_an_unknown_sub_command_is_told_with_a_sibling(project, words, said):
    done = project.run(*words)

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == [
        said,
        "Type `browse help skill` for its sub-commands.",
    ]


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


def test_every_name_has_help():
    below = {f"{name} {word}" for name, words in SUB_COMMANDS.items() for word in words}

    pairs = {alias for alias in ALIASES if " " in alias}

    assert set(HELP) | set(ALIASES) | {pair.split()[0] for pair in pairs} == NAMES | below | pairs
    assert set(ALIASES.values()) <= set(HELP)
    assert set(FLAGS) <= set(HELP)
    assert {*HERE, *READS_STDIN, *SUB_COMMANDS} <= NAMES
    assert set(STDIN_WITH) <= READS_STDIN & set(SUB_COMMANDS)
    assert all(set(words) <= set(SUB_COMMANDS[name]) for name, words in STDIN_WITH.items())


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    "words",
    [["skill", "rnu", "x"], ["skill", "--json", "rnu"], ["skill", "--session", "run", "rnu"]],
)
def test_a_misspelt_sub_command_starts_no_daemon(project, words):
    done = project.run(*words)

    assert done.returncode == 2
    assert b"Unknown command: 'skill rnu'. Did you mean 'skill run'?" in done.stderr
    assert not project.state.parent.exists()


@pytest.mark.issue(15)
def test_known_sub_commands_and_their_default_reach_the_daemon(project):
    for words in (["skill"], ["skill", "--json"], ["skill", "run", "rnu"], ["state", "rm", "x"]):
        with FakeDaemon(project.state) as daemon:
            assert text(project.run(*words)) == "ok\n"

        assert daemon.requests[0].words == words
