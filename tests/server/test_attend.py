"""Watching over a running command."""

import asyncio

from browse.core.tasks import spawn
from browse.server import attend


async def never() -> dict:
    await asyncio.Event().wait()
    return {}


async def gone() -> dict:
    return {"type": "http.disconnect"}


async def test_a_caller_that_stays_is_told_so():
    task = spawn(asyncio.sleep(0, "done"), name="work")

    assert await attend.attend(task, never)
    assert task.result() == "done"


async def test_a_command_that_is_done_already_is_not_waited_for():
    task = spawn(asyncio.sleep(0, "done"), name="work")
    await task

    assert await attend.attend(task, never)


async def test_the_command_of_a_caller_that_goes_is_cancelled():
    task = spawn(asyncio.sleep(60), name="work")

    assert not await attend.attend(task, gone)
    assert task.cancelled()


async def test_the_rest_of_a_body_is_not_a_going():
    messages = [{"type": "http.request"}, {"type": "http.request"}, {"type": "http.disconnect"}]

    async def receive() -> dict:
        return messages.pop(0)

    task = spawn(asyncio.sleep(60), name="work")

    assert not await attend.attend(task, receive)
    assert messages == []


async def test_the_beat_comes_only_while_the_command_runs(monkeypatch):
    monkeypatch.setattr(attend, "HEARTBEAT_S", 0.001)
    release = asyncio.Event()
    beats = 0

    async def beat() -> None:
        nonlocal beats
        beats += 1
        if beats == 3:
            release.set()

    await attend.attend(spawn(release.wait(), name="work"), never, beat)

    assert beats == 3


async def test_nothing_is_left_behind_when_the_watcher_is_cancelled():
    task = spawn(asyncio.sleep(60), name="work")
    watching = spawn(attend.attend(task, never), name="attend")
    await asyncio.sleep(0)

    watching.cancel()
    await asyncio.wait({watching})
    task.cancel()
    await asyncio.sleep(0)

    names = {other.get_name() for other in asyncio.all_tasks()}
    assert "watch for the caller's going" not in names
