"""From a result to the bytes that leave: clean, bounded, wrapped.

`Outgoing` can only be made here, and replies are built from nothing else, so no page word can
leave by another door.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from browse.core.errors import BrowseError
from browse.core.text import well_formed
from browse.egress import ceiling, envelope
from browse.registry.results import PageText, Relayed, Result, from_page

_KEY = object()


@dataclass(frozen=True, slots=True)
class Wants:
    """How the caller asked for the reply."""

    json: bool = False
    max_chars: int = 0
    after: int = 0


class Outgoing:
    """Words that passed through egress, and the same as data."""

    __slots__ = ("data", "is_json", "text")

    def __init__(self, text: str, data: dict[str, Any], *, is_json: bool, key: object) -> None:
        if key is not _KEY:
            raise TypeError("Outgoing is made by egress only")
        self.text = text
        self.data = data
        self.is_json = is_json


def render(result: Result, wants: Wants) -> Outgoing:
    """Turn a handler's result into words that may leave."""
    return _json(result, wants) if wants.json else _plain(result, wants)


def render_error(error: BrowseError, wants: Wants) -> Outgoing:
    """Turn an error into words that may leave; what the page wrote in it is wrapped."""
    data: dict[str, Any] = {"error": error.message, "hint": error.hint, "code": error.code.value}
    if error.page:
        data |= from_page(detail=ceiling.cut(error.page, limit=4_000, after=0).text)
    if wants.json:
        return Outgoing(_encode(data), data, is_json=True, key=_KEY)
    lines = [error.message]
    if error.page:
        lines.append(envelope.wrap(well_formed(data["page"]["detail"]), "page"))
    lines.append(error.hint)
    return Outgoing(well_formed("\n".join(lines)), data, is_json=False, key=_KEY)


def _plain(result: Result, wants: Wants) -> Outgoing:
    if isinstance(result, Relayed):
        return Outgoing(result.text, dict(result.data), is_json=False, key=_KEY)
    page = ceiling.cut(well_formed(result.text), limit=wants.max_chars, after=wants.after)
    text = envelope.wrap(page.text, result.source) if isinstance(result, PageText) else page.text
    if page.note:
        text = f"{text}\n{page.note}"
    return Outgoing(text, dict(result.data), is_json=False, key=_KEY)


def _json(result: Result, wants: Wants) -> Outgoing:
    data = dict(result.data) or _as_data(result)
    encoded = _encode(data)
    too_long = wants.max_chars and len(encoded) > wants.max_chars
    if (too_long or wants.after) and not isinstance(result, Relayed):
        data = ceiling.trim(data, limit=wants.max_chars, after=wants.after, size=len(encoded))
        encoded = _encode(data)
    return Outgoing(encoded, data, is_json=True, key=_KEY)


def _as_data(result: Result) -> dict[str, Any]:
    if isinstance(result, PageText):
        return from_page(text=result.text)
    return {"text": result.text}


def _encode(data: Any) -> str:
    """Encode as JSON; msgspec refuses lone surrogates, so strings are cleaned first."""
    try:
        return msgspec.json.encode(data).decode()
    except (UnicodeEncodeError, ValueError):
        return msgspec.json.encode(_cleaned(data)).decode()


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {well_formed(str(key)): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value
