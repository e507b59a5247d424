"""The editors that people use, as npm has them: filled, typed into, pasted into and read."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from support.cli import CALL_S

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

ALL = (
    "ace",
    "codemirror5",
    "codemirror6",
    "draft",
    "lexical",
    "monaco",
    "quill",
    "tinymce",
    "tiptap",
)
AS_PAGES = (
    "--bundle",
    "--minify",
    "--charset=utf8",
    "--loader:.ttf=dataurl",
    '--define:process.env.NODE_ENV="production"',
    "--define:global=window",
    "--log-level=warning",
)
OLD = "old\n    words"
CODE = "def f(a):\n    if a:\n        return [1, (2)]\n    else:\n        return 'x'\n\nprint(f(1))"
LONG = "\n".join(f"line {number} of many" for number in range(2_000))
PAGE = """<!doctype html><link rel=stylesheet href=/editors/{name}.css>
<style>#editor {{ height: 300px; width: 600px; font-size: 14px }}</style>
<body><h1>{name}</h1><div id=editor></div><input aria-label=Beside value=same>
<script src=/editors/{name}.js></script>
<script>start(editor, {text!r}, {readonly})</script>"""


@pytest.fixture(scope="module")
def bundles(application) -> Path:
    """One script for each editor."""
    sources = [str(application.lock.parent / f"{name}.js") for name in ALL]
    folder = application.folder / "bundles"
    subprocess.run(
        [str(application.modules / ".bin" / "esbuild"), *sources, f"--outdir={folder}", *AS_PAGES],
        timeout=CALL_S,
        check=True,
        env={"PATH": os.environ["PATH"], "NODE_PATH": str(application.modules)},
    )
    return folder


@pytest.fixture
def show(browser, site, bundles):
    """Open an editor."""

    def go(name: str, text: str = OLD, *, readonly: bool = False):
        for kind, media in {"js": "text/javascript", "css": "text/css"}.items():
            file = bundles / f"{name}.{kind}"
            content = file.read_bytes() if file.exists() else b""
            site.page(f"/editors/{name}.{kind}", content, content_type=media)
        html = PAGE.format(name=name, text=text, readonly=str(readonly).lower())
        browser.ok("goto", site.page("/editors/page", html))
        browser.ok("wait", "--js", "!!window.held")
        return browser

    return go


def held(page) -> list[str]:
    """What an editor holds by its own account, without the empty lines that paragraphs make."""
    text = page.ok("js", "held()", "--max-chars", "100000").page
    return lines(text)


def lines(text: str) -> list[str]:
    return [line.replace("\xa0", " ").rstrip() for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("text", [CODE, "one line", LONG], ids=["code", "line", "long"])
def test_fill_replaces_all_that_an_editor_holds(show, name, text):
    page = show(name)

    page.ok("fill", "#editor", text)

    assert held(page) == lines(text)


@pytest.mark.parametrize("name", ALL)
def test_fill_replaces_a_text_of_which_an_editor_shows_only_a_part(show, name):
    page = show(name, LONG)

    page.ok("fill", "#editor", CODE)

    assert held(page) == lines(CODE)


@pytest.mark.parametrize("name", ALL)
def test_fill_without_a_value_empties_an_editor(show, name):
    page = show(name, CODE)

    page.ok("fill", "#editor")

    assert held(page) == []


@pytest.mark.parametrize("name", ALL)
def test_fill_of_an_editor_that_is_read_only_fails(show, name):
    page = show(name, readonly=True)
    before = held(page)

    ran = page.browse("fill", "#editor", CODE)

    assert ran.code in (1, 7), ran.out
    assert held(page) == before


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("word", ["type", "paste"])
def test_the_indentation_of_code_is_kept(show, name, word):
    page = show(name, "")

    page.ok(word, "--on", "#editor", CODE)

    assert held(page) == lines(CODE)


@pytest.mark.parametrize("name", ALL)
def test_an_editor_has_a_ref_that_takes_text_and_gives_it(show, name):
    page = show(name)
    tree = page.ok("snapshot", "-i").page
    ref = re.search(r'(@e\d+) \[textbox\](?! "Beside")', tree)
    assert ref, tree

    page.ok("fill", ref[1], CODE)

    assert held(page) == lines(CODE)
    assert lines(page.ok("value", ref[1], "--whole").page) == lines(CODE)
    assert "return 'x'" in page.ok("text", "#editor").page


@pytest.mark.parametrize("name", ALL)
def test_all_of_a_long_text_can_be_read_and_a_part_says_that_it_is_one(show, name):
    page = show(name, LONG)

    shown = page.browse("value", "#editor", "--max-chars", "100000")
    whole = page.ok("value", "#editor", "--whole", "--max-chars", "100000")

    assert lines(whole.page) == lines(LONG)
    assert "--whole" in shown.out + shown.err or lines(shown.page) == lines(LONG)
