"""Background tasks."""

import asyncio
import gc
import logging

import pytest

from browse.core.tasks import spawn


async def test_a_task_gives_its_result_and_has_its_name():
    async def work() -> int:
        return 7

    task = spawn(work(), name="count")

    assert await task == 7
    assert task.get_name() == "count"


async def test_a_task_that_nobody_holds_runs_to_its_end():
    finished = asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0)
        finished.set()

    spawn(work(), name="lonely")
    gc.collect()

    async with asyncio.timeout(20):
        await finished.wait()


async def test_a_failure_that_nobody_awaits_is_logged(caplog):
    async def work() -> None:
        raise ValueError("broken")

    task = spawn(work(), name="fragile")
    with caplog.at_level(logging.ERROR):
        await asyncio.wait({task})
        await asyncio.sleep(0)

    assert "task fragile failed" in caplog.text
    assert "broken" in caplog.text


async def test_a_cancelled_task_is_no_failure(caplog):
    task = spawn(asyncio.sleep(60), name="patient")
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task

    assert caplog.text == ""
