"""The body of a note: text of limited size, with the line ends of this system."""

from browse.core.errors import BrowseError, Code
from browse.notes.note import MAX_BODY_BYTES

_SAVE = "browse domain-skill save --from-file note.md"


class NotSaved(BrowseError):
    """A note was not saved; `reason` says why, as part of a sentence."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(Code.NOTE, f"Save failed: {reason}. Nothing was changed.", hint=hint)
        self.reason = reason


class Blocked(NotSaved):
    """A note was not saved because of what it says; `by` names the rule: score or blocklist."""

    def __init__(self, reason: str, by: str) -> None:
        super().__init__(reason, "leave that out, and save the rest")
        self.by = by


def body_of(raw: bytes) -> str:
    """Decode a body; raise `NotSaved` if it is not one."""
    if len(raw) > MAX_BODY_BYTES:
        raise NotSaved(
            f"it has more than {MAX_BODY_BYTES:,} bytes",
            "keep what helps next time, and leave out the rest",
        )
    try:
        text = raw.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as exc:
        raise NotSaved(f"it is not UTF-8 text (byte {exc.start + 1})", "save it as UTF-8") from None
    if "\0" in text:
        raise NotSaved("it holds a NUL character, so it is no text", f"give a text: {_SAVE}")
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise NotSaved("empty body", f"pipe the note in, or name a file: {_SAVE}")
    return text + "\n"
