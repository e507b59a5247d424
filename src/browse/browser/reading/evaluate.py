"""Running a caller's JavaScript in the page, as `js` and `eval` promise."""

import re

import msgspec
from playwright.async_api import Frame

from browse.browser.driver_errors import own_lines, translated
from browse.browser.page.scripts import expression as page_script
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
# JSON.stringify spells half a character as an escape; an escaped backslash is not the start of one.
_LONE_ESCAPE = re.compile(r"(\\\\)|\\ud[89a-f][0-9a-f]{2}")


class Value(msgspec.Struct, frozen=True):
    """What an expression gave: its kind, and its text."""

    kind: str
    text: str


def runnable(expression: str) -> str:
    """Wrap top-level `await` in an async function; leave anything else as it is."""
    bare = _LITERALS.sub(_blank, expression).strip()
    if not re.search(r"\bawait\b", bare):
        return expression
    if _STATEMENT.search(bare):
        return f"(async () => {{\n{expression}\n}})()"
    return f"(async () => (\n{expression}\n))()"


def _blank(literal: re.Match[str]) -> str:
    return literal["kept"] or ('""' if literal["string"] else " ")


async def evaluate(frame: Frame, expression: str) -> Value:
    """Run an expression or statements; the result is the last value, promises awaited."""
    with translated("running your script"):
        answer = await frame.evaluate(_RUN, runnable(expression))
    try:
        value = msgspec.convert(answer, Value)
    except msgspec.ValidationError as exc:
        raise BrowseError(
            Code.SCRIPT_FAILED,
            "The page has replaced functions of JavaScript itself; the result cannot be read.",
            hint="`browse text` and `browse html` do not depend on them",
        ) from exc
    return Value(value.kind, _cleaned(value))


def _cleaned(value: Value) -> str:
    text = own_lines(value.text) if value.kind == "error" else value.text
    if value.kind == "json":
        text = _LONE_ESCAPE.sub(lambda found: found[1] or "\ufffd", text)
    return well_formed(text)
