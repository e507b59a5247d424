"""The front matter of a SKILL.md, which describes the skill. The only importer of PyYAML.

YAML without its traps: every value is text, and anchors, tags, repeated and unknown keys are
errors with their line.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

MAX_HEAD_BYTES = 16_384
MAX_DEPTH = 4
NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
MAX_NAME_CHARS = 64
_ARG = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_HOST = re.compile(r"(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::[0-9]{1,5})?)")
_FENCE = re.compile(rb"^---[ \t]*\r?\n", re.MULTILINE)
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]+)`(?: - at `(.+)`)?")
_MISSING = re.compile(r"Object missing required field `([^`]+)`(?: - at `(.+)`)?")
_WRONG = re.compile(r"(.+) - at `(.+)`", re.DOTALL)
# libyaml is twelve times as fast; a Python without it reads the same.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class Faulty(Exception):
    """The front matter cannot be used; the message says why, and on which line."""


class SkillArg(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One argument that a skill takes as `--arg name=value`."""

    name: str
    description: str = ""
    default: str | None = None
    required: bool = False


class SkillManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a skill; `host` is `*` for one that works on any site."""

    host: str
    name: str = ""
    description: str = ""
    triggers: tuple[str, ...] = ()
    args: tuple[SkillArg, ...] = ()
    trusted: bool = False
    version: str = ""
    source: Literal["human", "agent", ""] = ""


def is_name(word: str) -> bool:
    """Check whether a word can be a skill's name: `lower-case-words`, 64 characters at most."""
    return len(word) <= MAX_NAME_CHARS and NAME.fullmatch(word) is not None


def is_argument(word: str) -> bool:
    """Check whether a word can be the name of a skill's argument."""
    return _ARG.fullmatch(word) is not None


def read(path: Path, name: str) -> SkillManifest:
    """Read the front matter of a SKILL.md whose folder has this name."""
    with path.open("rb") as file:
        about = parse(file.read(MAX_HEAD_BYTES + 1))
    if about.name and about.name != name:
        raise Faulty(f"its name is {about.name!r}, but its folder's is {name!r}")
    return about


def parse(raw: bytes) -> SkillManifest:
    """Parse the text between the first two lines of three dashes."""
    values, lines = _Reader(_head(raw)).top()
    try:
        about = msgspec.convert(values, SkillManifest, strict=False)
    except msgspec.ValidationError as exc:
        raise _explained(str(exc), lines) from None
    _check(about, lines)
    return about


def _head(raw: bytes) -> str:
    if not _FENCE.match(raw):
        raise Faulty("line 1: there must be `---`, then the fields, then `---` again")
    start = raw.index(b"\n") + 1
    end = _FENCE.search(raw + b"\n" if len(raw) <= MAX_HEAD_BYTES else raw, start)
    if end is None:
        raise Faulty(
            f"the fields do not end: no second `---` in the first {MAX_HEAD_BYTES:,} bytes"
        )
    try:
        return raw[start : end.start()].decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Faulty("it is not UTF-8") from None


class _Reader:
    """Builds plain values from YAML's events, and records the line of each."""

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        self._events = self._admitted(text)

    def top(self) -> tuple[dict[str, Any], dict[str, int]]:
        found = self._value(next(self._events), "$", 0)
        if not isinstance(found, dict):
            raise Faulty("line 2: the fields must be written as `key: value`")
        for event in self._events:
            raise Faulty(f"line {_line(event)}: there is more after the fields")
        return found, self._lines

    def _admitted(self, text: str) -> Iterator[Any]:
        around = (
            yaml.StreamStartEvent, yaml.DocumentStartEvent, yaml.DocumentEndEvent,
            yaml.StreamEndEvent,
        )  # fmt: skip
        empty = True
        try:
            for event in yaml.parse(text, Loader=_LOADER):
                if isinstance(event, around):
                    continue
                if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                    raise Faulty(f"line {_line(event)}: anchors and aliases are not allowed")
                if getattr(event, "tag", None):
                    raise Faulty(f"line {_line(event)}: tags are not allowed")
                empty = False
                yield event
        except yaml.YAMLError as exc:
            mark = getattr(exc, "problem_mark", None)
            where = f"line {mark.line + 2}: " if mark else ""
            problem = getattr(exc, "problem", None) or getattr(exc, "reason", "it is not YAML")
            raise Faulty(f"{where}{problem}") from None
        if empty:
            raise Faulty("there are no fields in it; at least `host:` is needed")

    def _value(self, event: Any, path: str, depth: int) -> Any:
        self._lines[path] = _line(event)
        if depth > MAX_DEPTH:
            raise Faulty(f"line {_line(event)}: it is nested too deeply")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path, depth)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path, depth)
        if not event.value.replace("\n", " ").isprintable():
            raise Faulty(f"line {_line(event)}: there is a control character in it")
        return event.value

    def _mapping(self, path: str, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(key := next(self._events), yaml.MappingEndEvent):
            if not isinstance(key, yaml.ScalarEvent) or key.value in found:
                raise Faulty(f"line {_line(key)}: a key must be one word, and stand there once")
            at = f"{path}.{key.value}"
            found[key.value] = self._value(next(self._events), at, depth + 1)
            self._lines[at] = _line(key)
        return found

    def _sequence(self, path: str, depth: int) -> list[Any]:
        found: list[Any] = []
        while not isinstance(item := next(self._events), yaml.SequenceEndEvent):
            found.append(self._value(item, f"{path}[{len(found)}]", depth + 1))
        return found


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 2  # the first line is the dashes


def _explained(problem: str, lines: dict[str, int]) -> Faulty:
    if found := _UNKNOWN.fullmatch(problem):
        path = found[2] or "$"
        known = SkillArg if "args" in path else SkillManifest
        fields = ", ".join(field.name for field in msgspec.structs.fields(known))
        line = lines.get(f"{path}.{found[1]}", 1)
        return Faulty(f"line {line}: unknown field {found[1]!r}; the fields are: {fields}")
    if found := _MISSING.fullmatch(problem):
        line = lines.get(found[2] or "$", 1)
        return Faulty(f"line {line}: the field {found[1]!r} is missing")
    if found := _WRONG.fullmatch(problem):
        return Faulty(f"line {lines.get(found[2], 1)}: {found[2][2:]}: {found[1]}")
    return Faulty(problem)


def _check(about: SkillManifest, lines: dict[str, int]) -> None:
    def wrong(path: str, reason: str) -> Faulty:
        return Faulty(f"line {lines.get(path, 1)}: {reason}")

    if about.name and not is_name(about.name):
        raise wrong("$.name", f"{about.name[:80]!r} is not a name: use lower-case-words")
    if not _HOST.fullmatch(about.host):
        raise wrong("$.host", "host must be a host name such as news.example.com, or '*'")
    names = [arg.name for arg in about.args]
    for number, arg in enumerate(about.args):
        if not is_argument(arg.name) or names.index(arg.name) != number:
            raise wrong(
                f"$.args[{number}]", "an argument's name is one word, and stands there once"
            )
        if arg.required and arg.default is not None:
            raise wrong(f"$.args[{number}]", f"{arg.name} is required, so it has no default")
