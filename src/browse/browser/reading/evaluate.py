"""Run a caller's JavaScript in the page, for `js` and `eval`."""

import re
from collections.abc import Sequence

import msgspec
from playwright.async_api import Frame

from browse.browser.driver_errors import translated
from browse.browser.driver_messages import own_lines
from browse.browser.page.engine_source import expression as page_script
from browse.core.errors import BrowseError, Code
from browse.core.text import well_formed

_LITERALS = re.compile(
    r"""
    (?P<kept> `(?:\\.|[^`\\])*` )           # may hold an await of its own
    | (?P<string> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
    | //[^\n]* | /\*.*?\*/
    """,
    re.DOTALL | re.VERBOSE,
)
_STATEMENT = re.compile(
    r"[;\n]|\b(?:const|let|var|function|class|return|throw|if|for|while|switch|try)\b"
)
_RUN = page_script("standalone/evaluate")
_REQUIRE_HOST = page_script("standalone/require_host")
# JSON.stringify escapes a lone surrogate; an escaped backslash does not start such an escape.
_LONE_ESCAPE = re.compile(r"(\\\\)|\\ud[89a-f][0-9a-f]{2}")


class ScriptValue(msgspec.Struct, frozen=True):
    """The value of an expression: its kind, and its text."""

    kind: str
    text: str


def runnable(expression: str) -> str:
    """Wrap code with a top-level `await` in an async function; return other code unchanged."""
    bare = _LITERALS.sub(_blank, expression).strip()
    if not re.search(r"\bawait\b", bare):
        return expression
    if _STATEMENT.search(bare):
        return f"(async () => {{\n{expression}\n}})()"
    return f"(async () => (\n{expression}\n))()"


def _blank(literal: re.Match[str]) -> str:
    return literal["kept"] or ('""' if literal["string"] else " ")


def _only_on(hosts: Sequence[str], *run: str) -> str:
    """Return the call of a check of the document's host, with what to run if it passes."""
    spelled = msgspec.json.encode([f"[{it}]" if ":" in it else it for it in hosts]).decode()
    return f"({_REQUIRE_HOST})({', '.join([spelled, *run])})"


def confined(expression: str, hosts: Sequence[str]) -> str:
    """Return a script as the driver takes it, which runs in documents of these hosts only.

    The page may go elsewhere at any time, so the document itself is asked. Without hosts, it runs
    everywhere.
    """
    source = runnable(expression)
    if not hosts:
        return source
    is_function = re.match(r"\s*(async\s+)?function\b", source)
    return f"{_only_on(hosts)};\n{f'({source})' if is_function else source}"


async def evaluate(frame: Frame, expression: str, *, hosts: Sequence[str] = ()) -> ScriptValue:
    """Run an expression or statements; return the last value, with promises awaited.

    With hosts, nothing is run in a document of another.
    """
    run = _only_on(hosts, _RUN) if hosts else _RUN
    with translated("running your script"):
        answer = await frame.evaluate(run, runnable(expression))
    try:
        value = msgspec.convert(answer, ScriptValue)
    except msgspec.ValidationError as exc:
        raise BrowseError(
            Code.SCRIPT_FAILED,
            "The page has replaced built-in JavaScript functions; the result cannot be read.",
            hint="`browse text` and `browse html` do not depend on them",
        ) from exc
    if value.kind == "syntax":
        raise BrowseError(
            Code.SCRIPT_FAILED,
            "Your script is not valid JavaScript. Nothing was run.",
            hint="look at its quotes and brackets; `browse eval <file>` has no shell in between",
            page=_cleaned(value),
        )
    return ScriptValue(value.kind, _cleaned(value))


def _cleaned(value: ScriptValue) -> str:
    text = own_lines(value.text) if value.kind == "error" else value.text
    if value.kind == "json":
        text = _LONE_ESCAPE.sub(lambda found: found[1] or "\ufffd", text)
    return well_formed(text)
