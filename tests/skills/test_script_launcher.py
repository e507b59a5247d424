"""The launcher that becomes the script: what the script may, and what it may not."""

from pathlib import Path

import pytest

from browse.skills import launcher, process, sandbox, script_runs
from browse.skills.process import Ended
from browse.skills.sandbox import Means, Sandbox

needs_landlock = pytest.mark.skipif(
    launcher.version() < 6, reason="this kernel has no Landlock of version 6"
)
TRIES = """
import os, subprocess, sys, threading
def tried(what):
    try:
        what()
    except BaseException as exc:
        return type(exc).__name__
    return "ok"
result = {
    "fork": tried(os.fork),
    "program": tried(lambda: subprocess.run([sys.executable, "-c", "1"], check=True)),
    "thread": tried(threading.Thread(target=int).start),
    "memory": tried(lambda: bytearray(2 << 30)),
    "read": tried(lambda: open("/etc/passwd")),
    "own": tried(lambda: open("x", "w").write("y")),
    "path": [it for it in sys.path if it.endswith("src")],
    "token": os.environ.get("AUTH_TOKEN"),
}
"""


async def ran(scratch: Path, code: str) -> tuple[Ended, str]:
    heard: list[str] = []

    async def hear(piece: str) -> None:
        heard.append(piece)

    (scratch / script_runs.SCRIPT).write_text(code)
    given = {"GSTACK_PORT": "1", "GSTACK_SKILL_TOKEN": "t"}
    plan = script_runs.plan(scratch, ["--arg", "a=b"], given, 1)
    ended = await process.run(plan, limit_s=30, hear=hear, by_line=False)
    return ended, "".join(heard)


@needs_landlock
async def test_a_script_starts_nothing_and_has_limits(tmp_path, monkeypatch):
    monkeypatch.setenv("AUTH_TOKEN", "secret")

    ended, _ = await ran(tmp_path, TRIES)

    told = script_runs.told(ended)
    assert told
    assert told.error is None
    assert told.result == {
        "fork": "PermissionError",
        "program": "PermissionError",
        "thread": "ok",
        "memory": "MemoryError",
        "read": "PermissionError",
        "own": "ok",
        "path": [],
        "token": None,
    }


async def test_what_it_prints_is_heard_as_it_is(tmp_path):
    ended, heard = await ran(tmp_path, "print('  a\\n\\nb', args)\nprint('é' * 9000)")

    assert heard == "  a\n\nb {'a': 'b'}\n" + "é" * 9000 + "\n"
    assert ended.code == 0


@pytest.mark.parametrize("means", [Means.NOTHING, Means.BUBBLEWRAP])
async def test_elsewhere_the_script_is_a_program_of_its_own(tmp_path, monkeypatch, means):
    if means is Means.BUBBLEWRAP and not sandbox._bubble_works():
        pytest.skip("bubblewrap does not work here")
    monkeypatch.setattr(sandbox, "available", lambda: Sandbox(means, means.value))

    ended, heard = await ran(tmp_path, "print(args)\nx = 1\n1 / 0")

    told = script_runs.told(ended)
    assert heard == "{'a': 'b'}\n"
    assert told
    assert told.error
    assert (told.error.line, told.error.text) == (3, "1 / 0")


async def test_a_script_that_is_out_of_time_tells_where_it_was(tmp_path):
    (tmp_path / script_runs.SCRIPT).write_text("import time\nwhile True:\n    time.sleep(9)")
    plan = script_runs.plan(tmp_path, [], {"GSTACK_PORT": "1", "GSTACK_SKILL_TOKEN": "t"}, 1)

    async def hear(_: str) -> None:
        pass

    ended = await process.run(plan, limit_s=2, hear=hear, by_line=False)

    told = script_runs.told(ended)
    assert ended.timed_out
    assert told
    assert told.error
    assert told.error.line == 3
