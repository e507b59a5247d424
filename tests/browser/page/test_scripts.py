"""The page scripts, as far as they can be looked at without a page."""

import re
from pathlib import Path
from typing import Any

import pytest

from browse.browser.engine_name import ENGINE
from browse.browser.page import engine_source, scripts

PACKAGE = Path(scripts.__file__).parents[2]
JS = Path(scripts.__file__).parent / "js"
FILES = sorted(path.relative_to(JS).with_suffix("").as_posix() for path in JS.rglob("*.js"))
MAX_FILES = 20
MAX_COLUMNS = 119
# How JavaScript begins, and what only it has.
JAVASCRIPT = re.compile(
    r"""["']\(?[\w\s,.{}()]*=>|["']\(?(async )?function\b|\bdocument\.querySel"""
)
# One puts the files together, the other wraps the caller's own JavaScript.
WRAPPERS = {"browser/page/engine_source.py", "browser/reading/evaluate.py"}


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
    assert engine.name == ENGINE


async def test_the_engine_has_every_script(engine, case):
    for script in scripts.ALL:
        with case(script.name):
            assert (
                f'"{script.name}": {engine_source.expression(f"entry/{script.name}")}'
                in engine.script
            )


async def test_the_engine_is_ascii_which_costs_half_as_much_to_load(engine):
    assert engine.script.isascii()


def test_what_is_not_ascii_is_escaped(monkeypatch):
    monkeypatch.setattr(engine_source, "source", lambda _: "const found = /[“é]|\U0001f600/u;\n")

    assert engine_source.expression("any") == r"const found = /[\u201c\u00e9]|\ud83d\ude00/u"


def test_a_constant_has_the_name_of_its_file():
    declared = {
        name: value.name.rpartition("/")[2].upper()
        for name, value in vars(scripts).items()
        if isinstance(value, scripts.Script | scripts.Finder)
    }

    assert declared == {name: name for name in declared}


def test_every_file_is_used():
    code = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    used = {f"entry/{script.name}" for script in scripts.ALL}
    used |= {f"lib/{path}" for path in engine_source.LIBRARY} | {"engine"}
    used |= {f"standalone/{name}" for name in re.findall(r'"standalone/(\w+)"', code)}

    assert used == set(FILES)


def test_shared_parts_have_names_of_their_own():
    names = [engine_source.on_lib(path) for path in engine_source.LIBRARY]

    assert sorted(set(names)) == sorted(names)


def test_no_folder_is_overfull():
    folders = [JS, *(path for path in JS.rglob("*") if path.is_dir())]

    assert [path.name for path in folders if len(list(path.glob("*.js"))) > MAX_FILES] == []


def test_a_script_says_what_it_is_and_exports_one_thing(case):
    for path in FILES:
        with case(path):
            text = engine_source.source(path)

            assert text.startswith("/**")
            assert re.findall(r"^export\b.*?(?= \(| async| \w+ =>)", text, re.MULTILINE) == [
                "export default"
            ]


def test_a_script_is_typed_and_not_too_wide(case):
    for path in FILES:
        with case(path):
            lines = engine_source.source(path).splitlines()

            assert [
                line for line in lines if re.search(r"\{[^}]*\bany\b[^}]*\}.*\*/|@ts-", line)
            ] == []
            assert [line for line in lines if len(line) > MAX_COLUMNS] == []


def test_only_comments_stay_at_home(case):
    for path in FILES:
        with case(path):
            text = engine_source.source(path)

            for found in engine_source.COMMENT.finditer(text):
                lines = [line.strip() for line in found[0].splitlines()]
                assert all(line.startswith(("//", "/**", "*")) for line in lines)
            assert not re.search(
                r"^\s*(//|\*|/\*\*$)", engine_source.expression(path), re.MULTILINE
            )


def test_no_page_code_is_written_in_python():
    found = [
        path.relative_to(PACKAGE).as_posix()
        for path in (PACKAGE / "browser").rglob("*.py")
        if JAVASCRIPT.search(path.read_text("utf-8"))
    ]

    assert set(found) == WRAPPERS
