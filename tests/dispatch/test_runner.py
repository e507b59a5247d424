"""Running calls: every way to end, and what may run beside what."""

import asyncio
import json
import logging

import pytest

from browse import _exit
from browse.auth.caller import ROOT
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.core.tasks import spawn
from browse.dispatch.runner import KeptOutput
from browse.registry.params import WORD, Doc, Param
from browse.registry.results import PageText, Text
from browse.registry.signature import Argument
from browse.registry.spec import Lane
from support.fakes import FakeBrowser, FakeTab, a_call, a_caller, a_runner, a_spec, run

SHORT_S = 0.05


class Stage:
    """A handler that waits where it is told to, and writes down who is on."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.entered = asyncio.Semaphore(0)
        self.go = asyncio.Event()

    def spec(self, name: str, **changes):
        async def handler(ctx) -> Text:
            self.log.append(f"{name} in")
            self.entered.release()
            await self.go.wait()
            self.log.append(f"{name} out")
            return Text(name)

        return a_spec(handler, name, **changes)

    async def until_entered(self, count: int = 1) -> None:
        async with asyncio.timeout(20):
            for _ in range(count):
                await self.entered.acquire()


async def settle() -> None:
    """Let every task run as far as it can without outside help."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def started(runner, *words: str, **changes):
    return spawn(run(runner, *words, **changes), name="call")


async def test_the_result_is_rendered():
    async def handler(ctx) -> PageText:
        return PageText("hello", "https://example.com/")

    said, error = await run(a_runner(a_spec(handler)), "act")

    assert error is None
    assert said.startswith("--- page https://example.com/ [")


async def test_a_command_gets_the_services_that_it_names_and_no_others():
    async def handler(ctx, *, life) -> Text:
        assert not hasattr(ctx, "parts")
        return Text(f"up for {life.uptime_s()} s")

    said, error = await run(a_runner(a_spec(handler, services={"life": "life"})), "act")

    assert (said, error) == ("up for 12.5 s", None)


@pytest.mark.parametrize(
    ("caller", "marked"),
    [
        (ROOT, False),
        (a_caller(Scope.READ), True),
        (a_caller(Scope.READ, name="skill:news:0a1b"), False),
    ],
)
async def test_page_words_are_marked_for_models_elsewhere(caller, marked):
    async def handler(ctx) -> PageText:
        return PageText("words of the page", "x")

    said, error = await run(a_runner(a_spec(handler, "say")), "say", caller=caller)

    assert error is None
    assert ("\nwords of the page\n" not in said) == marked
    assert "words of the page" in said


async def test_no_words_are_a_usage_error():
    _, error = await run(a_runner())

    assert error
    assert error.code is Code.USAGE


async def test_an_error_is_rendered_as_json_where_json_was_asked_for():
    said, error = await run(a_runner(), "no-such-command", "--json")

    assert error
    assert json.loads(said)["code"] == error.code.value == "unknown-command"


async def test_output_goes_out_as_it_comes():
    async def handler(ctx) -> Text:
        await ctx.emit(Text("first"))
        return Text("second")

    kept = KeptOutput()
    await a_runner(a_spec(handler)).run(a_call("act"), kept)

    assert [piece.text for piece in kept.output] == ["first", "second"]
    assert kept.errors == []


async def test_the_settings_ceiling_holds_unless_the_caller_asks_for_another():
    async def handler(ctx) -> Text:
        return Text("line\n" * 20_000)

    runner = a_runner(a_spec(handler))

    assert len((await run(runner, "act"))[0]) < 50_200
    assert len((await run(runner, "act", "--max-chars", "100"))[0]) < 220
    assert len((await run(runner, "act", "--max-chars", "0"))[0]) == 100_000


async def test_a_command_that_takes_too_long_is_ended():
    async def handler(ctx) -> Text:
        await asyncio.sleep(60)
        raise AssertionError("it must not come this far")

    tab = FakeTab(1)
    said, error = await run(a_runner(a_spec(handler, deadline=SHORT_S), tabs=(tab,)), "act")

    assert error
    assert (error.code, error.exit) == (Code.TIMEOUT, _exit.TIMEOUT)
    assert "'act' did not finish" in said
    assert tab.freed.is_set()


async def test_a_clock_that_is_not_the_deadline_is_a_defect(caplog):
    async def handler(ctx) -> Text:
        raise TimeoutError("some socket")

    _, error = await run(a_runner(a_spec(handler)), "act")

    assert error
    assert error.code is Code.INTERNAL
    assert "some socket" in caplog.text


async def test_who_waits_too_long_for_a_tab_hears_who_holds_it_and_does_not_disturb(stage):
    tab = FakeTab(1)
    hurried = a_spec(name="hurried", deadline=SHORT_S, loads=1)  # it is not loading yet
    runner = a_runner(stage.spec("slow"), hurried, tabs=(tab,))
    holder = started(runner, "slow")
    await stage.until_entered()

    said, error = await run(runner, "hurried")

    assert error
    assert (error.code, error.exit) == (Code.TAB_BUSY, _exit.TIMEOUT)
    assert "Tab 1 is busy with `slow` for" in said
    assert not tab.freed.is_set()
    stage.go.set()
    assert (await holder)[1] is None


async def test_a_defect_becomes_an_incident_with_its_trace_in_the_log_only(caplog):
    async def handler(ctx) -> Text:
        raise KeyError("a secret of ours")

    with caplog.at_level(logging.ERROR):
        said, error = await run(a_runner(a_spec(handler)), "act", "--json")

    assert error
    assert (error.code, error.exit) == (Code.INTERNAL, _exit.FAILED)
    incident = error.message.partition("incident ")[2].rstrip(").")
    assert incident
    assert incident in caplog.text
    assert "KeyError: 'a secret of ours'" in caplog.text
    assert "secret" not in said
    assert "Traceback" not in said


async def test_the_log_does_not_have_the_arguments_of_a_defect(caplog):
    async def handler(ctx, word) -> Text:
        raise RuntimeError("oops")

    spec = a_spec(handler, args=(Argument("word", WORD, Doc(""), required=True),))
    await run(a_runner(spec), "act", "my-password")

    assert "my-password" not in caplog.text


async def test_the_trace_of_a_defect_does_not_quote_what_was_typed(caplog):
    async def handler(ctx, word) -> Text:
        raise RuntimeError(f"cannot fill {word}")

    secret = Param("", lambda raw, _: raw, noted=lambda _: "****")
    spec = a_spec(handler, args=(Argument("word", secret, Doc(""), required=True),))
    await run(a_runner(spec), "act", "my-password")

    assert "RuntimeError: cannot fill ****" in caplog.text
    assert "my-password" not in caplog.text


async def test_cancellation_frees_the_tab_and_goes_on(stage):
    tab = FakeTab(1)
    task = started(a_runner(stage.spec("slow"), tabs=(tab,)), "slow")
    await stage.until_entered()

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert tab.freed.is_set()
    assert tab.lock.holder() == ""


async def test_calls_on_one_tab_run_in_the_order_they_came(stage):
    runner = a_runner(*(stage.spec(name) for name in ("one", "two", "three")))
    stage.go.set()

    await asyncio.gather(*(run(runner, name) for name in ("one", "two", "three")))

    assert stage.log == ["one in", "one out", "two in", "two out", "three in", "three out"]


async def test_calls_on_different_tabs_run_side_by_side(stage):
    runner = a_runner(stage.spec("one"), stage.spec("two"), tabs=(FakeTab(1), FakeTab(2)))
    tasks = [started(runner, "one", tab_id=1), started(runner, "two", tab_id=2)]

    await stage.until_entered(2)

    assert stage.log == ["one in", "two in"]
    stage.go.set()
    await asyncio.gather(*tasks)


async def test_a_free_command_runs_while_a_tab_is_held(stage):
    runner = a_runner(stage.spec("slow"), a_spec(name="free", lane=Lane.FREE))
    holder = started(runner, "slow")
    await stage.until_entered()

    said, _ = await run(runner, "free")

    assert said == "done"
    stage.go.set()
    await holder


async def test_a_free_command_runs_without_a_browser():
    session = FakeBrowser()
    session.open_tabs = None
    runner = a_runner(a_spec(name="free", lane=Lane.FREE), a_spec(name="bound"), browser=session)

    assert (await run(runner, "free"))[1] is None
    _, error = await run(runner, "bound")
    assert error
    assert error.code is Code.BROWSER_START


async def test_a_browser_wide_command_waits_for_all_and_lets_nobody_in(stage):
    specs = [stage.spec("early"), stage.spec("alone", lane=Lane.BROWSER), stage.spec("late")]
    runner = a_runner(*specs, tabs=(FakeTab(1), FakeTab(2)))
    early = started(runner, "early", tab_id=1)
    await stage.until_entered()
    others = [started(runner, "alone"), started(runner, "late", tab_id=2)]
    await settle()
    before = list(stage.log)

    stage.go.set()
    await asyncio.gather(early, *others)

    assert before == ["early in"]
    assert stage.log == ["early in", "early out", "alone in", "alone out", "late in", "late out"]


async def test_a_step_that_runs_its_own_command_again_is_refused():
    async def handler(ctx) -> Text:
        step = await ctx.run(ctx.call.inner(("act",), within="act"))
        assert step.error
        return Text(step.output.text)

    said, _ = await run(a_runner(a_spec(handler, lane=Lane.FREE)), "act")

    assert "'act' cannot run inside itself" in said


async def test_a_step_has_no_more_rights_than_its_call():
    async def outer(ctx) -> Text:
        step = await ctx.run(ctx.call.inner(("inner",), within="outer"))
        assert step.error
        return Text(step.error.code.value)

    runner = a_runner(
        a_spec(outer, "outer", lane=Lane.FREE), a_spec(name="inner", scope=Scope.ADMIN)
    )
    said, _ = await run(runner, "outer", caller=a_caller(Scope.READ))

    assert said == "scope"


async def test_a_value_that_is_not_admitted_never_reaches_the_handler():
    called = []

    async def handler(ctx, url) -> Text:
        called.append(url)
        return Text("")

    async def admit(value, env) -> None:
        raise BrowseError(Code.URL_REFUSED, "no", hint="another")

    args = (Argument("url", Param("url", lambda raw, _: raw, admit=admit), Doc(""), required=True),)
    _, error = await run(a_runner(a_spec(handler, args=args)), "act", "x")

    assert error
    assert error.code is Code.URL_REFUSED
    assert called == []


async def test_words_that_are_too_long_are_refused_before_anything_reads_them():
    runner = a_runner(a_spec(name="look"))
    agent = a_caller(Scope.READ)

    _, error = await run(runner, "look", "x" * 300_000, caller=agent)
    _, within = await run(runner, "chain", caller=agent, stdin=b"x" * 300_000)

    assert [it.code for it in (error, within) if it] == [Code.TOO_LARGE] * 2
