"""Read a command's parameters, help and examples from its function.

Positional parameters are arguments, keyword-only ones are flags (`bool` is a switch, a
`tuple[…, ...]` may be given several times, anything else takes a value), `*words` repeats. A
keyword-only parameter whose type names a `Service` is filled in by the daemon. The docstring is the
help and its `Examples:` block is bound by a test.
"""

import inspect
import types
import typing
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec

from browse.core.errors import Usage
from browse.registry.params import BUILT_IN, Doc, Param, Surroundings
from browse.registry.results import RESULTS, Result

Handler = Callable[..., Awaitable[Result]]


class Argument(msgspec.Struct, frozen=True):
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
        # A name such as `global_` avoids a keyword of Python.
        flag = "--" + self.name.rstrip("_").replace("_", "-")
        return flag if self.flag else self.metavar

    @property
    def metavar(self) -> str:
        return self.doc.metavar or self.param.metavar or self.name


class Service(msgspec.Struct, frozen=True):
    """Marks a parameter that the daemon fills in with the service of this name."""

    name: str


def read_docstring(handler: Handler) -> tuple[str, str, tuple[str, ...]]:
    """Return the summary, the rest of the help and the examples; raise if one is missing."""
    text = inspect.getdoc(handler) or ""
    prose, _, tail = text.partition("Examples:")
    summary, _, body = prose.strip().partition("\n")
    examples = tuple(line.strip() for line in tail.splitlines() if line.strip())
    if not summary or not examples:
        raise TypeError(f"{handler.__name__}: needs a docstring: a summary, and Examples:")
    return summary, body.strip(), examples


def read_services(handler: Handler) -> dict[str, str]:
    """Return the parameters that the daemon fills in, each with the name of its service."""
    hints = typing.get_type_hints(handler, include_extras=True)
    return {
        name: item.name
        for name, hint in hints.items()
        for item in getattr(hint, "__metadata__", ())
        if isinstance(item, Service)
    }


def read_signature(handler: Handler) -> tuple[Argument, ...]:
    """Return the parameters that a caller gives, without the context."""
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
    services = read_services(handler)
    return tuple(
        _read_parameter(handler.__name__, parameter, hints[parameter.name])
        for parameter in parameters
        if parameter.name not in services
    )


def _read_parameter(owner: str, parameter: inspect.Parameter, hint: Any) -> Argument:
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
    return Argument(
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
    """Remove `Annotated[…]` and `… | None` from a type, and collect the metadata."""
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
