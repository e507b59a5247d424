"""Taking leave of children: with more to say than anybody reads, or with heirs."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from types import SimpleNamespace
from typing import Any

import pytest

from browse.core.children import reap

FLOODS = "import sys; sys.stdout.write('x' * 1_000_000); sys.stdout.flush(); sys.stdin.read()"
LEAVES = """
import subprocess, sys
heir = subprocess.Popen(["sleep", "1000"], start_new_session=True)
print(heir.pid, flush=True)
sys.stdin.read()
"""


async def started(script: str, *, limit: int = 1024) -> Process:
    argv = [sys.executable, "-I", "-c", script]
    return await asyncio.create_subprocess_exec(*argv, stdin=PIPE, stdout=PIPE, limit=limit)


async def test_one_that_says_more_than_is_read_is_reaped():
    child = await started(FLOODS)
    assert child.stdout
    async with asyncio.timeout(50):
        while not child.stdout._paused:  # type: ignore[attr-defined]  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
        child.kill()

        await reap(child, limit_s=50)

    assert child.returncode == -signal.SIGKILL


@pytest.mark.parametrize("can_let_go", [True, False])
async def test_one_whose_heir_holds_its_pipe_is_not_waited_for(can_let_go):
    child = await started(LEAVES)
    assert child.stdout
    heir = int(await child.stdout.readline())
    pipes = child._transport  # type: ignore[attr-defined]  # see docs/dependencies.md
    # As an asyncio would be that calls its transport something else.
    other: Any = SimpleNamespace(stdout=child.stdout, wait=child.wait)
    try:
        child.kill()

        async with asyncio.timeout(50):
            await reap(child if can_let_go else other, limit_s=0.2)

        assert pipes.is_closing() is can_let_go
    finally:
        pipes.close()
        os.kill(heir, signal.SIGKILL)


async def test_who_is_cancelled_takes_leave_within_the_limit_as_well():
    child = await started(LEAVES)
    assert child.stdout
    heir = int(await child.stdout.readline())
    left = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            child.kill()
            await reap(child, limit_s=0.2)
            left.set()

    try:
        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task}, timeout=50)

        assert left.is_set()
    finally:
        os.kill(heir, signal.SIGKILL)
