"""`js` and `eval`: run JavaScript in the page."""

import asyncio
import base64
import binascii
import re
from contextlib import suppress
from typing import Annotated, Any

import msgspec

from browse.browser.reading.evaluate import ScriptValue, evaluate
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import well_formed
from browse.dispatch.context import Ctx
from browse.guard.files import ReadPath, WritePath, write_output
from browse.registry.params import Doc, Script, Source, WriteFile
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Group, command

MAX_SCRIPT_BYTES = 16 * 1024 * 1024
Out = Annotated[WriteFile | None, Doc("Write the result to this file instead of printing it.")]
Raw = Annotated[
    bool,
    Doc(
        "With --out: write a data: URL as text instead of decoding it. Without: print only the "
        "value, for the owner, unless to a terminal."
    ),
]


@command(
    group=Group.INSPECTION,
    scope=Scope.ADMIN,
    reads_stdin=True,
    aliases=("evaluate", "execute"),
)
async def js(
    ctx: Ctx, expression: Source | None = None, *, out: Out = None, raw: Raw = False
) -> PageText | Text:
    """Run JavaScript in the page and print the result.

    Accepts an expression or statements; `await` works. Objects are printed as JSON. Without an
    argument, or with `-`, the script is read from stdin.

    Examples:
        browse js 'document.title'
        browse js 'await fetch("/api").then(r => r.json())'
        browse js 'document.querySelector("canvas").toDataURL()' --out chart.png
    """
    from_stdin = expression is None or expression == "-"
    script = ctx.call.stdin.decode("utf-8", "replace") if from_stdin else str(expression)
    if not script.strip():
        raise Usage(
            "js: <expression> is missing", hint="Usage: browse js <expression> [--out file] [--raw]"
        )
    return await _run(ctx, script, out, raw=raw, label="JS")


@command(group=Group.INSPECTION, scope=Scope.ADMIN, surfaces=ANYWHERE)
async def eval(ctx: Ctx, file: Script, *, out: Out = None, raw: Raw = False) -> PageText | Text:
    """Run a JavaScript file in the page and print the result.

    A word that cannot be the name of a script, such as `1+1`, is run itself, as by `js`. A remote
    caller always sends the script itself instead of a file's name.

    Examples:
        browse eval ./extract.js
        browse eval ./extract.js --out rows.json
        browse eval 'document.title'
    """
    script = file if isinstance(file, str) else await asyncio.to_thread(_read_script, file)
    return await _run(ctx, script, out, raw=raw, label="Eval")


async def _run(
    ctx: Ctx, script: str, out: WritePath | None, *, raw: bool, label: str
) -> PageText | Text:
    frame, imported = ctx.tab.frame, ctx.browser.imported
    imported.check(frame.url)
    try:
        value = await evaluate(frame, script, hosts=sorted(imported.domains))
    except BrowseError:
        imported.check(frame.url)  # it may have gone elsewhere in the very moment
        raise
    if out is None:
        return PageText(value.text, ctx.tab.url, from_page(type=value.kind, value=_as_data(value)))
    size = await asyncio.to_thread(write_output, out, _as_bytes(value, raw=raw))
    return Text(
        f"{label} result written: {out.real} ({size} bytes)", {"path": out.real, "bytes": size}
    )


def _read_script(file: ReadPath) -> str:
    raw = file.read(MAX_SCRIPT_BYTES + 1)
    if len(raw) > MAX_SCRIPT_BYTES:
        message = f"{file.real} is larger than 16 MiB."
        raise BrowseError(Code.FILE_UNUSABLE, message, hint="split it")
    return raw.decode("utf-8", "replace")


def _as_data(value: ScriptValue) -> Any:
    if value.kind == "undefined":
        return None
    if value.kind == "json":
        # A page can replace JSON.stringify, or nest deeper than the decoder goes.
        with suppress(msgspec.DecodeError, RecursionError):
            return msgspec.json.decode(value.text)
    return value.text


def _as_bytes(value: ScriptValue, *, raw: bool) -> bytes:
    """Decode a base64 data: URL into bytes; encode anything else as text."""
    found = None if raw else re.fullmatch(r"data:[^,]*;base64,(.*)", value.text, re.DOTALL)
    if not found:
        return well_formed(value.text).encode()
    try:
        return base64.b64decode(found.group(1), validate=True)
    except (binascii.Error, ValueError) as exc:
        raise BrowseError(
            Code.SCRIPT_FAILED,
            "--out: malformed base64 in the data URL.",
            hint="add --raw to write it as text",
        ) from exc
