"""Running a caller's JavaScript in the page, as `js` and `eval` promise."""

import re

import msgspec
from playwright.async_api import Frame

from browse.browser.failures import translated
from browse.browser.scripts import source

_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STATEMENT = re.compile(
    r"[;\n]|\b(?:const|let|var|function|class|return|throw|if|for|while|switch|try)\b"
)


_RUN = source("run").rstrip().rstrip(";")


class Value(msgspec.Struct, frozen=True):
    """What an expression gave: its kind, and its text."""

    kind: str
    text: str


def runnable(expression: str) -> str:
    """Wrap top-level `await` in an async function; leave anything else as it is."""
    bare = _COMMENTS.sub(" ", expression).strip()
    if not re.search(r"\bawait\b", bare):
        return expression
    if _STATEMENT.search(bare):
        return f"(async () => {{\n{expression}\n}})()"
    return f"(async () => (\n{expression}\n))()"


async def evaluate(frame: Frame, expression: str) -> Value:
    """Run an expression or statements; the result is the last value, promises awaited."""
    with translated("running your script"):
        return msgspec.convert(await frame.evaluate(_RUN, runnable(expression)), Value)
