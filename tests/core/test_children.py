"""Children: what passes between them and us, how they end, and that nothing is left."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from browse.core.children import Child, Launch, described
from support.cli import until
from support.life import lives_still, see_gone
from support.running import running

LIMIT_S = 60
# Writes down who it is and whom it started, and ignores the first request to end.
STAYS = """
import os, pathlib, signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
heir = subprocess.Popen(["sleep", "1000"])
pathlib.Path(sys.argv[1]).write_text(f"{os.getpid()} {heir.pid} ")
signal.pause()
"""
DAEMON = """
import asyncio, sys
from browse.core.children import Child, Launch
async def main():
    child = await Child.start(Launch([sys.executable, "-I", *sys.argv[1:]]))
    await asyncio.Event().wait()
asyncio.run(main())
"""
FLOODS = "import sys; sys.stdout.write('x' * 1_000_000); sys.stdout.flush(); input()"


def python(code: str, *words: str, **how) -> Launch:
    return Launch([sys.executable, "-I", "-c", code, *words], **how)


async def ended(child: Child) -> str:
    async with asyncio.timeout(LIMIT_S):
        return await child.ended


def family(note: Path) -> list[psutil.Process]:
    until(lambda: note.exists() and note.read_text().count(" ") == 2, what="its pids")
    return [psutil.Process(int(word)) for word in note.read_text().split()]


async def stays(note: Path, **how) -> tuple[Child, list[psutil.Process]]:
    child = await Child.start(python(STAYS, str(note), **how))
    return child, await asyncio.to_thread(family, note)


@pytest.mark.parametrize(
    ("argv", "how", "words"),
    [
        (["sh", "-c", "exit 3"], "3", "ended with exit code 3"),
        (["sh", "-c", "kill -9 $$"], "-9", "was ended by signal 9"),
        (["/no/such"], "failed No such file or directory", None),
    ],
)
async def test_how_it_ended_is_told(argv, how, words):
    child = await Child.start(Launch(argv))

    assert await ended(child) == how
    assert described(how) == (words or "could not be started: No such file or directory")
    await child.end()


async def test_a_folder_that_is_not_there_is_an_error_at_once(tmp_path):
    with pytest.raises(FileNotFoundError):
        await Child.start(Launch(["true"], tmp_path / "gone"))


@pytest.mark.parametrize(
    ("stderr", "out", "err"),
    [("apart", b"out\n", b"err\n"), ("merged", b"out\nerr\n", b""), ("dropped", b"out\n", b"")],
)
async def test_output_is_read_apart_together_or_in_part(stderr, out, err):
    launch = Launch(["sh", "-c", "echo out; echo err >&2"], stderr=stderr)
    child = await Child.start(launch)
    await ended(child)

    assert await child.stdout.read() == out
    assert (await child.stderr.read() if stderr == "apart" else b"") == err
    await child.end()


async def test_a_question_is_answered():
    child = await Child.start(Launch(["cat"], stdin=True))
    question = b"x" * 3_000_000

    assert await child.exchange(question, max_bytes=len(question)) == question
    await child.kill()


async def test_an_answer_that_is_too_long_and_a_question_that_nobody_reads():
    child = await Child.start(python(FLOODS, stdin=True))
    with pytest.raises(ValueError, match="more than 10 bytes"):
        await child.exchange(b"", max_bytes=10)
    await child.kill()
    other = await Child.start(Launch(["true"], stdin=True))

    assert await other.exchange(b"x" * 3_000_000, max_bytes=10) == b""
    await other.kill()


async def test_one_that_takes_no_question_says_so():
    child = await Child.start(Launch(["true"]))

    with pytest.raises(OSError, match="stdin"):
        await child.exchange(b"x", max_bytes=10)
    await child.end()


async def test_whoever_ignores_the_request_is_ended_all_the_same(tmp_path):
    child, left = await stays(tmp_path / "pids", grace_s=0.1)

    await child.end()
    await child.end()

    see_gone(left)
    assert child.ended.result() == "-9"


async def test_killed_it_has_ended_when_we_come_back(tmp_path):
    child, left = await stays(tmp_path / "pids", grace_s=1000)

    await child.kill()

    assert not lives_still(left[0].pid)
    see_gone(left)


async def test_one_that_says_more_than_is_read_ends():
    child = await Child.start(python(FLOODS, stdin=True))
    async with asyncio.timeout(LIMIT_S):
        while not child.stdout._paused:  # type: ignore[attr-defined]  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)

        await child.kill()

    assert child.ended.result() == "-9"


async def test_what_left_the_group_and_holds_a_pipe_is_not_waited_for():
    code = (
        "import subprocess; heir = subprocess.Popen(['sleep', '1000'], start_new_session=True);"
        "print(heir.pid, flush=True)"
    )
    child = await Child.start(python(code))
    heir = int(await child.stdout.readline())
    try:
        async with asyncio.timeout(LIMIT_S):
            assert await child.ended == "0"
            await child.end()
    finally:
        os.kill(heir, signal.SIGKILL)


async def test_who_is_cancelled_at_once_leaves_nothing(tmp_path):
    word = str(tmp_path / "pids")
    task = asyncio.ensure_future(Child.start(python(STAYS, word)))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    until(
        lambda: not [it for it in psutil.process_iter(["cmdline"]) if word in _words(it)],
        what="the end of all that was started",
    )


def _words(process: psutil.Process) -> list[str]:
    return process.info["cmdline"] or []


async def test_the_death_of_the_supervisor_ends_the_program(tmp_path):
    child, left = await stays(tmp_path / "pids")

    os.kill(left[0].ppid(), signal.SIGKILL)

    assert await ended(child) == ""
    assert described("") == "was killed"
    see_gone(left)
    await child.end()


def test_a_daemon_that_is_killed_takes_its_children_along(tmp_path):
    note = tmp_path / "pids"
    with running([sys.executable, "-c", DAEMON, "-c", STAYS, str(note)]) as daemon:
        left = family(note)
        daemon.kill()

        daemon.wait()

    see_gone(left)


def test_it_costs_the_supervisor_next_to_no_imports():
    code = "import sys; from browse.core import supervisor; print(len(sys.modules))"
    bare = "import sys; print(len(sys.modules))"
    counts = [
        int(subprocess.check_output([sys.executable, "-I", "-c", each])) for each in (code, bare)
    ]

    assert counts[0] - counts[1] <= 6
