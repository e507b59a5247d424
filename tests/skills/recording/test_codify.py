"""From steps to files: what they say, that they run, and that no page's word becomes code."""

import ast
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.core.errors import BrowseError
from browse.core.text import well_formed
from browse.flow.steps import Mark, Shape, Target
from browse.skills import run_tests
from browse.skills.frontmatter import parse
from browse.skills.recording.choose import choose
from browse.skills.recording.codify import FLOW, codify
from browse.skills.template import LIBRARY, SDK
from support.flows import BUTTON, COMMANDS, FIELD, PAGE, ROWS, TABLE, URL, a_flow, a_step
from support.hostile import any_text, fuzz

FIXTURE = "fixtures/shop-example-com-2026-11-16.html"
SCRIPT = '''"""price-list: as it was done by hand on shop.example.com, recorded by browse."""

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from _lib.browse_client import Browse, Node, parse, run


def parse_prices(html: str) -> list[dict[str, str]]:
    """What step 5, table, took from the page."""
    page = parse(html)
    return rows(page.first(id="prices"))


def parse_h1(html: str) -> str:
    """What step 6, text, took from the page."""
    page = parse(html)
    return words(page.first("h1", "top"))
'''
MAIN = """
def main(browse: Browse, args: dict) -> dict:
    with browse.tab(with_query(args["url"], {"q": args["search_tea"]})):
        browse.fill('input[name="q"]', args["search_tea"])
        browse.click('role=button[name="Go"s]', "--double")
        browse.wait("#prices")
        html = browse.html()
        prices = parse_prices(html)
        h1 = parse_h1(html)
        return {"prices": prices, "h1": h1}


if __name__ == "__main__":
    run(main, url="http://shop.example.com/tea?q=assam", search_tea="assam")
"""
NASTY = (
    '"""', "'''", "---", "\n---\nhost: evil", "\0", "\u202e", "x" * 10_000, "'); import os; (",
    "{}", "\\", '"', "#", "${x}", "@@PAGES@@", "args", "main", "class", "`", "*/", "__",
)  # fmt: skip
CALLS = {
    "parse", "words", "rows", "down", "links", "first", "every", "tab", "html", "url", "run",
    "fill", "click", "wait", "text", "table", "goto", "with_query", "command", "markdown",
}  # fmt: skip

BUILT_IN = {"Node", "isinstance", "len", "int", "range", "enumerate", "append", "dict", "partition"}
BUILT_IN |= {"all", "get", "urljoin", "urlsplit", "urlunsplit", "parse_qsl", "urlencode"}
BUILT_IN |= {"_replace"}
# As a journal can have them; a word is never empty, and `***` in it is a secret.
words = (st.sampled_from(NASTY) | any_text).map(lambda it: f"x{well_formed(it)}".replace("***", ""))


def recorded(*steps, html=PAGE):
    return codify("price-list", choose(steps, COMMANDS), lambda _: html, COMMANDS)


def passes(recording, folder):
    for name, data in recording.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-B", run_tests.__file__, str(folder)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)["passed"]


def test_a_flow_by_hand_becomes_a_script_that_a_person_can_read():
    files = recorded(*a_flow()).files

    assert sorted(files) == sorted(
        ["SKILL.md", "script.py", "test_script.py", FLOW, LIBRARY, FIXTURE]
    )
    script = files["script.py"].decode()
    assert script.startswith(SCRIPT)
    assert script.endswith(MAIN)
    assert files[LIBRARY] == SDK.read_bytes()
    assert b"1234" not in files[FIXTURE]


def test_its_head_says_what_it_takes():
    about = parse(recorded(*a_flow()).files["SKILL.md"])

    assert (about.name, about.host, about.version) == ("price-list", "shop.example.com", "1.0.0")
    assert (about.trusted, about.source) == (False, "agent")
    assert about.description == "6 steps on shop.example.com; gives what they read (table, text)."
    assert about.triggers == ("price list", "price list on shop.example.com")
    assert {arg.name: arg.default for arg in about.args} == {"url": URL, "search_tea": "assam"}


def test_its_test_passes_and_fails_when_the_parser_finds_nothing(tmp_path):
    recording = recorded(*a_flow())

    assert passes(recording, tmp_path) == 3
    (tmp_path / FIXTURE).write_text("<p>Sorry")
    with pytest.raises(AssertionError, match="test_prices_is_found_and_not_empty failed"):
        subprocess_again(tmp_path)


def subprocess_again(folder):
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-B", run_tests.__file__, str(folder)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr


def test_the_same_steps_give_the_same_bytes():
    assert recorded(*a_flow()).files == recorded(*a_flow()).files


def test_the_steps_are_kept_for_checking_numbered_anew():
    flow = json.loads(recorded(*a_flow()).files[FLOW])

    assert flow["url"] == URL
    assert [step["number"] for step in flow["steps"]] == [1, 2, 3, 4, 5, 6]
    assert flow["parsed"] == [5, 6]


def test_a_flow_that_reads_nothing_gives_where_it_ended(tmp_path):
    recording = recorded(a_step(1, "goto", URL), a_step(2, "click", "@e2", target=BUTTON))

    assert passes(recording, tmp_path) == 1
    assert 'return {"url": browse.url(), "title": words(page.first("title"))}' in (
        recording.files["script.py"].decode()
    )


def test_it_begins_where_the_first_step_was_done_if_none_opened_a_page(tmp_path):
    recording = recorded(
        a_step(1, "fill", "@e1", "***", target=FIELD),
        a_step(2, "table", "#prices", target=TABLE, shape=ROWS),
        a_step(3, "press", "Enter"),
        a_step(4, "markdown"),
        a_step(5, "links", shape=Shape("rows", 0, 1, ("text", "href"))),
    )

    assert passes(recording, tmp_path) == 3
    assert json.loads(recording.files[FLOW])["secrets"] == {"1": "search_tea"}
    about = parse(recording.files["SKILL.md"])
    assert [(arg.name, arg.default, arg.required) for arg in about.args] == [
        ("url", URL, False), ("search_tea", None, True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "parsed"), [("<td></td><td>1</td>", True), ("<td></td>" * 2, False)]
)
def test_rows_may_be_empty_but_not_all_of_them(tmp_path, cells, parsed):
    rows = f"<tbody><tr>{cells}</tr><tr><td></td><td></td></tr></tbody>"
    html = f"<table id=prices><thead><tr><th>name</th><th>price</th></tr></thead>{rows}</table>"
    step = a_step(1, "table", "#prices", target=TABLE, shape=ROWS)

    recording = recorded(step, html=html)

    assert recording.readings[0].parsed is parsed
    assert passes(recording, tmp_path) == 1 + parsed


def test_pages_that_differ_are_kept_each_once(tmp_path):
    pages = {1: PAGE, 3: PAGE.replace("Ceylon", "Darjeeling"), 4: PAGE}
    table = [a_step(n, "table", "#prices", target=TABLE, shape=ROWS) for n in (1, 3)]
    steps = [table[0], a_step(2, "press", "Enter"), table[1]]

    recording = codify("tea", choose(steps, COMMANDS), pages.get, COMMANDS)

    assert [name for name in recording.files if "fixtures" in name] == [
        FIXTURE, FIXTURE.replace(".html", "-2.html"),
    ]  # fmt: skip
    assert passes(recording, tmp_path) == 3


@pytest.mark.parametrize("name", ["words", "html", "qsl", "class", "links", "main"])
def test_what_is_read_may_be_called_as_the_scripts_own_things_are(tmp_path, name):
    shape = Shape("text", chars=8)
    heading = Target(f"#{name}", "", "", "h1", f"#{name}")
    recording = recorded(
        a_step(1, "goto", URL),
        a_step(2, "fill", "@e1", "assam", target=FIELD),
        a_step(3, "text", f"#{name}", target=heading, shape=shape),
        a_step(4, "links", shape=Shape("rows", 0, 1, ("text", "href"))),
        html=PAGE.replace('class="top"', f'id="{name}"'),
    )

    assert all(it.parsed for it in recording.readings)
    assert passes(recording, tmp_path) == 3


def test_a_goto_with_flags_keeps_them(tmp_path):
    recording = recorded(
        a_step(1, "goto", URL, "--allowed-domains=shop.example.com"), a_step(2, "markdown")
    )

    assert 'browse.command("goto", "--allowed-domains=shop.example.com", "--", args["url"])' in (
        recording.files["script.py"].decode()
    )
    assert passes(recording, tmp_path) == 1


def test_frames_lead_the_way_and_are_left_with_the_page():
    frame = Target("iframe", "Iframe", "", "iframe", "iframe.shop")
    script = (
        recorded(
            a_step(1, "goto", URL),
            a_step(2, "frame", "iframe", targets={"target": frame}),
            a_step(3, "wait", "#prices"),
            a_step(4, "back", after=Mark("http://shop.example.com/")),
            a_step(5, "wait", "#prices"),
        )
        .files["script.py"]
        .decode()
    )

    assert 'browse.wait("iframe.shop >>> #prices")' in script
    assert 'browse.wait("#prices")' in script


@pytest.mark.parametrize("url", ["about:blank", "file:///etc/passwd", "data:text/html,x"])
def test_a_page_without_an_address_of_the_web_is_refused(url):
    with pytest.raises(BrowseError, match="not on a page with an address of the web"):
        recorded(a_step(1, "press", "Enter", before=Mark(url)))


@fuzz
@given(words, words)
def test_no_word_of_a_page_becomes_code(name, css):
    field = Target("@e1", css, name, "input", css)
    found = recorded(
        a_step(1, "goto", URL, after=Mark(URL, name, css)),
        a_step(2, "fill", "@e1", name, target=field),
        a_step(3, "table", css, target=Target(css, "table", name, "table", css)),
        a_step(4, "text", "h1", target=Target("h1", name, css, "h1", "h1"),
               shape=Shape("text", chars=8)),
    )  # fmt: skip
    tree = ast.parse(found.files["script.py"].decode())
    ast.parse(found.files["test_script.py"].decode())
    called = {
        ast.unparse(node.func).rpartition(".")[2]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
    assert {it for it in called if not it.startswith("parse_")} <= CALLS | BUILT_IN
    about = parse(found.files["SKILL.md"])
    assert (about.host, about.trusted) == ("shop.example.com", False)
    assert set(about.args[1].name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_")
    assert about.args[1].default in (name, None)
    if about.args[1].default is None:
        assert not name.replace("\n", " ").isprintable() or len(name) > 500
    assert not {line for line in found.files["SKILL.md"].decode().splitlines() if len(line) > 700}
