"""Write script.py: short, so that a person can easily extend it."""

import inspect
import re
from collections.abc import Sequence

import msgspec

from browse.skills.recording import pieces
from browse.skills.recording.actions import Given
from browse.skills.recording.readings import RecordedReading
from browse.skills.recording.spelling import literal

MAX_LINE_CHARS = 80
# In the order in which they are written, the order of `pieces`.
PIECES = ("words", "down", "rows", "links", "with_query")
FROM_URLS = {
    "links": ("urljoin",),
    "with_query": ("parse_qsl", "urlencode", "urlsplit", "urlunsplit"),
}


class ScriptLine(msgspec.Struct, frozen=True):
    """A line of main, and the command that it runs; `reading` if it reads something."""

    code: str
    command: str
    reading: RecordedReading | None = None


class ScriptPlan(msgspec.Struct, frozen=True):
    """Everything that the script consists of."""

    name: str
    host: str
    start: str  # the code of the address to begin at
    flags: bool  # whether the first step opens the page itself, with flags of its own
    script_lines: tuple[ScriptLine, ...]
    given: tuple[Given, ...]

    @property
    def readings(self) -> tuple[RecordedReading, ...]:
        return tuple(it.reading for it in self.script_lines if it.reading)

    @property
    def parsed(self) -> tuple[RecordedReading, ...]:
        return tuple(it for it in self.readings if it.parsed)


def script(plan: ScriptPlan) -> str:
    """Write script.py."""
    main = _main(plan)
    uses = {use for it in plan.readings for use in it.uses}
    uses |= {use for use in ("words", "with_query") if f"{use}(" in "".join(main)}
    body = [_parser(it) for it in plan.parsed]
    body += [inspect.getsource(getattr(pieces, name)) for name in PIECES if name in uses]
    needs_node = any(re.search(r"\bNode\b", text) for text in body)
    takes_apart = plan.parsed or not plan.readings
    sdk = ["Browse", *(["Node"] if needs_node else []), *(["parse"] if takes_apart else []), "run"]
    urls = [name for use in PIECES if use in uses for name in FROM_URLS.get(use, ())]
    imports = [f"from urllib.parse import {', '.join(sorted(urls))}\n\n"] if urls else []
    imports += [f"from _lib.browse_client import {', '.join(sdk)}\n"]
    head = f'"""{plan.name}: as it was done by hand on {plan.host}, recorded by browse."""\n\n'
    defaults = [f"{it.name}={literal(it.default)}" for it in plan.given if it.default is not None]
    tail = f'if __name__ == "__main__":\n    run({_wrapped(["main", *defaults])})\n'
    return "\n\n".join([head + "".join(imports), *body, "\n".join(main) + "\n", tail])


def _wrapped(parts: Sequence[str], indent: int = 4) -> str:
    line = ", ".join(parts)
    if len(line) <= MAX_LINE_CHARS:
        return line
    inner = "".join(f"{' ' * indent}    {part},\n" for part in parts)
    return f"\n{inner}{' ' * indent}"


def _parser(reading: RecordedReading) -> str:
    url = ", url: str" if reading.needs_url else ""
    return (
        f"def parse_{reading.key}(html: str{url}) -> {reading.type}:\n"
        f'    """What step {reading.step.number}, {reading.step.command}, took from the page."""\n'
        f"    page = parse(html)\n"
        f"    return {reading.code}\n"
    )


class Move(msgspec.Struct, frozen=True):
    """Lines of main, the commands that they run, and the reading that needs the page anew."""

    lines: tuple[str, ...]
    commands: tuple[str, ...]
    shown: RecordedReading | None = None


def moves(plan: ScriptPlan) -> list[Move]:
    """Yield the body of main; a page that has not changed is not fetched again."""
    found: list[Move] = []
    current = False  # whether `html` is the page as it is now
    for doing in plan.script_lines:
        it = doing.reading
        if not it:
            current = False
            found.append(Move((doing.code,), (doing.command,)))
        elif not it.parsed:
            found.append(Move((f"{it.key} = {it.code}",), (doing.command,)))
        else:
            if not current:
                found.append(Move(("html = browse.html()",), ("html",), it))
            url, also = (", browse.url()", ("url",)) if it.needs_url else ("", ())
            found.append(Move((f"{it.key} = parse_{it.key}(html{url})",), also))
            current = True
    return [*found, _end(plan)]


def _end(plan: ScriptPlan) -> Move:
    if plan.readings:
        given = [f"{literal(it.key)}: {it.key}" for it in plan.readings]
        return Move((f"return {{{_wrapped(given, indent=8)}}}",), ())
    title = '"title": words(page.first("title"))'
    lines = "page = parse(browse.html())", f'return {{"url": browse.url(), {title}}}'
    return Move(lines, ("html", "url"))


def _main(plan: ScriptPlan) -> list[str]:
    return [
        "def main(browse: Browse, args: dict) -> dict:",
        f"    with browse.tab({'' if plan.flags else plan.start}):",
        *(f"        {line}" for move in moves(plan) for line in move.lines),
    ]


def commands(plan: ScriptPlan) -> list[str]:
    """List the commands that main runs, in order."""
    begin = ["newtab"] if plan.flags else ["newtab", "goto"]
    return [*begin, *(it for move in moves(plan) for it in move.commands), "closetab"]
