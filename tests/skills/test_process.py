"""Scripts in the care of the daemon: what they say, how they end, and that nothing is left."""

import asyncio
from pathlib import Path

import psutil
import pytest

from browse.core.errors import BrowseError
from browse.skills import process, sandbox
from browse.skills.process import MAX_OUTPUT_BYTES, Ended, Plan
from support.cli import until
from support.life import lives_still

LONG_S = 30.0
# Leaves a child that holds stdout and stderr; the script writes down who it is.
LEAVES_A_CHILD = """
import os, pathlib, sys, time
pid = os.fork()
if not pid:
    time.sleep(1000)
pathlib.Path(sys.argv[1]).write_text(f"{os.getpid()} {pid}")
print("done")
"""
STAYS = LEAVES_A_CHILD.replace(
    "print", "import signal; signal.signal(15, signal.SIG_IGN); time.sleep(1000); print"
)


async def run(code: str, *words: str, limit_s: float = LONG_S) -> tuple[Ended, list[str]]:
    heard: list[str] = []

    async def hear(line: str) -> None:
        heard.append(line)

    program = [sandbox.python(), "-I", "-S", "-c", code, *words]
    plan = Plan((), program, Path("/"), {"PATH": "/usr/bin", "MARK": "seen"})
    return await process.run(plan, limit_s=limit_s, hear=hear), heard


def pids(path: Path) -> list[int]:
    until(lambda: path.exists() and path.read_text().count(" "), what="its pids")
    return [int(word) for word in path.read_text().split()]


def see_gone(path: Path) -> None:
    left = pids(path)
    until(lambda: not any(map(lives_still, left)), what=f"the end of {left}")


async def test_output_log_and_exit_code_are_told():
    ended, heard = await run(
        "import os, sys; print('out', os.environ['MARK'], os.getcwd());"
        "print('one\\n\\x1b[31mtwo', file=sys.stderr); sys.stderr.write('three'); sys.exit(3)"
    )

    assert (bytes(ended.output), ended.code, ended.exit) == (b"out seen /\n", 3, 3)
    assert heard == ["one", "two", "three"]
    assert list(ended.log) == heard


async def test_output_is_whole_up_to_the_limit():
    ended, _ = await run(f"import sys; sys.stdout.write('x' * {MAX_OUTPUT_BYTES})")

    assert (len(ended.output), ended.too_much, ended.code) == (MAX_OUTPUT_BYTES, False, 0)


@pytest.mark.parametrize("words", [["x" * 3_000_000], []], ids=["too long", "no folder"])
async def test_what_cannot_be_started_is_told(tmp_path, words):
    folder = Path("/") if words else tmp_path / "gone"
    plan = Plan((), [sandbox.python(), "-c", "pass", *words], folder, {})

    with pytest.raises(BrowseError, match="cannot be started: "):
        await process.run(plan, limit_s=LONG_S, hear=nobody)


async def nobody(_: str) -> None:
    return


async def test_a_signal_is_told_as_shells_do():
    ended, _ = await run("import os; os.kill(os.getpid(), 11)")

    assert (ended.code, ended.exit) == (-11, 139)


async def test_lines_are_heard_while_the_script_runs(tmp_path):
    go = tmp_path / "go"
    heard: list[str] = []

    async def hear(line: str) -> None:
        heard.append(line)
        go.touch()

    code = (
        "import os, sys, time\nprint('ready', file=sys.stderr, flush=True)\n"
        f"while not os.path.exists({str(go)!r}): time.sleep(0.01)\nprint('went')"
    )
    plan = Plan((), [sandbox.python(), "-I", "-S", "-c", code], Path("/"), {})
    ended = await process.run(plan, limit_s=LONG_S, hear=hear)

    assert heard == ["ready"]
    assert ended.output == b"went\n"


async def test_too_much_output_ends_the_script():
    ended, _ = await run("while True: print('x' * 9999)")

    assert ended.too_much
    assert not ended.timed_out
    assert MAX_OUTPUT_BYTES < len(ended.output) < 2 * MAX_OUTPUT_BYTES


async def test_a_child_that_holds_the_output_ends_with_the_script(tmp_path):
    ended, _ = await run(LEAVES_A_CHILD, str(tmp_path / "pids"))

    assert (bytes(ended.output), ended.code) == (b"done\n", 0)
    see_gone(tmp_path / "pids")


async def test_the_time_limit_ends_the_whole_group_whatever_it_ignores(tmp_path):
    ended, _ = await run(STAYS, str(tmp_path / "pids"), limit_s=1.0)

    assert ended.timed_out
    assert ended.exit == 124
    see_gone(tmp_path / "pids")


async def test_whoever_is_cancelled_leaves_nothing(tmp_path):
    task = asyncio.ensure_future(run(STAYS, str(tmp_path / "pids")))
    await asyncio.to_thread(pids, tmp_path / "pids")

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    see_gone(tmp_path / "pids")


async def test_the_last_lines_are_kept_and_no_more():
    ended, heard = await run("import sys; [print(n, file=sys.stderr) for n in range(500)]")

    assert len(heard) == 500
    assert list(ended.log) == heard[-process.MAX_LAST_LINES :]


async def test_many_run_side_by_side():
    runs = await asyncio.gather(*(run(f"print({n})") for n in range(5)))

    assert [ended.output for ended, _ in runs] == [b"%d\n" % n for n in range(5)]


async def test_whoever_is_cancelled_at_once_leaves_nothing(tmp_path):
    task = asyncio.ensure_future(run(LEAVES_A_CHILD, str(tmp_path / "pids")))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    until(lambda: not running(str(tmp_path / "pids")), what="the end of all that was started")


def running(word: str) -> list[int]:
    return [it.pid for it in psutil.process_iter(["cmdline"]) if word in (it.info["cmdline"] or ())]
