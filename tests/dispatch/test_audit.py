"""The record of commands: complete, and without what a person typed."""

import asyncio
import json

import pytest

from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.registry.params import WORD, Doc, Param
from browse.registry.results import Text
from browse.registry.signature import Argument
from browse.registry.spec import Lane
from support.fakes import FakeTab, a_family, a_runner, a_spec, run

TYPED = "hunter22-typed"
ANY = Argument("words", WORD, Doc(""), required=False, repeats=True)


async def fine(ctx, *_: str) -> Text:
    return Text("done")


async def recorded(*words: str, spec=None, **changes) -> dict:
    """Run a command; give its line."""
    lines: list[str] = []
    runner = a_runner(*([spec] if spec else []), audit=lines.append, **changes)
    await run(runner, *words)
    assert len(lines) == 1
    return json.loads(lines[0])


async def test_a_line_says_what_was_done_where_and_how_it_went():
    tabs = (FakeTab(1, "https://a.example/p?token=abc"),)

    row = await recorded("act", "one", spec=a_spec(fine, args=(ANY,)), tabs=tabs)

    assert row.pop("ts").endswith("Z")
    assert isinstance(row.pop("durationMs"), int)
    assert row == {
        "cmd": "act",
        "args": "one",
        "origin": "https://a.example/p?token=****",
        "status": "ok",
        "mode": "launched",
        "client": "root",
    }


async def test_an_alias_is_kept_beside_the_name():
    spec = a_spec(fine, aliases=("do",))

    row = await recorded("do", "--json", spec=spec)

    assert (row["cmd"], row["aliasOf"], row["args"]) == ("act", "do", "--json")


async def test_a_sub_command_is_kept_as_the_first_word_and_the_rest():
    lines: list[str] = []
    runner = a_runner(*a_family(), audit=lines.append)

    await run(runner, "shelf", "--json", "list")
    await run(runner, "shelf")
    await run(runner, "shelf", "lsit")

    rows = [json.loads(line) for line in lines]
    assert [(row["cmd"], row["args"]) for row in rows] == [
        ("shelf", "--json list"),
        ("shelf", ""),
        ("shelf", "****"),
    ]
    assert not any("aliasOf" in row for row in rows)


async def test_an_error_is_told_in_our_words_only():
    async def failing(ctx, *_: str) -> Text:
        raise BrowseError(Code.NO_MATCH, f"no {TYPED} " + "x" * 400, hint="look", page="the page")

    hidden = Argument(
        "words", Param("", lambda raw, _: raw, noted=lambda _: "****"), Doc(""), False
    )
    row = await recorded("act", TYPED, spec=a_spec(failing, args=(hidden,)))

    assert row["status"] == "error"
    assert row["error"].startswith("no **** xxx")
    assert len(row["error"]) == 301


async def test_a_command_that_is_cut_off_has_a_line_too():
    lines: list[str] = []
    entered = asyncio.Event()

    async def endless(ctx) -> Text:
        entered.set()
        await asyncio.Event().wait()
        return Text("never")

    task = spawn(run(a_runner(a_spec(endless), audit=lines.append), "act"), name="call")
    await entered.wait()
    task.cancel()
    await asyncio.wait([task])

    assert json.loads(lines[0])["status"] == "cancelled"


@pytest.mark.parametrize(
    "words",
    [
        ["fill", "#pw", TYPED],
        ["cookie", f"sid={TYPED}"],
        ["storage", "set", "key", TYPED],
        ["chain", f"fill #pw {TYPED}"],
        ["tab-each", "fill", "#pw", TYPED],
        ["goto", f"https://ada:{TYPED}@127.0.0.1:1/?access_token={TYPED}"],
        ["js", f"fetch('/x', {{headers: {{authorization: 'Bearer {TYPED}'}}}})"],
        # Words that cannot be bound could be anything.
        ["fill", TYPED, "--no-such-flag"],
        ["url", TYPED],
        ["fil", "#pw", TYPED],
    ],
    ids=" ".join,
)
async def test_nothing_that_was_typed_is_written_down(words):
    lines: list[str] = []

    await run(a_runner(audit=lines.append), *words)

    assert json.loads(lines[-1])["cmd"] == words[0]
    assert TYPED not in "".join(lines)


@pytest.mark.parametrize(
    ("words", "args"),
    [
        (["press", "h"], "****"),
        (["press", "Shift+h", "--on", "#pw"], "--on=#pw ****"),
        (["press", "Digit7"], "****"),
        (["press", "Enter"], "Enter"),
        (["press", "Control+a"], "Control+a"),
        (["js", "document.querySelector('#pw').value = 'open sesame'"], "****"),
        (["wait", "--js", "login('ada', 'open sesame')"], "--js=****"),
        (["cdp", "DOM.getBoxModel", '{"search": "open sesame"}'], "DOM.getBoxModel ****"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
async def test_keys_that_type_and_scripts_are_not_written_down(words, args):
    lines: list[str] = []
    runner = a_runner(audit=lines.append)

    await run(runner, *words)

    assert [json.loads(line)["args"] for line in lines] == [args]
    assert {event["args"] for event in runner.parts.activity.latest(9)} == {args}


async def test_inner_commands_have_lines_of_their_own():
    lines: list[str] = []

    await run(a_runner(audit=lines.append), "chain", "url | goto about:blank")

    assert [json.loads(line)["cmd"] for line in lines] == ["url", "goto", "chain"]


async def test_words_no_encoder_takes_do_not_stop_the_record():
    row = await recorded("\ud800bad")

    assert (row["cmd"], row["error"]) == ("\\ud800bad", "unknown-command")


async def test_long_arguments_are_cut():
    row = await recorded("act", "x" * 500, spec=a_spec(fine, args=(ANY,), lane=Lane.FREE))

    assert row["args"] == "x" * 200 + "…"
