"""How a script names an element: by the selector that will hold longest; and finds it in markup."""

import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from browse.browser.elements.target import ENTER
from browse.flow.steps import Target
from browse.sdk.browse_client import Node
from browse.skills.recording.pieces import down
from browse.skills.recording.spelling import literal

MAX_ROLE_NAME_CHARS = 80
_NAME = r"[A-Za-z_][\w-]*"
_ATTRIBUTE = rf'\[({_NAME})="((?:[^"\\]|\\.)*)"\]'
_COMPOUND = re.compile(
    rf"(?P<tag>{_NAME})?(?P<id>#{_NAME})?(?P<cls>\.{_NAME})?(?P<attributes>(?:{_ATTRIBUTE})*)"
    r"(?::nth-of-type\((?P<nth>[0-9]{1,4})\))?"
)
_BETWEEN = re.compile(r"\s*>\s*|\s+")
# Attributes by which authors name a thing; `type` or a class is likely to be shared one day.
_NAMING = re.compile(
    rf"(?:{_NAME})?(?:#{_NAME}|\[(?:data-[\w-]+|id|name|aria-label|placeholder|title|for)="
    r'"(?:[^"\\]|\\.)*"\])+'
)
# What `Node.first` means something else by.
_PARAMETERS = {"self", "tag", "cls"}


@dataclass(frozen=True, slots=True)
class Part:
    """One element on the way to another: what it must be, and whether directly below."""

    tag: str = ""
    cls: str = ""
    attrs: Mapping[str, str] = field(default_factory=dict)
    nth: int = 0
    child: bool = False


def selector(target: Target, *, read: bool = False) -> str:
    """Choose what a script finds an element by; "" where nothing is known of it.

    A selector that was typed, or made from the page, found this element alone. Role and name go
    before one that says little (`button`), but not before one that counts (`li:nth-of-type(3)`):
    of those there are several, which may be called the same. What is `read` is often called by the
    very words that change.
    """
    typed = "" if target.word.startswith("@") or target.frame else target.word
    named = target.css if _NAMING.fullmatch(target.css) else ""
    lonely = _COMPOUND.fullmatch(target.css) and "nth-of-type" not in target.css
    called = by_role(target) if (lonely and not read) or not target.css else ""
    chosen = named or typed or called or target.css
    return framed(target.frame, chosen) if chosen else ""


def by_role(target: Target) -> str:
    """Spell role and name as a selector; "" where they cannot tell it."""
    name = target.name
    if not (target.role and name and len(name) <= MAX_ROLE_NAME_CHARS and name.isprintable()):
        return ""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'role={target.role}[name="{quoted}"s]'


def framed(frames: Sequence[str], inner: str) -> str:
    """Lead a selector into frames."""
    return ENTER.join([*frames, inner])


def path(css: str) -> tuple[Part, ...]:
    """Take a plain selector apart; nothing where it says more than a script can look for."""
    parts: list[Part] = []
    at, child = 0, False
    while at < len(css):
        found = _COMPOUND.match(css, at)
        if not found or found.end() == at:
            return ()
        parts.append(_part(found, child=child))
        at = found.end()
        between = _BETWEEN.match(css, at)
        if at < len(css) and (not between or between.end() == len(css)):
            return ()
        if between:
            child, at = ">" in between[0], between.end()
    return tuple(parts) if all(map(_is_findable, parts)) else ()


def _part(found: re.Match[str], *, child: bool) -> Part:
    attrs = {
        name: re.sub(r"\\(.)", r"\1", value)
        for name, value in re.findall(_ATTRIBUTE, found["attributes"])
    }
    if found["id"]:
        attrs["id"] = found["id"][1:]
    tag, cls = (found["tag"] or "").lower(), (found["cls"] or "")[1:]
    return Part(tag, cls, attrs, int(found["nth"] or 0), child)


def _is_findable(part: Part) -> bool:
    if not part.child:
        return not part.nth and not _PARAMETERS & part.attrs.keys()
    return bool(part.tag) and not part.cls and not part.attrs


def find(page: Node, parts: Sequence[Part]) -> Node | None:
    """Find in markup what the code that `code` writes will find."""
    node: Node | None = page
    for part in parts:
        if part.child:
            node = down(node, _step(part))
        else:
            node = node.first(part.tag, part.cls, **part.attrs) if node else None
    return node


def code(parts: Sequence[Part]) -> str:
    """Write the expression that finds an element in `page`."""
    written = "page"
    for at, part in enumerate(parts):
        if not part.child:
            owner = written if at == 0 else f'({written} or Node("", {{}}))'
            written = f"{owner}.first({_arguments(part)})"
        elif written.startswith("down("):
            written = f"{written[:-1]}, {literal(_step(part))})"
        else:
            written = f"down({written}, {literal(_step(part))})"
    return written


def _step(part: Part) -> str:
    return f"{part.tag}:{part.nth}" if part.nth > 1 else part.tag


def _arguments(part: Part) -> str:
    plain = [literal(part.tag)] if part.tag or part.cls else []
    plain += [literal(part.cls)] if part.cls else []
    for name, value in part.attrs.items():
        if name.isidentifier() and not keyword.iskeyword(name):
            plain.append(f"{name}={literal(value)}")
        else:
            plain.append(f"**{{{literal(name)}: {literal(value)}}}")
    return ", ".join(plain)
