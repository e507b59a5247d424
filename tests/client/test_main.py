"""The command as a process against a scripted daemon: words in, frames out, exit codes."""

import os
import pty
import signal
import subprocess
import sys
import threading

import pytest

from browse.client import main
from support.fake_daemon import FRAMES_HEAD, FakeDaemon, frames, says


def test_words_go_out_as_typed_and_the_reply_comes_back(project):
    with FakeDaemon(project.state, says(b"Navigated\n", b"note\n", 0)) as daemon:
        done = project.run("goto", "http://a/?q=1 2", "", "--x", "é")

    assert (done.returncode, done.stdout, done.stderr) == (0, b"Navigated\n", b"note\n")
    request = daemon.requests[0]
    assert request.line == "POST /command HTTP/1.0"
    assert request.headers["authorization"] == "Bearer token-of-the-fake-daemon"
    assert request.headers["host"] == f"127.0.0.1:{daemon.port}"
    assert request.words == ["goto", "http://a/?q=1 2", "", "--x", "é"]
    assert {**request.facts, "from": ""} == {"cwd": str(project.folder), "from": ""}
    assert request.stdin == b""


def test_bytes_that_are_no_text_survive(project):
    with FakeDaemon(project.state) as daemon:
        subprocess.run(
            [*map(os.fsencode, project.command("text")), b"\xff\xfe"],
            cwd=project.folder, env=project.env, check=True,
        )  # fmt: skip

    assert [os.fsencode(word) for word in daemon.requests[0].words] == [b"text", b"\xff\xfe"]


def test_the_tab_comes_from_the_environment(project):
    project.env |= {"BROWSE_TAB": "3"}

    with FakeDaemon(project.state) as daemon:
        project.run("url")

    assert daemon.requests[0].facts["tab"] == "3"


@pytest.mark.parametrize(
    "words",
    [
        ["stop"],
        ["restart"],
        ["install"],
        ["connect"],
        ["disconnect"],
        ["url", "--force-restart"],
        ["url", "--proxy", "http://p:1"],
        ["--profile", "p", "url"],
    ],
)
def test_who_only_reads_is_refused_what_the_client_does_by_itself(project, words):
    project.env |= {"BROWSE_ONLY_READ": "1"}

    with FakeDaemon(project.state) as daemon:
        done = project.run(*words)

    assert done.returncode == 4
    assert b"Nothing was done" in done.stderr
    assert daemon.requests == []


def test_who_only_reads_may_start_the_server_for_hosts(project):
    project.env |= {"BROWSE_ONLY_READ": "1"}

    done = project.run("mcp")

    assert done.returncode == 0


@pytest.mark.parametrize("off", ["", "0", "off", " False "])
def test_a_switch_that_is_off_refuses_nothing(off, monkeypatch):
    monkeypatch.setenv("BROWSE_ONLY_READ", off)

    assert not main.only_reads()


@pytest.mark.parametrize(
    ("environ", "agent"),
    [
        ({"CLAUDE_CODE_SESSION_ID": "0f3c1a52-0000-4000-8000-00001234abcd"}, "claude:1234abcd"),
        ({"CODEX_THREAD_ID": "019d1be2", "CLAUDE_CODE_SESSION_ID": "x"}, "claude:x+codex:019d1be2"),
        ({"CODEX_THREAD_ID": "019d1be2", "BROWSE_AGENT": "ada"}, "ada"),
    ],
)
def test_the_agent_is_named_by_its_variable_or_by_its_conversation(project, environ, agent):
    project.env |= environ

    with FakeDaemon(project.state) as daemon:
        project.run("url")

    assert daemon.requests[0].facts == {"cwd": str(project.folder), "agent": agent}


def test_a_client_without_a_name_says_which_process_it_is(project):
    with FakeDaemon(project.state) as daemon:
        project.run("url")

    session, parent, _ = map(int, daemon.requests[0].facts["from"].split())
    assert (session, parent) == (os.getsid(0), os.getpid())


def test_a_project_is_found_from_a_folder_inside(project):
    inside = project.folder / "a/b"
    inside.mkdir(parents=True)

    with FakeDaemon(project.state) as daemon:
        subprocess.run(project.command("url"), cwd=inside, env=project.env, check=True)

    assert daemon.requests[0].facts["cwd"] == str(inside)


@pytest.mark.parametrize("code", [0, 1, 3, 6, 255])
def test_the_exit_code_is_the_daemons(project, code):
    with FakeDaemon(project.state, says(b"x\n", code=code)):
        assert project.run("text").returncode == code


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        (["chain"], True),
        (["chain", "--json"], True),
        (["js", "-"], True),
        (["js", "--json", "-"], True),
        (["js", "1+1"], False),
        (["goto"], False),
        (["goto", "-"], False),
        (["--json", "chain"], True),
        (["js", "--tab-id", "2"], True),
        (["js", "--tab-id", "2", "1+1"], False),
        (["load-html", "--wait-until", "load"], True),
        (["load-html", "--from-file", "payload.json"], False),
        (["domain-skill", "save"], True),
        (["domain-skill", "save", "--host", "example.com"], True),
        (["domain-skill", "save", "example.com"], True),
        (["domain-skill", "save", "example.com", "--global"], True),
        (["domain-skill", "save", "example.com", "too", "many"], False),
        (["domain-skill", "save", "--from-file", "note.md"], False),
        (["domain-skill", "save", "--from-file=note.md"], False),
        (["domain-skill", "save", "example.com", "--from-file", "note.md"], False),
        (["domain-skill", "show", "example.com"], False),
        (["domain-skill"], False),
    ],
)
def test_stdin_is_sent_only_where_it_is_meant(project, words, taken):
    with FakeDaemon(project.state) as daemon:
        project.run(*words, stdin=b"from \0 stdin")

    assert daemon.requests[0].stdin == (b"from \0 stdin" if taken else b"")
    assert sorted(daemon.requests[0].words) == sorted(words)


def test_a_terminal_as_stdin_is_not_read(project):
    ours, theirs = pty.openpty()

    with FakeDaemon(project.state) as daemon:
        subprocess.run(project.command("chain"), cwd=project.folder, env=project.env, stdin=theirs)
    os.close(ours)
    os.close(theirs)

    assert daemon.requests[0].stdin == b""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_do_no_harm(project, closed):
    line = subprocess.list2cmdline(project.command("chain"))

    with FakeDaemon(project.state, says(b"out\n", b"err\n", 3)) as daemon:
        done = subprocess.run(
            ["bash", "-c", f"{line} {closed}"],
            stdin=subprocess.DEVNULL, cwd=project.folder, env=project.env,
        )  # fmt: skip

    assert done.returncode == 3
    assert daemon.requests[0].words == ["chain"]


def test_endless_stdin_is_refused_before_anything_is_sent(project):
    with FakeDaemon(project.state) as daemon, open("/dev/zero", "rb") as endless:  # noqa: PTH123
        done = subprocess.run(
            project.command("chain", main__MAX_STDIN_BYTES=1 << 20),
            stdin=endless, cwd=project.folder, env=project.env, capture_output=True,
        )  # fmt: skip

    assert done.returncode == 2
    assert done.stderr.startswith(b"[browse] The input on stdin is larger than 1 MiB.\n")
    assert daemon.requests == []


def test_output_is_visible_before_the_reply_ends(project):
    seen = threading.Event()

    def script(peer, _):
        peer.sendall(FRAMES_HEAD + b"1 6\nearly\n")
        assert seen.wait(150)
        peer.sendall(frames(b"late\n", code=4))

    with FakeDaemon(project.state, script), project.popen("wait", "9") as client:
        assert client.stdout.readline() == b"early\n"
        seen.set()
        out, _ = client.communicate(timeout=150)

    assert out == b"late\n"
    assert client.returncode == 4


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_an_ended_client_hangs_up(project, number):
    daemon = FakeDaemon(project.state, lambda peer, _: daemon.watch(peer))

    with daemon, project.popen("wait", "9") as client:
        assert daemon.asked.wait(150)
        client.send_signal(number)
        out, err = client.communicate(timeout=150)
        assert daemon.gone.wait(150)

    assert (out, err) == (b"", b"")
    assert client.returncode == (130 if number == signal.SIGINT else -number)


def test_a_reader_that_leaves_ends_the_command_quietly(project):
    def script(peer, _):
        peer.sendall(FRAMES_HEAD + b"1 6\nfirst\n")
        peer.sendall(b"1 %d\n%s" % (1 << 22, bytes(1 << 22)))
        daemon.watch(peer)

    daemon = FakeDaemon(project.state, script)
    with daemon, project.popen("text") as client:
        assert client.stdout.readline() == b"first\n"
        client.stdout.close()
        assert daemon.gone.wait(150)
        assert client.wait(150) == 141
        assert client.stderr.read() == b""


def test_a_full_disk_under_stdout_is_told(project):
    with FakeDaemon(project.state), open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            project.command("text"), stdout=full, stderr=subprocess.PIPE,
            cwd=project.folder, env=project.env,
        )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr == b"[browse] cannot write to stdout: No space left on device\n"


def test_five_megabytes_come_through(project):
    out = b"0123456789abcde\n" * (5 << 16)

    with FakeDaemon(project.state, says(out)):
        done = project.run("html")

    assert done.stdout == out


def test_force_restart_after_dashes_is_an_ordinary_word(project):
    with FakeDaemon(project.state) as daemon:
        project.run("js", "--", "--force-restart", "--help")

    assert daemon.requests[0].words == ["js", "--", "--force-restart", "--help"]


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        (["--tab-id", "3", "url"], ["url", "--tab-id", "3"]),
        (["--json", "text", "url"], ["text", "--json", "url"]),
        (["--session=url", "text", "--", "url"], ["text", "--session=url", "--", "url"]),
        (["text", "--json", "url"], ["text", "--json", "url"]),
        (["--json", "skill", "run", "x"], ["skill", "--json", "run", "x"]),
    ],
)
def test_the_command_is_sent_before_leading_flags(project, typed, sent):
    with FakeDaemon(project.state) as daemon:
        project.run(*typed)

    assert daemon.requests[0].words == sent


def test_a_deleted_folder_is_told(project):
    line = subprocess.list2cmdline(project.command("url"))
    gone = project.folder / "gone"
    gone.mkdir()

    done = subprocess.run(
        ["bash", "-c", f"rmdir '{gone}' && exec {line}"],
        cwd=gone, env=project.env, capture_output=True,
    )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr.startswith(b"[browse] The current folder no longer exists")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("debug", [False, True])
def test_a_defect_is_one_line_unless_debugging(project, debug):
    project.env |= {"BROWSE_DEBUG": "1"} if debug else {}

    with FakeDaemon(project.state):
        done = project.run("url", wire__CHUNK_BYTES="not a number")

    assert done.returncode == 1
    assert done.stderr.startswith(b"[browse] internal error: TypeError: ")
    assert (b"Traceback" in done.stderr) is debug


def test_set_up_commands_are_handed_to_their_own_program(project, tmp_path):
    program = tmp_path / "python"
    program.write_text('#!/bin/sh\nprintf "%s|" "$@"\nexit 7\n')
    program.chmod(0o755)
    code = (
        f"import sys; sys.executable = {str(program)!r};"
        f"sys.path.insert(0, {str(project.boot.parents[2])!r});"
        "sys.argv = ['browse', 'install', '--with deps', 'x'];"
        "from browse.client.main import main; sys.exit(main())"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=project.folder, capture_output=True
    )

    assert done.returncode == 7
    assert done.stdout == b"-I|-m|browse.setup|install|--with deps|x|"
