"""The declaration of a command: `@command` reads everything off the function.

Positional parameters are arguments, keyword-only ones are flags (`bool` is a switch, a
`tuple[…, ...]` may be given several times, anything else takes a value), `*words` repeats. The
docstring is the help and its `Examples:` block is bound by a test. A wrong declaration is refused
at import, so it cannot reach a user.
"""

import inspect
import types
import typing
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, Literal

from browse.core.errors import Usage
from browse.core.scopes import Reach, Scope, Surface
from browse.registry.params import BUILT_IN, Doc, Param, Surroundings
from browse.registry.results import RESULTS, Result

Handler = Callable[..., Awaitable[Result]]
Deadline = float | Callable[[Mapping[str, Any]], float] | None
Writes = bool | Callable[[Mapping[str, Any]], bool]
Mutates = bool | Callable[[Mapping[str, Any]], bool]
DEFAULT_DEADLINE_S = 30.0
MUTATING = (Scope.WRITE, Scope.ADMIN)


class Lane(Enum):
    """What an invocation excludes while it runs."""

    TAB = "one command at a time on its tab"
    BROWSER = "nothing else runs in the browser meanwhile"
    FREE = "waits for nothing: answers while a page spins or a dialog is open"


Lanes = Lane | Callable[[Mapping[str, Any]], Lane]
Reaches = Reach | Callable[[Mapping[str, Any]], Reach]


class Group(StrEnum):
    """Sections of the help, in the order they are printed."""

    NAVIGATION = "Navigation"
    READING = "Reading"
    INSPECTION = "Inspection"
    SNAPSHOT = "Snapshot"
    INTERACTION = "Interaction"
    VISUAL = "Visual"
    STYLE = "Style"
    EXTRACTION = "Extraction"
    TABS = "Tabs"
    STATE = "State"
    NETWORK = "Network and emulation"
    RECORDING = "Recording"
    NOTES = "Notes"
    SKILLS = "Skills"
    AUTOMATION = "Automation"
    PAIRING = "Pairing"
    META = "Meta"
    SERVER = "Server"
    SETUP = "Set-up"


@dataclass(frozen=True, slots=True)
class Arg:
    """One parameter of a command."""

    name: str
    param: Param
    doc: Doc
    required: bool
    default: Any = None
    flag: bool = False
    switch: bool = False
    repeats: bool = False
    choices: tuple[str, ...] = ()

    @property
    def spelled(self) -> str:
        # A name such as `global_` makes room for a word that is Python's own.
        flag = "--" + self.name.rstrip("_").replace("_", "-")
        return flag if self.flag else self.metavar

    @property
    def metavar(self) -> str:
        return self.doc.metavar or self.param.metavar or self.name


@dataclass(frozen=True, slots=True)
class Spec:
    """Everything that is known about a command."""

    name: str
    group: Group
    scope: Scope
    surfaces: Surface
    lane: Lanes
    reach: Reaches
    aliases: tuple[str, ...]
    reads_stdin: bool | str
    runs_here: bool
    acts: bool
    writes: Writes
    mutates: Mutates
    deadline: Deadline
    handler: Handler
    args: tuple[Arg, ...]
    summary: str
    body: str
    examples: tuple[str, ...]

    @property
    def arguments(self) -> tuple[Arg, ...]:
        return tuple(arg for arg in self.args if not arg.flag)

    @property
    def flags(self) -> tuple[Arg, ...]:
        return tuple(arg for arg in self.args if arg.flag)


_declared: list[Spec] = []


def declared() -> tuple[Spec, ...]:
    """List the commands declared so far, in order of declaration."""
    return tuple(_declared)


def command(
    *,
    group: Group,
    scope: Scope,
    surfaces: Surface = Surface.LOCAL,
    lane: Lanes = Lane.TAB,
    reach: Reaches | None = None,
    name: str = "",
    aliases: tuple[str, ...] = (),
    reads_stdin: bool | str = False,
    runs_here: bool = False,
    acts: bool = False,
    writes: Writes = False,
    mutates: Mutates | None = None,
    deadline: Deadline = DEFAULT_DEADLINE_S,
) -> Callable[[Handler], Handler]:
    """Declare a command.

    `lane`, `reach` and `deadline` (in seconds) may be functions of the bound values; a deadline of
    None is for a command whose parts have deadlines of their own. A command off the tab lane
    reaches the whole browser, which many callers may not, unless it says that it does not.
    `reads_stdin` may name the one argument with which stdin is read. `runs_here` commands need no
    daemon. `acts` commands change the page: their reply tells what
    that caused. `writes` says whether a file is written even if none is named, always or for some
    values. `mutates` commands wait for a person while automation is on; those that need the write
    or admin scope do, unless they say otherwise.
    """

    def register(handler: Handler) -> Handler:
        summary, body, examples = _read_docstring(handler)
        spec = Spec(
            name=name or handler.__name__.replace("_", "-"),
            group=group,
            scope=scope,
            surfaces=surfaces,
            lane=lane,
            reach=reach or (Reach.TAB if lane is Lane.TAB else Reach.BROWSER),
            aliases=aliases,
            reads_stdin=reads_stdin,
            runs_here=runs_here,
            acts=acts,
            writes=writes,
            mutates=scope in MUTATING if mutates is None else mutates,
            deadline=deadline,
            handler=handler,
            args=_read_signature(handler),
            summary=summary,
            body=body,
            examples=examples,
        )
        taken = {word for other in _declared for word in (other.name, *other.aliases)}
        if clash := taken & {spec.name, *spec.aliases}:
            raise TypeError(f"command declared twice: {', '.join(sorted(clash))}")
        _declared.append(spec)
        return handler

    return register


def _read_docstring(handler: Handler) -> tuple[str, str, tuple[str, ...]]:
    text = inspect.getdoc(handler) or ""
    prose, _, tail = text.partition("Examples:")
    summary, _, body = prose.strip().partition("\n")
    examples = tuple(line.strip() for line in tail.splitlines() if line.strip())
    if not summary or not examples:
        raise TypeError(f"{handler.__name__}: needs a docstring: a summary, and Examples:")
    return summary, body.strip(), examples


def _read_signature(handler: Handler) -> tuple[Arg, ...]:
    hints = typing.get_type_hints(handler, include_extras=True)
    returned = hints.get("return")
    if not set(typing.get_args(returned) or (returned,)) <= set(RESULTS):
        raise TypeError(
            f"{handler.__name__}: must return one of {[kind.__name__ for kind in RESULTS]}"
        )
    parameters = list(inspect.signature(handler).parameters.values())[1:]
    missing = [parameter.name for parameter in parameters if parameter.name not in hints]
    if missing:
        raise TypeError(f"{handler.__name__}: parameters without a type: {missing}")
    return tuple(
        _read_parameter(handler.__name__, parameter, hints[parameter.name])
        for parameter in parameters
    )


def _read_parameter(owner: str, parameter: inspect.Parameter, hint: Any) -> Arg:
    kind, metadata = _unwrap(hint)
    doc = next((item for item in metadata if isinstance(item, Doc)), Doc(""))
    flag = parameter.kind is inspect.Parameter.KEYWORD_ONLY
    several = flag and typing.get_args(kind)[-1:] == (...,)
    if several:
        kind, inner = _unwrap(typing.get_args(kind)[0])
        metadata += inner
    choices = typing.get_args(kind) if typing.get_origin(kind) is Literal else ()
    param = next((item for item in metadata if isinstance(item, Param)), None)
    if param is None and choices:
        param = _one_of(choices)
    if param is None and kind is not bool:
        param = BUILT_IN.get(kind)
    if param is None and not (flag and kind is bool):
        raise TypeError(f"{owner}: {parameter.name} has a type that no parser knows: {hint}")
    required = (
        parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL
    )
    return Arg(
        name=parameter.name,
        param=param or BUILT_IN[str],
        doc=doc,
        required=required,
        default=None if parameter.default is parameter.empty else parameter.default,
        flag=flag,
        switch=kind is bool,
        repeats=several or parameter.kind is parameter.VAR_POSITIONAL,
        choices=choices,
    )


def _unwrap(hint: Any) -> tuple[Any, list[Any]]:
    """Peel `Annotated[…]` and `… | None` off a type, collecting the metadata."""
    metadata: list[Any] = []
    while True:
        if hasattr(hint, "__metadata__"):
            metadata.extend(hint.__metadata__)
            hint = hint.__origin__
        elif isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
            rest = [item for item in typing.get_args(hint) if item is not type(None)]
            if len(rest) != 1:
                return hint, metadata
            hint = rest[0]
        else:
            return hint, metadata


def _one_of(choices: tuple[str, ...]) -> Param:
    def parse(raw: str, _: Surroundings) -> str:
        if raw not in choices:
            raise Usage(
                f"{raw[:40]!r} is not one of: {', '.join(choices)}", hint="choose one of them"
            )
        return raw

    return Param("|".join(choices), parse)
