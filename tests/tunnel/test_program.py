"""Programs that keep a tunnel open: what they say, how they end, and that nothing is left."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from browse.tunnel import program as module
from browse.tunnel.program import TunnelProgram
from support.cli import lives, until
from support.life import see_gone
from support.running import running

# A daemon that starts a program and is killed.
DAEMON = """
import asyncio, sys
from browse.tunnel.program import TunnelProgram
async def main():
    await TunnelProgram.start(sys.argv[1:], lambda line: print(line, flush=True))
    await asyncio.Event().wait()
asyncio.run(main())
"""
WRITES_ITS_PID = "echo $$ > '{0}'; sleep 1000 & echo $! > '{1}'; echo up; wait"


async def heard(*argv: str) -> tuple[list[str], str]:
    """Run a program to its end."""
    lines: list[str] = []

    def hear(line: str) -> bool:
        lines.append(line)
        return False

    program = await TunnelProgram.start(argv, hear)
    async with asyncio.timeout(30):
        return lines, await program.ended


def sh(script: str) -> tuple[str, str, str]:
    return "sh", "-c", script


@pytest.fixture
def pids(tmp_path):
    return tmp_path / "one", tmp_path / "two"


def processes(pids: tuple[Path, Path]) -> list[psutil.Process]:
    return [psutil.Process(int(path.read_text())) for path in pids]


async def started(script: str) -> TunnelProgram:
    """Start a shell script and wait until it says `up`."""
    up = asyncio.Event()

    def hear(line: str) -> bool:
        if line == "up":
            up.set()
        return False

    program = await TunnelProgram.start(sh(script), hear)
    async with asyncio.timeout(30):
        await up.wait()
    return program


async def test_lines_of_both_outputs_are_heard():
    lines, how = await heard(*sh("echo one; echo two >&2; exit 3"))

    assert sorted(lines) == ["one", "two"]
    assert how == "3"


async def test_a_signal_is_told():
    _, how = await heard(*sh("kill -9 $$"))

    assert how == "-9"


async def test_a_program_that_is_not_there_is_told():
    _, how = await heard("/no/such/program")

    assert how == "failed No such file or directory"


async def test_the_token_of_the_daemon_is_not_handed_on(monkeypatch):
    monkeypatch.setenv("AUTH_TOKEN", "0123456789abcdef")
    monkeypatch.setenv("OTHER", "x")

    lines, _ = await heard(*sh('echo "$AUTH_TOKEN-$OTHER"'))

    assert lines == ["-x"]


async def test_much_output_is_read_and_not_kept():
    heard_of = []

    def hear(line: str) -> bool:
        heard_of.append(line)
        return line == "up"

    flood = "yes 0123456789 | head -c 10000000; head -c 9000000 /dev/zero; echo; echo last"
    program = await TunnelProgram.start(sh(f"echo up; {flood}"), hear)
    async with asyncio.timeout(50):
        how = await program.ended

    assert how == "0"
    assert heard_of == ["up"]
    assert program.last[-1] == "last"
    assert len(program.last) == module.MAX_LAST_LINES


async def test_the_whole_group_is_ended(pids):
    program = await started(WRITES_ITS_PID.format(*pids))
    family = processes(pids)

    await program.end()
    await program.end()

    see_gone(family)
    assert program.ended.done()


async def test_who_ignores_the_request_is_ended_all_the_same(pids):
    program = await started("trap '' TERM; " + WRITES_ITS_PID.format(*pids))
    family = processes(pids)

    await program.end()

    see_gone(family)


async def test_what_a_program_left_behind_is_ended_with_it(tmp_path):
    left = tmp_path / "left"
    script = f"""sh -c 'echo $$ > "{left}"; exec sleep 1000' & until test -s '{left}'; do :; done"""
    program = await TunnelProgram.start(sh(script), lambda _: True)

    async with asyncio.timeout(30):
        assert await program.ended == "0"

    until(lambda: not lives_still(int(left.read_text())), what="the end of what was left")


def lives_still(pid: int) -> bool:
    try:
        return lives(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return False


async def test_the_death_of_the_supervisor_ends_the_program(pids):
    program = await started(WRITES_ITS_PID.format(*pids))
    family = processes(pids)

    os.kill(family[0].ppid(), signal.SIGKILL)
    async with asyncio.timeout(30):
        assert await program.ended == ""

    see_gone(family)


def test_a_daemon_that_is_killed_takes_the_program_along(pids):
    argv = [sys.executable, "-c", DAEMON, *sh(WRITES_ITS_PID.format(*pids))]
    with running(argv, stdout=subprocess.PIPE) as daemon:
        assert daemon.stdout
        assert daemon.stdout.readline() == b"up\n"
        family = processes(pids)
        daemon.kill()

    see_gone(family)
