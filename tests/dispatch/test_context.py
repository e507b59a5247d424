"""What a handler may use."""

import pytest
from msgspec.structs import replace

from browse.core.errors import Code
from browse.dispatch.runner import KeptOutput
from browse.registry.params import READ_FILE, Doc
from browse.registry.results import Text
from browse.registry.signature import Argument
from browse.registry.spec import Lane
from support.fakes import a_call, a_caller, a_runner, a_spec, run


@pytest.mark.parametrize("lane", [Lane.FREE, Lane.BROWSER])
async def test_a_command_off_the_tab_lane_has_no_tab(lane, caplog):
    async def handler(ctx) -> Text:
        return Text(ctx.tab.url)

    _, error = await run(a_runner(a_spec(handler, lane=lane)), "act")

    assert error
    assert error.code is Code.INTERNAL
    assert "declared on a lane without a tab" in caplog.text


async def test_a_handler_sees_its_call_its_settings_and_all_tabs():
    seen: dict[str, object] = {}

    async def handler(ctx) -> Text:
        seen.update(words=ctx.call.words, json=ctx.json, limit=ctx.settings.max_chars)
        seen["tabs"] = len(await ctx.tabs())
        return Text("")

    await run(a_runner(a_spec(handler)), "act", "--json")

    assert seen == {"words": ("act", "--json"), "json": True, "limit": 50_000, "tabs": 1}


async def test_a_note_goes_to_stderr_and_is_no_part_of_the_result():
    async def handler(ctx) -> Text:
        await ctx.note(Text("meanwhile"))
        return Text("done")

    runner, kept = a_runner(a_spec(handler)), KeptOutput()
    await runner.run(a_call("act", "--json"), kept)
    step = await runner._step(a_call("act"))

    assert [words.text for words in kept.errors] == ["meanwhile"]
    assert [words.text for words in kept.output] == ['{"text":"done"}']
    assert step.output.text == "done"


@pytest.mark.parametrize(("folder", "code"), [("mine", None), ("theirs", Code.PATH_REFUSED)])
async def test_a_caller_with_folders_of_its_own_reaches_no_other_file(tmp_path, folder, code):
    for name in ("mine", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.html").write_text("x")
    spec = a_spec(args=(Argument("file", READ_FILE, Doc(""), required=True),), handler=took)
    caller = replace(a_caller(), folders=(str(tmp_path / "mine"),))

    _, error = await run(a_runner(spec), "act", str(tmp_path / folder / "page.html"), caller=caller)

    assert (error.code if error else None) is code


async def took(_, file) -> Text:
    return Text(file.real)
