"""The commands under way."""

import asyncio
import json

import pytest

from browse.core.errors import BrowseError, Code
from browse.dispatch.runner import KeptOutput
from browse.dispatch.running import Running
from browse.registry.results import Text
from support.fakes import FakeLife, FakeTab, a_call, a_runner, a_spec

GRACE_S = 60.0  # only a hang reaches it


@pytest.fixture
def entered() -> asyncio.Event:
    return asyncio.Event()


@pytest.fixture
def endless(entered) -> Running:
    """One command that runs until it is ended."""

    async def handler(ctx) -> Text:
        entered.set()
        await asyncio.Event().wait()
        raise AssertionError("it must not come this far")

    return Running(a_runner(a_spec(handler)))


async def test_a_command_that_succeeds_ends_with_no_error():
    kept = KeptOutput()

    error = await Running(a_runner(a_spec())).start(a_call("act"), kept)

    assert error is None
    assert kept.output[0].text == "done"


async def test_the_idle_clock_stands_while_a_command_runs(endless, entered):
    task = endless.start(a_call("act"), KeptOutput())
    await entered.wait()
    while_running = endless.idle_s()
    task.cancel()
    await asyncio.wait({task})
    await asyncio.sleep(0.01)

    assert while_running == 0.0
    assert endless.idle_s() > 0.0


async def test_a_command_whose_caller_has_gone_is_cancelled_in_silence(endless, entered):
    kept = KeptOutput()
    task = endless.start(a_call("act"), kept)
    await entered.wait()

    task.cancel()
    await asyncio.wait({task})

    assert task.cancelled()
    assert kept.errors == []


@pytest.mark.parametrize("words", [("act",), ("act", "--json")])
async def test_at_the_end_every_command_is_told_why(endless, entered, words):
    kept = KeptOutput()
    task = endless.start(a_call(*words), kept)
    await entered.wait()

    await endless.stop(GRACE_S)

    assert task.done()
    error = task.result()
    assert error
    assert error.code is Code.DAEMON_STOPPING
    said = kept.errors[0]
    assert said.is_json is ("--json" in words)
    assert "stopping" in (json.loads(said.text)["error"] if said.is_json else said.text)


async def test_after_the_end_nothing_is_run(entered):
    async def handler(ctx) -> Text:
        entered.set()
        return Text("")

    running = Running(a_runner(a_spec(handler)))
    await running.stop(GRACE_S)

    error = await running.start(a_call("act"), KeptOutput())

    assert error
    assert error.code is Code.DAEMON_STOPPING
    assert not entered.is_set()


async def test_a_daemon_on_its_way_out_admits_nobody():
    life = FakeLife()
    running = Running(a_runner(a_spec(), life=life))
    running.admit()

    life.stop_soon("asked to")

    with pytest.raises(BrowseError, match="stopping"):
        running.admit()


async def test_the_tab_of_a_call_is_asked_of_the_runner():
    running = Running(a_runner(a_spec(), tabs=(FakeTab(4),)))

    assert await running.tab_of(a_call("act")) == 4


async def test_a_command_that_has_not_begun_is_told_as_well(endless):
    task = endless.start(a_call("act"), KeptOutput())

    await endless.stop(GRACE_S)

    error = task.result()
    assert error
    assert error.code is Code.DAEMON_STOPPING
