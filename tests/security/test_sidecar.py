"""The sidecar is a real child process here: one that behaves, and ones that do not."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from browse.security.sidecar import MAX_RESTARTS, Sidecar
from support.cli import lives, until
from support.life import see_gone
from support.running import running

# Each start leaves a line with the number of the process; `said` answers a question.
HEAD = """
import json, os, sys, subprocess, threading
with open({starts!r}, "a") as file:
    file.write(f"{{os.getpid()}}\\n")
def said(line, **more):
    print(json.dumps({{"id": json.loads(line)["id"], "ok": True, **more}}), flush=True)
def questions():
    while line := sys.stdin.readline():
        yield line
"""
WELL = """
for line in questions():
    said(line, confidence=len(json.loads(line)["text"]) / 100)
"""
# It loads, and then does something else at the first text.
THEN = """
said(sys.stdin.readline(), confidence=0)
line = sys.stdin.readline()
"""
BAD = {
    "hangs": "threading.Event().wait()",
    "dies": "os.kill(os.getpid(), 9)",
    "ends": "pass",
    "talks": "print('perhaps', flush=True); threading.Event().wait()",
    "never ends a line": "print('x' * 1_000_000, end='', flush=True); threading.Event().wait()",
    "is no JSON": "sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush(); sys.stdin.read()",
    "is too sure": "said(line, confidence=2); sys.stdin.read()",
    "gives no confidence": "said(line); sys.stdin.read()",
}


class Kit:
    """A sidecar that runs a script, and what became of it."""

    def __init__(self, folder: Path) -> None:
        self.starts = folder / "starts"
        self._script = folder / "script.py"
        self._made: list[Sidecar] = []

    def made(self, script: str, *, limit_s: float = 20.0) -> Sidecar:
        self._script.write_text(HEAD.format(starts=str(self.starts)) + script)
        argv = [sys.executable, "-I", str(self._script)]
        self._made.append(Sidecar("the model", argv, limit_s=limit_s, load_limit_s=limit_s))
        return self._made[-1]

    @property
    def pids(self) -> list[int]:
        return [int(line) for line in self.starts.read_text().split()]

    async def close(self) -> None:
        for sidecar in self._made:
            await sidecar.close()


async def loaded(sidecar: Sidecar) -> None:
    """Wait until it is up, or has given up."""
    assert sidecar.loading
    await asyncio.wait({sidecar.loading}, timeout=150)
    assert sidecar.state != "loading"


@pytest.fixture
async def kit(tmp_path):
    kit = Kit(tmp_path)
    yield kit
    await kit.close()


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or not lives(psutil.Process(pid))


async def test_it_has_no_say_until_its_model_is_loaded(kit):
    sidecar = kit.made(WELL)

    assert sidecar.state == "not started"
    assert await sidecar.ask("x" * 50) is None
    assert sidecar.state == "loading"
    assert await sidecar.ask("x" * 50) is None
    await loaded(sidecar)

    assert sidecar.state == "ready"
    assert await sidecar.ask("x" * 50) == 0.5
    assert await sidecar.ask("half a character \ud83d") == 0.18
    assert len(kit.pids) == 1


async def test_several_commands_ask_in_turn(kit):
    sidecar = kit.made(WELL)
    sidecar.start()
    await loaded(sidecar)

    said = await asyncio.gather(*(sidecar.ask("x" * length) for length in range(20)))

    assert said == [length / 100 for length in range(20)]


async def test_a_command_that_is_given_up_leaves_its_answer_to_nobody(kit):
    sidecar = kit.made(WELL)
    sidecar.start()
    await loaded(sidecar)
    given_up = asyncio.create_task(sidecar.ask("x" * 10))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.wait({given_up})

    assert await sidecar.ask("x" * 20) == 0.2


@pytest.mark.parametrize("act", BAD.values(), ids=BAD)
async def test_one_that_misbehaves_is_ended_and_started_anew(kit, act):
    sidecar = kit.made(THEN + act, limit_s=20.0)
    sidecar.start()
    await loaded(sidecar)
    sidecar._limit_s = 0.5

    assert await sidecar.ask("words") is None
    assert sidecar.state == "not started"
    assert gone(kit.pids[0])
    assert await sidecar.ask("words") is None
    await loaded(sidecar)

    assert sidecar.state == "ready"
    assert len(kit.pids) == 2


async def test_those_who_waited_for_one_that_hangs_have_no_answer_and_no_error(kit):
    sidecar = kit.made(THEN + BAD["hangs"])
    sidecar.start()
    await loaded(sidecar)
    sidecar._limit_s = 0.5
    first, second = (asyncio.create_task(sidecar.ask("words")) for _ in range(2))
    await asyncio.wait({first})
    third = asyncio.create_task(sidecar.ask("words"))

    assert await asyncio.gather(first, second, third) == [None, None, None]
    await loaded(sidecar)
    assert len(kit.pids) == 2


async def test_after_three_more_starts_it_stays_off_and_the_log_says_so_once(kit, caplog):
    sidecar = kit.made("sys.exit(1)")

    for _ in range(MAX_RESTARTS + 3):
        assert await sidecar.ask("words") is None
        await loaded(sidecar)

    assert sidecar.state == "off"
    assert len(kit.pids) == 1 + MAX_RESTARTS
    assert [record.message for record in caplog.records] == [
        "the model is off after 4 starts: it ended with exit code 1"
    ]


async def test_one_that_was_killed_has_ended_whatever_the_moment(kit):
    sidecar = kit.made(WELL)
    sidecar.start()
    await loaded(sidecar)
    os.kill(kit.pids[0], signal.SIGKILL)
    await sidecar._child.ended  # from now on its pipe is known to be closed

    with pytest.raises(OSError, match="it was ended by signal 9"):
        await sidecar._weighed("words", 60.0)


async def test_a_model_that_cannot_be_used_is_not_tried_again(kit, caplog):
    sidecar = kit.made("said(sys.stdin.readline(), ok=False, error='get it'); sys.stdin.read()")

    for _ in range(3):
        assert await sidecar.ask("words") is None
        await loaded(sidecar)

    assert sidecar.state == "off"
    assert gone(*kit.pids)
    assert [record.message for record in caplog.records] == ["the model is not used: get it"]


async def test_a_program_that_is_not_there_holds_nothing_up(tmp_path, caplog):
    sidecar = Sidecar("the model", [str(tmp_path / "none")])

    for _ in range(MAX_RESTARTS + 1):
        sidecar.start()
        await loaded(sidecar)

    assert sidecar.state == "off"
    assert len(caplog.records) == 1


async def test_what_it_started_goes_with_it(kit, tmp_path):
    note = tmp_path / "grandchild"
    sidecar = kit.made(
        "child = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=-1)\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n" + WELL
    )
    sidecar.start()
    await loaded(sidecar)
    family = [psutil.Process(int(note.read_text())), *map(psutil.Process, kit.pids)]

    await sidecar.close()

    see_gone(family)
    assert await sidecar.ask("words") is None


async def test_closing_ends_one_that_still_loads(kit):
    sidecar = kit.made("threading.Event().wait()")
    sidecar.start()
    await asyncio.to_thread(until, lambda: kit.starts.exists() and kit.pids)

    await sidecar.close()

    assert gone(*kit.pids)


# The real sidecar, with a model that loads for ever: one that is ready or off could be missed.
LOADING = """
import os, sys, threading
from browse.sidecar.serve import serve
open(sys.argv[1], "w").write(f"{os.getpid()}\\n")
serve(lambda: threading.Event().wait())
"""
DAEMON = """
import asyncio, sys
from browse.security.sidecar import Sidecar
async def main():
    sidecar = Sidecar("m", [sys.executable, "-I", *sys.argv[1:]])
    sidecar.start()
    await asyncio.Event().wait()
asyncio.run(main())
"""


def test_it_ends_when_the_daemon_is_killed(tmp_path):
    started = tmp_path / "started"
    argv = [sys.executable, "-I", "-c", DAEMON, "-c", LOADING, str(started)]
    with running(argv) as daemon:
        until(lambda: started.exists() and started.read_text().endswith("\n"), what="the sidecar")
        sidecar = psutil.Process(int(started.read_text()))

        daemon.kill()

        daemon.wait()
        see_gone([sidecar])
