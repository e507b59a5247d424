"""What a handler may use."""

import pytest

from browse.core.errors import Code
from browse.registry.results import Text
from browse.registry.spec import Lane
from support.fakes import a_runner, a_spec, run


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
