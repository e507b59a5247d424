"""The language of `chain`: a JSON array of arrays, or commands separated by a bar."""

import msgspec

from browse.core.errors import Usage

HINT = "browse chain 'goto https://example.com | text', or a JSON array of arrays on stdin"


def parse(text: str) -> list[tuple[str, ...]]:
    """Split a script into steps, each a command with its words."""
    text = text.strip()
    if not text:
        raise Usage("chain: no commands were given", hint=HINT)
    steps = _from_json(text) if text.startswith("[") else _from_bars(text)
    if not steps or any(not step for step in steps):
        raise Usage("chain: a step is empty", hint=HINT)
    return steps


def _from_json(text: str) -> list[tuple[str, ...]]:
    try:
        return [tuple(step) for step in msgspec.json.decode(text, type=list[list[str]])]
    except (msgspec.DecodeError, UnicodeEncodeError) as exc:
        raise Usage(f"chain: the JSON is not an array of arrays of text: {exc}", hint=HINT) from exc


def _from_bars(text: str) -> list[tuple[str, ...]]:
    steps: list[list[str]] = [[]]
    for word, quoted in _words(text):
        if word == "|" and not quoted:
            steps.append([])
        else:
            steps[-1].append(word)
    return [tuple(step) for step in steps]


def _words(text: str) -> list[tuple[str, bool]]:
    """Split at spaces; quotes keep words together, a backslash keeps the next character."""
    found: list[tuple[str, bool]] = []
    word, quote, quoted, started = "", "", False, False
    chars = iter(text)
    for char in chars:
        if char == "\\" and quote != "'":
            word, quoted, started = word + next(chars, "\\"), True, True
        elif quote:
            word, quote = (word, "") if char == quote else (word + char, quote)
        elif char in "\"'":
            quote, quoted, started = char, True, True
        elif char.isspace():
            if started:
                found.append((word, quoted))
            word, quoted, started = "", False, False
        else:
            word, started = word + char, True
    if quote:
        raise Usage(f"chain: a {quote} is not closed", hint=HINT)
    return [*found, (word, quoted)] if started else found
