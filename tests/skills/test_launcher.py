"""The launcher as a program: what it starts, what it forbids, and that nothing is left."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from browse.skills import launcher, sandbox
from browse.skills.sandbox import Bounds, Means
from support.cli import until
from support.life import see_gone
from support.skills import attempts

needs_landlock = pytest.mark.skipif(
    launcher.version() < 6, reason="this kernel has no Landlock of version 6"
)
ROOT = Path(launcher.__file__).parents[2]
RUN = (
    "import sys; sys.path.append(sys.argv[1]);"
    "from browse.skills.launcher import Launcher; Launcher(sys.argv[2:]).run()"
)
FORKS = """
import os, sys, time, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pids = [os.getpid()]
for daemonise in (False, True):
    pid = os.fork()
    if not pid:
        if daemonise:
            os.setsid()
        open(sys.argv[1] + f"/{daemonise}", "w").write(str(os.getpid()))
        time.sleep(1000)
print("up", flush=True)
"""


def started(*words: str, options: tuple[str, ...] = ()) -> Any:
    """Start the launcher; `told` tells how the script ended, `hold` keeps it alive."""
    reading, writing = os.pipe()
    held, hold = os.pipe()
    ends = ("--status", str(writing), "--hold", str(held))
    child: Any = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", RUN, str(ROOT), *ends, *options, "--", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        pass_fds=(writing, held),
    )
    os.close(writing)
    os.close(held)
    child.told, child.hold = os.fdopen(reading), os.fdopen(hold, "wb")
    return child


def ended(child: Any) -> tuple[str, str, str]:
    """Hold on to it until it has ended by itself; give what was said."""
    with child, child.told, child.hold:
        return child.stdout.read(), child.stderr.read(), child.told.read()


def python(code: str, *words: str) -> tuple[str, ...]:
    return (sandbox.python(), "-I", "-S", "-c", code, *words)


def confined(tmp_path: Path, port: int) -> tuple[str, ...]:
    for name in ("own", "scratch"):
        (tmp_path / name).mkdir()
    bounds = Bounds(tmp_path / "own", tmp_path / "scratch", port)
    means = sandbox.Sandbox(Means.LANDLOCK, "")
    return tuple(sandbox.arguments(means, bounds))


@pytest.mark.parametrize(
    ("code", "told"), [("print('hi')", "0\n"), ("import sys; sys.exit(9)", "9\n")]
)
def test_the_exit_code_is_told(code, told):
    out, _, code_told = ended(started(*python(code)))

    assert code_told == told
    assert out == ("hi\n" if told == "0\n" else "")


def test_a_signal_is_told_as_a_negative_number():
    _, _, told = ended(started(*python("import os; os.kill(os.getpid(), 9)")))

    assert told == "-9\n"


def test_a_program_that_is_not_there_is_told():
    _, _, told = ended(started("/nowhere/python"))

    assert told == "failed No such file or directory\n126\n"


def test_stdin_is_empty_for_the_script():
    out, _, _ = ended(started(*python("import sys; print(repr(sys.stdin.read()))")))

    assert out == "''\n"


def test_whoever_ignores_the_first_signal_gets_the_second(tmp_path):
    child = started(
        *python(FORKS.replace("(False, True)", "(False,)") + "time.sleep(1000)", str(tmp_path))
    )
    with child, child.told, child.hold:
        assert child.stdout
        assert child.stdout.readline() == "up\n"
        until(lambda: (tmp_path / "False").exists() and (tmp_path / "False").read_text())
        family = psutil.Process(child.pid).children(recursive=True)
        assert len(family) == 2
        child.hold.close()

        see_gone(family)


@needs_landlock
def test_whatever_a_confined_script_leaves_behind_ends_with_it(tmp_path):
    options = confined(tmp_path, 1)
    child = started(*python(FORKS, str(tmp_path / "scratch")), options=options)
    with child, child.told, child.hold:
        assert child.stdout
        assert child.stdout.readline() == "up\n"
        child.wait(150)

    assert child.returncode == -signal.SIGKILL
    assert not (tmp_path / "scratch").exists()


@needs_landlock
def test_a_confined_script_ends_when_it_is_left_alone(tmp_path):
    options = confined(tmp_path, 1)
    code = FORKS + "time.sleep(1000)"
    child = started(*python(code, str(tmp_path / "scratch")), options=options)
    with child, child.told, child.hold:
        assert child.stdout
        assert child.stdout.readline() == "up\n"
        family = psutil.Process(child.pid).children(recursive=True)
        assert len(family) == 3
        child.told.close()  # as when the daemon is killed
        child.hold.close()
        see_gone([*family, psutil.Process(child.pid)])

    assert not (tmp_path / "scratch").exists()


@needs_landlock
def test_a_confined_script_reaches_nothing_but_what_is_its_own(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("x")
    with (
        socket.create_server(("127.0.0.1", 0)) as allowed,
        socket.create_server(("127.0.0.1", 0)) as other,
    ):
        options = confined(tmp_path, allowed.getsockname()[1])
        own, scratch = tmp_path / "own", tmp_path / "scratch"
        (own / "page.html").write_text("<p>")
        tries = {
            "read own": f"open({str(own / 'page.html')!r}).read()",
            "write scratch": f"open({str(scratch / 'x')!r}, 'w').write('x')",
            "daemon": f"socket.create_connection({allowed.getsockname()!r}, 5)",
            "threads": "__import__('threading').Thread(target=print).start()",
            "random": "os.urandom(8)",
            "null": "open('/dev/null', 'w').write('x')",
            "pair": "socket.socketpair()",
            "read": f"open({str(secret)!r}).read()",
            "list": f"os.listdir({str(tmp_path)!r})",
            "passwords": "open('/etc/passwd').read()",
            "processes": "open('/proc/1/cmdline').read()",
            "write own": f"open({str(own / 'new')!r}, 'w')",
            "write elsewhere": f"open({str(tmp_path / 'new')!r}, 'w')",
            "remove": f"os.unlink({str(own / 'page.html')!r})",
            "move": f"os.rename({str(scratch / 'x')!r}, {str(tmp_path / 'x')!r})",
            "link": f"os.link({str(secret)!r}, {str(scratch / 'y')!r})",
            "truncate": f"os.truncate({str(secret)!r}, 0)",
            "other port": f"socket.create_connection({other.getsockname()!r}, 5)",
            "listen": "socket.create_server(('127.0.0.1', 0))",
            "datagrams": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
            "sockets in files": "socket.socket(socket.AF_UNIX)",
            "multipath": "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)",
            "signals": f"os.kill({os.getpid()}, 0)",
            "programs": "os.execv('/bin/sh', ['sh'])",
        }  # fmt: skip
        out, err, told = ended(started(*python(attempts(**tries)), options=options))

    found = json.loads(out)
    assert (told, err) == ("0\n", "")
    allowed_ones = ["read own", "write scratch", "daemon", "threads", "random", "null", "pair"]
    assert {name for name, how in found.items() if how == "ok"} == set(allowed_ones)
    assert {how for name, how in found.items() if name not in allowed_ones} <= {
        "PermissionError", "OSError",
    }  # fmt: skip
    assert secret.read_text() == "x"


@pytest.mark.parametrize(
    ("landlock", "files", "net", "scoped"),
    [(1, 13, 0, 0), (2, 14, 0, 0), (3, 15, 0, 0), (4, 15, 3, 0), (5, 16, 3, 0), (7, 16, 3, 3)],
)
def test_an_older_kernel_is_asked_for_no_more_than_it_knows(landlock, files, net, scoped):
    assert launcher.handled(landlock) == ((1 << files) - 1, net, scoped)


@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not here")
def test_bubblewrap_keeps_a_script_from_other_files_and_has_the_filter(tmp_path):
    (tmp_path / "secret").write_text("x")
    for name in ("own", "scratch"):
        (tmp_path / name).mkdir()
    bounds = Bounds(tmp_path / "own", tmp_path / "scratch", 1)
    tries = {
        "own": "os.listdir('.')",
        "scratch": f"open({str(tmp_path / 'scratch' / 'x')!r}, 'w').write('x')",
        "threads": "__import__('threading').Thread(target=print, kwargs={'end': ''}).start()",
        "secret": f"open({str(tmp_path / 'secret')!r}).read()",
        "passwords": "open('/etc/passwd').read()",
        "write own": "open('x', 'w')",
        "mode": f"os.chmod({str(tmp_path / 'scratch')!r}, 0o777)",
        "listen": "socket.socket().listen()",
        "root folder": "os.chroot('.')",
    }
    means = sandbox.Sandbox(Means.BUBBLEWRAP, "")
    words = sandbox.wrapped(means, bounds, python(attempts(**tries)))

    out, err, told = ended(started(*words, options=tuple(sandbox.arguments(means, bounds))))

    assert told == "0\n", err
    tried = json.loads(out)
    assert {name for name, how in tried.items() if how == "ok"} == {"own", "scratch", "threads"}


def test_a_folder_is_removed_however_deep_the_script_made_it(tmp_path):
    made = tmp_path / "private"
    dig = """
import os, sys
os.chdir(sys.argv[1])
os.symlink("/", "link")
for _ in range(3_000):
    open("file", "w").close()
    os.mkdir("beside", 0)
    os.mkdir("d")
    os.chdir("d")
"""
    made.mkdir()
    subprocess.run([sys.executable, "-c", dig, str(made)], check=True)

    launcher.remove(str(made))

    assert not list(tmp_path.iterdir())
