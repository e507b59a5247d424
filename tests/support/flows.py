"""Steps as a tab's journal has them, written by hand."""

from typing import Any

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.flow.steps import Mark, Shape, Step, Target
from browse.registry.spec import declared
from browse.registry.table import CommandTable

COMMANDS = CommandTable(declared())
URL = "http://shop.example.com/tea?q=assam"
PAGE = """<html><head><title>Tea</title></head><body>
<form><input name="q" type="search"><input type="password" name="pin" value="1234"></form>
<h1 class="top">Tea <b>shop</b></h1>
<table id="prices"><thead><tr><th>name</th><th>price</th></tr></thead>
<tbody><tr><td>Assam &amp; co</td><td>3 €</td></tr><tr><td>Ceylon</td><td>4 €</td></tr></tbody>
</table><ul id="list"><li>one</li><li><a href="/two">two</a></li></ul></body></html>"""
FIELD = Target("@e1", "searchbox", "Search tea", "input", 'input[name="q"]')
BUTTON = Target("@e2", "button", "Go", "button", "button")
TABLE = Target("#prices", "table", "", "table", "#prices")
ROWS = Shape("rows", count=2, fields=("name", "price"))


def a_step(number: int, command: str, *words: str, **more: Any) -> Step:
    """Write one step on the tea shop's page; a `target` is that of its first parameter."""
    target = more.pop("target", None)
    facts: dict[str, Any] = {"before": Mark(URL), "after": Mark(URL, "Tea", "00ff")}
    facts |= {"targets": {COMMANDS.find(command).arguments[0].name: target}} if target else {}
    return Step(number, "2026-11-16T08:00:00Z", 1, command, words=words, **{**facts, **more})


def a_flow() -> list[Step]:
    """A search in six commands, with what went wrong and what only looked between them."""
    return [
        a_step(1, "goto", "http://elsewhere.example.com/"),
        a_step(2, "text", shape=Shape("text", chars=9)),
        a_step(3, "goto", URL),
        a_step(4, "snapshot", "-i"),
        a_step(5, "fill", "@e1", "assam", target=FIELD),
        a_step(6, "click", "@e9", error="ref-stale"),
        a_step(7, "click", "@e2", "--double", target=BUTTON),
        a_step(8, "wait", "#prices"),
        a_step(9, "table", "#prices", target=TABLE, shape=ROWS),
        a_step(10, "table", "#prices", target=TABLE, shape=ROWS),
        a_step(11, "js", "document.title"),
        a_step(12, "text", "h1", target=Target("h1", "heading", "", "h1", "h1.top"),
               shape=Shape("text", chars=8)),
    ]  # fmt: skip
