"""Parse a `chain` script: a JSON array of arrays, or commands separated by bars."""

import re

import msgspec

from browse.core.errors import Usage

HINT = "browse chain 'goto https://example.com | text', or a JSON array of arrays on stdin"

# Quotes keep words together, and a backslash escapes the next character. Two bars are the `or` of
# JavaScript and part of a word.
_TOKEN = re.compile(
    r"""
    (?P<bar>\|(?!\|)) | (?P<space>\s+) | \\(?P<escaped>.) | '(?P<single>[^']*)'
    | "(?P<double>(?:\\.|[^"\\])*)" | (?P<open>['"]) | (?P<plain>[^\\'"|\s]+|\|\||\\)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def parse(text: str, *, bars_alone: bool = False) -> list[tuple[str, ...]]:
    """Split a script into steps, each a command with its words; empty steps are left out.

    With `bars_alone`, a bar inside a word does not separate: a shell has read the quotes around it.
    """
    text = text.strip()
    steps = _from_json(text) if text.startswith("[") else _from_bars(text, bars_alone=bars_alone)
    steps = [step for step in steps if step]
    if not steps:
        raise Usage("chain: no commands were given", hint=HINT)
    return steps


def _from_json(text: str) -> list[tuple[str, ...]]:
    try:
        return [tuple(step) for step in msgspec.json.decode(text, type=list[list[str]])]
    except (msgspec.DecodeError, UnicodeEncodeError) as exc:
        raise Usage(f"chain: the JSON is not an array of arrays of text: {exc}", hint=HINT) from exc


def _from_bars(text: str, *, bars_alone: bool) -> list[tuple[str, ...]]:
    steps: list[list[str]] = [[]]
    word: str | None = None
    for token in _TOKEN.finditer(text):
        kind = str(token.lastgroup)
        if kind == "bar" and bars_alone and not _stands_alone(token, text):
            word = (word or "") + "|"
            continue
        if kind == "open":
            raise Usage(f"chain: a {token[0]} is not closed", hint=HINT)
        if kind not in ("bar", "space"):
            word = (word or "") + _unquoted(token[kind], kind)
            continue
        steps[-1] += [] if word is None else [word]
        steps += [[]] if kind == "bar" else []
        word = None
    steps[-1] += [] if word is None else [word]
    return [tuple(step) for step in steps]


def _stands_alone(bar: re.Match[str], text: str) -> bool:
    around = text[max(0, bar.start() - 1) : bar.start()] + text[bar.end() : bar.end() + 1]
    return not around.strip()


def _unquoted(words: str, kind: str) -> str:
    return _ESCAPED.sub(r"\1", words) if kind == "double" else words
