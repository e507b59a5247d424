"""Turn a result into the text of a reply: cleaned, cut, wrapped.

`Outgoing` can only be made here, and replies are built from nothing else, so page words cannot
leave in another way.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from browse.core.controls import encode_json, visible
from browse.core.errors import BrowseError
from browse.core.text import well_formed
from browse.egress import ceiling, envelope, hidden
from browse.egress.marks import marked
from browse.guard.credentials import SEALED, masked
from browse.registry.results import PageText, Relayed, Result, SkillOutput, Text, from_page

_KEY = object()
Mask = Callable[[str], str]


class Wants(msgspec.Struct, frozen=True):
    """The form of reply that the caller asked for."""

    json: bool = False
    max_chars: int = 0
    after: int = 0
    marked: bool = False  # for callers other than the owner: put a mark into page words
    reveal: bool = False  # for the owner: show credentials unmasked
    raw: bool = False  # for the owner's scripts: only the value, without its envelope
    long: bool = False  # markers in the long form
    here: str = ""  # the address of the tab, if the caller knows it already

    @property
    def room(self) -> int:
        """How many characters of a text will be shown; 0 for all, or if that is not known."""
        return 0 if self.json else self.room_of_data

    @property
    def room_of_data(self) -> int:
        """The same, of data in which lists may end early if the result says what is `left`."""
        return 0 if self.after else self.max_chars


class Outgoing:
    """Text that passed through egress, and the same as data.

    `page` is the page words in it, without their envelope and marks. `is_ours`: every word is
    ours.
    """

    __slots__ = ("data", "is_json", "is_ours", "page", "text")

    def __init__(
        self,
        text: str,
        data: dict[str, Any],
        *,
        is_json: bool,
        key: object,
        page: str = "",
        is_ours: bool = False,
    ) -> None:
        if key is not _KEY:
            raise TypeError("Outgoing is made by egress only")
        self.text = visible(text)
        self.data = data
        self.is_json = is_json
        self.is_ours = is_ours
        self.page = page


def render(result: Result, wants: Wants) -> Outgoing:
    """Turn a handler's result into text that may leave."""
    if isinstance(result, Text) and result.whole:
        wants = replace(wants, max_chars=0, after=0, reveal=True, raw=False)
    if wants.json:
        return _json(result, wants)
    return _raw(result, wants) if wants.raw else _plain(result, wants)


def render_notes(result: Result, wants: Wants) -> Outgoing | None:
    """Return our notes on a value that leaves alone; None if there are none."""
    if not wants.raw or not isinstance(result, PageText):
        return None
    notes = "\n".join(filter(None, [result.note, hidden.warning(result)]))
    return Outgoing(notes, {}, is_json=False, key=_KEY) if notes else None


def render_error(error: BrowseError, wants: Wants) -> Outgoing:
    """Turn an error into text that may leave; page words in it are wrapped."""
    data: dict[str, Any] = {"error": error.message, "hint": error.hint, "code": error.code.value}
    data |= error.facts
    if error.page:
        data |= from_page(detail=ceiling.cut(_clean(error.page, wants), limit=4_000, after=0).text)
    data, encoded = _encode(data, wants)
    if wants.json:
        return Outgoing(encoded, data, is_json=True, key=_KEY)
    lines = [data["error"]]
    if error.page:
        lines += _wrapped(data["page"]["detail"], envelope.THE_PAGE, wants)
    lines.append(data["hint"])
    return Outgoing("\n".join(lines), data, is_json=False, key=_KEY)


def joined(output: Sequence[Outgoing]) -> Outgoing:
    """Join the pieces of one command's output, each on its own lines."""
    if len(output) == 1:
        return output[0]
    texts = [words.text for words in output if words.text]
    lines = [text if text.endswith("\n") else text + "\n" for text in texts[:-1]]
    last = output[-1]
    text = "".join([*lines, *texts[-1:]])
    page = "\n".join(words.page for words in output if words.page)
    ours = all(words.is_ours for words in output)
    return Outgoing(text, last.data, is_json=last.is_json, key=_KEY, page=page, is_ours=ours)


def _raw(result: Result, wants: Wants) -> Outgoing:
    """Return only the value; a script cannot tell a note from it, so there is none."""
    if isinstance(result, Relayed | SkillOutput):
        return _plain(result, wants)
    value = envelope.show_controls(_first_page(result, wants).text)
    page = value if isinstance(result, PageText) else ""
    return Outgoing(value, dict(result.data), is_json=False, key=_KEY, page=page)


def _plain(result: Result, wants: Wants) -> Outgoing:
    if isinstance(result, Relayed | SkillOutput):
        return Outgoing(SEALED.masked(result.text), dict(result.data), is_json=False, key=_KEY)
    page = _first_page(result, wants)
    text, quoted = page.text, ""
    if isinstance(result, PageText):
        quoted = page.text
        words = _wrapped(quoted, result.source, wants)
        notes = filter(None, [page.note, result.note])
        text = "\n".join([*words, *notes, *_about_hidden(result, wants)])
    elif page.note:
        text = f"{text}\n{page.note}"
    if isinstance(result, Text) and result.page:
        below = ceiling.cut(_clean(result.page, wants), limit=wants.max_chars, after=0)
        quoted = below.text
        words = _wrapped(quoted, result.source, wants)
        text = "\n".join(filter(None, [text, *words, below.note]))
    ours = isinstance(result, Text) and not result.page
    return Outgoing(text, dict(result.data), is_json=False, key=_KEY, page=quoted, is_ours=ours)


def _wrapped(words: str, source: str, wants: Wants) -> list[str]:
    """Wrap page words; return them and the line about the mark, if any."""
    known = (wants.here, envelope.THE_PAGE, words)
    source = "" if source in known and not wants.long else _clean(source, wants)
    if not wants.marked:
        return [envelope.wrap(words, source, long=wants.long)]
    # Marked last: until then, lines end in more ways than one.
    shown = marked(envelope.defuse(words))
    return [envelope.enclose(shown.text, source, long=wants.long), shown.note]


def _about_hidden(result: PageText, wants: Wants) -> list[str]:
    """Return the lines about hidden text; quotes of it are in their own envelope."""
    line, quoted = hidden.warning(result), _clean(hidden.quotes(result), wants)
    return [*([line] if line else []), *(_wrapped(quoted, result.source, wants) if quoted else [])]


def _first_page(result: Text | PageText, wants: Wants) -> ceiling.ReplyPage:
    text = _clean(result.text, wants)
    if isinstance(result, PageText) and result.ranks:
        limit, after = wants.max_chars, wants.after
        return ceiling.cut_by_rank(text, result.ranks, limit=limit, after=after, more=result.more)
    if result.entries:
        return ceiling.cut_log(text, result.entries, limit=wants.max_chars, after=wants.after)
    unread = isinstance(result, PageText) and result.unread
    return ceiling.cut(text, limit=wants.max_chars, after=wants.after, unread=unread)


def _json(result: Result, wants: Wants) -> Outgoing:
    data = dict(result.data) or _as_data(result)
    if isinstance(result, PageText) and (hidden_words := hidden.as_data(result)):
        data["hidden"] = hidden_words
    if isinstance(result, Relayed | SkillOutput):
        wants = Wants(json=True, reveal=True)  # it was rendered already, or must stay unchanged
    data, encoded = _encode(data, wants)
    left = result.left if isinstance(result, PageText) else 0
    too_long = wants.max_chars and len(encoded) > wants.max_chars
    if too_long or wants.after or left:
        entries = result.entries if isinstance(result, Text | PageText) else None
        limit, after = wants.max_chars, wants.after
        size = len(encoded)
        data = ceiling.trim(data, limit=limit, after=after, size=size, entries=entries, left=left)
        data, encoded = _encode(data, wants)
    return Outgoing(encoded, data, is_json=True, key=_KEY)


def _as_data(result: Result) -> dict[str, Any]:
    if isinstance(result, PageText):
        return from_page(text=result.text)
    return {"text": result.text}


def _encode(data: dict[str, Any], wants: Wants) -> tuple[dict[str, Any], str]:
    """Encode as JSON; clean the data if it has half a surrogate pair, which msgspec refuses.

    The whole text is searched for credentials at once, which is cheap.
    """
    try:
        encoded = encode_json(data).decode()
    except UnicodeEncodeError:
        data = _cleaned(data)
        encoded = encode_json(data).decode()
    mask = SEALED.masked if wants.reveal else masked
    if mask(encoded) == encoded:
        return data, encoded
    data = _masked(msgspec.json.decode(encoded), mask)
    return data, encode_json(data).decode()


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {well_formed(str(key)): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value


def _masked(value: Any, mask: Mask, name: str = "") -> Any:
    """Mask credentials in data; the name of a field may identify one."""
    if isinstance(value, str):
        before = f"{name}: "
        whole = mask(before + value)
        return whole[len(before) :] if whole.startswith(before) else mask(value)
    if isinstance(value, dict):
        return {mask(key): _masked(item, mask, key) for key, item in value.items()}
    return [_masked(item, mask, name) for item in value] if isinstance(value, list) else value


def _clean(text: str, wants: Wants) -> str:
    mask = SEALED.masked if wants.reveal else masked
    return mask(well_formed(text))
