"""How a script finds an element: by the selector that is most likely to last, or in markup."""

import keyword
import re
from collections.abc import Mapping, Sequence

import msgspec

from browse.browser.elements.in_frames import ENTER
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
# Attributes by which authors name elements; others may share a `type` or a class one day.
_NAMING = re.compile(
    rf"(?:{_NAME})?(?:#{_NAME}|\[(?:data-[\w-]+|id|name|aria-label|placeholder|title|for)="
    r'"(?:[^"\\]|\\.)*"\])+'
)
# Attributes that are other parameters of `Node.first`.
_PARAMETERS = {"self", "tag", "cls"}


class SelectorPart(msgspec.Struct, frozen=True):
    """One element of a selector: what it must match, and whether it is a direct child."""

    tag: str = ""
    cls: str = ""
    attrs: Mapping[str, str] = msgspec.field(default_factory=dict)
    nth: int = 0
    child: bool = False


def selector(target: Target, *, read: bool = False) -> str:
    """Choose the selector by which a script finds an element; "" if nothing is known of it.

    A selector that was typed, or made from the page, matched only this element. Role and name go
    before one that says little (`button`), but not before one that counts (`li:nth-of-type(3)`):
    there are several of those, which may have the same name. What is `read` is often named by the
    very words that change.
    """
    typed = "" if target.word.startswith("@") or target.frame else target.word
    named = target.css if _NAMING.fullmatch(target.css) else ""
    lonely = _COMPOUND.fullmatch(target.css) and "nth-of-type" not in target.css
    called = by_role(target) if (lonely and not read) or not target.css else ""
    chosen = named or typed or called or target.css
    return framed(target.frame, chosen) if chosen else ""


def by_role(target: Target) -> str:
    """Return role and name as a selector; "" if they are not enough."""
    name = target.name
    if not (target.role and name and len(name) <= MAX_ROLE_NAME_CHARS and name.isprintable()):
        return ""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'role={target.role}[name="{quoted}"s]'


def framed(frames: Sequence[str], inner: str) -> str:
    """Prefix a selector with its frames."""
    return ENTER.join([*frames, inner])


def path(css: str) -> tuple[SelectorPart, ...]:
    """Split a plain selector into parts; empty if it has more than a script can search for."""
    parts: list[SelectorPart] = []
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


def _part(found: re.Match[str], *, child: bool) -> SelectorPart:
    attrs = {
        name: re.sub(r"\\(.)", r"\1", value)
        for name, value in re.findall(_ATTRIBUTE, found["attributes"])
    }
    if found["id"]:
        attrs["id"] = found["id"][1:]
    tag, cls = (found["tag"] or "").lower(), (found["cls"] or "")[1:]
    return SelectorPart(tag, cls, attrs, int(found["nth"] or 0), child)


def _is_findable(part: SelectorPart) -> bool:
    if not part.child:
        return not part.nth and not _PARAMETERS & part.attrs.keys()
    return bool(part.tag) and not part.cls and not part.attrs


def find(page: Node, parts: Sequence[SelectorPart]) -> Node | None:
    """Find in markup what the code of `code` will find."""
    node: Node | None = page
    for part in parts:
        if part.child:
            node = down(node, _step(part))
        else:
            node = node.first(part.tag, part.cls, **part.attrs) if node else None
    return node


def code(parts: Sequence[SelectorPart]) -> str:
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


def _step(part: SelectorPart) -> str:
    return f"{part.tag}:{part.nth}" if part.nth > 1 else part.tag


def _arguments(part: SelectorPart) -> str:
    plain = [literal(part.tag)] if part.tag or part.cls else []
    plain += [literal(part.cls)] if part.cls else []
    for name, value in part.attrs.items():
        if name.isidentifier() and not keyword.iskeyword(name):
            plain.append(f"{name}={literal(value)}")
        else:
            plain.append(f"**{{{literal(name)}: {literal(value)}}}")
    return ", ".join(plain)
