"""The page scripts, as far as they can be looked at without a page."""

from typing import Any

import pytest

from browse.browser.page import scripts


class FakeSelectors:
    """Keeps the engine that is registered."""

    async def register(self, name: str, script: str, *, content_script: bool) -> None:
        self.name, self.script, self.isolated = name, script, content_script


@pytest.fixture
async def engine() -> FakeSelectors:
    selectors: Any = FakeSelectors()
    await scripts.register(selectors)
    return selectors


async def test_the_engine_is_out_of_the_pages_reach(engine):
    assert engine.isolated
    assert engine.name == scripts.ENGINE


@pytest.mark.parametrize("script", scripts.ALL, ids=lambda script: script.name)
async def test_the_engine_has_every_script(engine, script):
    assert f'"{script.name}": {scripts.expression(f"entry/{script.name}")}' in engine.script


async def test_the_engine_is_ascii_which_costs_half_as_much_to_load(engine):
    assert engine.script.isascii()


def test_what_is_not_ascii_is_escaped(monkeypatch):
    monkeypatch.setattr(scripts, "source", lambda _: "const found = /[“é]|\U0001f600/u;\n")

    assert scripts.expression("any") == r"const found = /[\u201c\u00e9]|\ud83d\ude00/u"


@pytest.mark.parametrize("script", scripts.ALL, ids=lambda script: script.name)
def test_a_script_says_what_it_is(script):
    assert scripts.source(f"entry/{script.name}").startswith("/**")


def test_scripts_have_names_of_their_own():
    assert len({script.name for script in scripts.ALL}) == len(scripts.ALL)
