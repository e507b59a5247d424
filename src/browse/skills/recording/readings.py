"""Readings: by a parser of the markup if that gives the same result, else live.

A browser sees more than the markup: what is hidden, what is in frames and shadow roots. So a
parser is tried on the kept page, and used only if its result has the recorded shape.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from browse.flow.steps import Shape, Step, Target
from browse.registry.spec import Spec
from browse.sdk.browse_client import Node, parse
from browse.skills.recording import pieces, places
from browse.skills.recording.actions import SplitWords, named_in, not_findable
from browse.skills.recording.places import SelectorPart
from browse.skills.recording.spelling import literal

# White space may differ between markup and screen, but not the words.
SPARE_SHARE = 0.05
# The part of a command's facts that the SDK's methods return.
TAKEN = {"text": "text", "html": "html", "markdown": "text", "links": "links", "forms": "forms"}
TAKEN |= {"table": "rows", "attrs": "attributes"}
CALLED = {"table": "rows", "attrs": "attributes"}
# Tags that say nothing about their content.
PLAIN = ("a", "b", "body", "div", "i", "li", "main", "p", "section", "span", "table", "td", "ul")
PARSED = ("text", "table", "links", "attrs")
IN_FRAME = "it is in a frame"
NOT_ALIKE = "a parser of the markup gives something else"
NOT_KEPT = "its page is no longer kept: read it again, and record anew, for a parser"
TYPES = {"text": "str", "attrs": "dict[str, str]"}


class RecordedReading(msgspec.Struct, frozen=True):
    """One value that the skill returns: its name, and how it is read from the page."""

    step: Step
    key: str
    code: str  # an expression: of `page` (and `url`) if parsed, of `browse` if not
    parsed: bool
    why: str = ""  # it is read live
    uses: tuple[str, ...] = ()  # names from `pieces`
    sample: Any = None  # what the parser returns on the kept page

    @property
    def needs_url(self) -> bool:
        return self.parsed and self.step.command == "links"

    @property
    def type(self) -> str:
        return TYPES.get(self.step.command, "list[dict[str, str]]")


def wishes(step: Step) -> list[str]:
    """List candidate names for a reading."""
    target, usual = _target(step), CALLED.get(step.command, step.command)
    if target is None:
        return [usual]
    # The name of an element with text is that text, which changes; that of a table is its title.
    title = [target.name] if step.command == "table" else []
    typed = places.path(target.word)
    kind = [typed[-1].cls, "" if typed[-1].tag in PLAIN else typed[-1].tag] if typed else []
    return [*named_in(target.css), *named_in(target.word), *title, *kind, usual]


def reading(
    step: Step, spec: Spec, key: str, html: str | None, frame: Sequence[str]
) -> RecordedReading:
    """Decide how the script repeats the reading of a step."""
    said = SplitWords(spec, step.words)
    flags = {arg.name: word for arg, word in said.flags if arg in spec.flags}
    target = _target(step)
    inside = bool(frame) or bool(target and target.frame)
    tried = _parsed(step, key, html, flags) if html is not None and not inside else None
    if tried:
        return tried
    why = "" if step.command not in PARSED else IN_FRAME if inside else NOT_ALIKE
    if why == NOT_ALIKE and html is None:
        why = NOT_KEPT
    return RecordedReading(step, key, _live(step, spec, frame), parsed=False, why=why)


def again(step: Step, spec: Spec, html: str) -> Any:
    """Read another page as the parser of a step does; None if the element is missing."""
    flags = {arg.name: word for arg, word in SplitWords(spec, step.words).flags}
    page = parse(html)
    for at in _places(step, page, flags):
        node = places.find(page, at) if at else page
        if made := _made(step, page, node, places.code(at), flags):
            return made[1]
    return None


def _target(step: Step) -> Target | None:
    return next(iter(step.targets.values()), None)


def _parsed(
    step: Step, key: str, html: str, flags: dict[str, str | None]
) -> RecordedReading | None:
    page = parse(html)
    for at in _places(step, page, flags):
        node = places.find(page, at) if at else page
        made = _made(step, page, node, places.code(at), flags)
        if made and reproduces(made[1], step.shape):
            code, sample, uses = made
            uses = (*uses, "down") if any(part.child for part in at) else uses
            return RecordedReading(step, key, code, parsed=True, uses=uses, sample=sample)
    return None


def _places(step: Step, page: Node, flags: dict[str, str | None]) -> list[tuple[SelectorPart, ...]]:
    target = _target(step)
    if target:
        return [at for word in (target.css, target.word) if (at := places.path(word))]
    if step.command == "text":
        return [(SelectorPart("body"),)]
    return [(SelectorPart("table"),)] if step.command == "table" and "nth" not in flags else [()]


def _made(
    step: Step, page: Node, node: Node | None, place: str, flags: dict[str, str | None]
) -> tuple[str, Any, tuple[str, ...]] | None:
    """Write the parser's expression, and return its result on the kept page."""
    match step.command:
        case "text" if not flags:
            return f"words({place})", pieces.words(node), ("words",)
        case "table" if flags.get("nth"):
            at = int(flags["nth"] or 1) - 1
            chosen = dict(enumerate(page.every("table"))).get(at)
            code = f'rows(dict(enumerate(page.every("table"))).get({at}))'
            return None if step.targets else (code, pieces.rows(chosen), ("rows",))
        case "table":
            return f"rows({place})", pieces.rows(node), ("rows",)
        case "links" if not page.first("base"):
            return "links(page, url)", pieces.links(page, step.after.url), ("links",)
        case "attrs" if node:
            return f'({place} or Node("", {{}})).attrs', dict(node.attrs), ()
    return None


def reproduces(value: Any, shape: Shape) -> bool:
    """Check whether a parser returns what the command returned, as far as its shape shows."""
    if not value:
        return False
    if isinstance(value, str):
        spare = int(shape.chars * SPARE_SHARE)
        return shape.kind == "text" and abs(len(value) - shape.chars) <= spare
    if isinstance(value, dict):
        return is_alike(value, shape)
    says = any(any(row.values()) for row in value)
    return says and is_alike(value, shape) and len(value) == shape.count


def is_alike(value: Any, shape: Shape) -> bool:
    """Check whether a value is of the same type, with the same fields."""
    if isinstance(value, str):
        return shape.kind == "text"
    fields = set(shape.fields)
    if isinstance(value, dict):
        return shape.kind == "fields" and set(value) == fields
    return shape.kind == "rows" and all(set(row) == fields for row in value)


def _live(step: Step, spec: Spec, frame: Sequence[str]) -> str:
    said = SplitWords(spec, step.words)
    kept = [(arg, word) for arg, word in said.flags if arg in spec.flags and arg.name != "csv"]
    flags = [
        literal(arg.spelled if word is None else f"{arg.spelled}={word}") for arg, word in kept
    ]
    if frame and not spec.arguments:
        raise not_findable(step)
    words = [literal(word) for word in _selected(step, said.first(), frame)]
    command, taken = step.command, TAKEN.get(step.command)
    if flags or (command == "forms" and words):
        whole = f"browse.page({', '.join([literal(command), *flags, *words])})"
        return f"{whole}[{literal(taken)}]" if taken else whole
    inner = f"browse.{command}({', '.join(words)})"
    return f'{inner}["rows"]' if command == "table" else inner


def _selected(step: Step, word: str, frame: Sequence[str]) -> list[str]:
    target = _target(step)
    if target:
        found = places.selector(target, read=True)
        if not found:
            raise not_findable(step)
        return [found]
    inner = word or (":root" if frame else "")
    return [places.framed(frame, inner)] if inner else []
