"""The shape of a result: how much of what, without the words."""

from collections.abc import Mapping
from typing import Any

from browse.flow.steps import Shape
from browse.guard.files import WritePath
from browse.registry.bind import Bound
from browse.registry.results import PageText, Result

MAX_FIELDS = 40
MAX_FIELD_CHARS = 60


def shape_of(bound: Bound, result: Result | None) -> Shape:
    """Return the shape of a result."""
    if any(isinstance(value, WritePath) for _, value in bound.pending):
        return Shape("file")
    if not isinstance(result, PageText):
        return Shape()
    page = result.data.get("page")
    return (isinstance(page, Mapping) and _of_data(page)) or Shape("text", chars=len(result.text))


def _of_data(page: Mapping[str, Any]) -> Shape | None:
    if isinstance(page.get("text"), str):
        return None
    for name, value in page.items():
        if isinstance(value, list) and value and name != "columns":
            first = value[0]
            names = page.get("columns") or (first if isinstance(first, Mapping) else ())
            return Shape("rows", count=len(value), fields=_names(names))
    for value in page.values():
        if isinstance(value, Mapping) and value:
            return Shape("fields", count=len(value), fields=_names(value))
    return None


def _names(names: Any) -> tuple[str, ...]:
    return tuple(str(name)[:MAX_FIELD_CHARS] for name in list(names)[:MAX_FIELDS])
