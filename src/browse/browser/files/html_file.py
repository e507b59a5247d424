"""What `load-html` accepts: markup of bounded size that really begins like markup."""

import re
from pathlib import Path

import msgspec

from browse.browser.tabs.tab import WaitUntil
from browse.core.errors import BrowseError, Code, Usage
from browse.guard.files import ReadPath

EXTENSIONS = (".html", ".htm", ".xhtml")
_OPENER = re.compile(rb"<[A-Za-z!?]")


class Payload(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """The JSON form of `load-html --from-file`."""

    html: str
    wait_until: WaitUntil | None = None


def read_html(file: ReadPath, *, limit: int) -> str:
    """Read an HTML file, or say why it is not one."""
    path = Path(file.real)
    if path.suffix.lower() not in EXTENSIONS:
        raise _unusable(
            f"{path} does not appear to be HTML. Expected .html/.htm/.xhtml, got "
            f"{path.suffix or 'no extension'}",
            "rename it, or `browse goto file://…` to show another kind of file",
        )
    return checked(_read(path, limit), str(path), limit=limit)


def from_payload(file: ReadPath, *, limit: int, otherwise: WaitUntil) -> tuple[str, WaitUntil]:
    """Read the JSON payload."""
    raw = _read(Path(file.real), 6 * limit)  # JSON may spell a character in six bytes
    try:
        payload = msgspec.json.decode(raw, type=Payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise Usage(
            f"load-html: {file.real} is not a payload: {exc}",
            hint='it must be {"html": "<p>…", "waitUntil": "load"}',
        ) from exc
    checked(payload.html.encode("utf-8", "replace"), file.real, limit=limit)
    return payload.html, payload.wait_until or otherwise


def from_stdin(raw: bytes, *, limit: int) -> str:
    """Take the markup that came on stdin."""
    return checked(raw, "stdin", limit=limit)


def checked(raw: bytes, origin: str, *, limit: int) -> str:
    """Check size and beginning; decode."""
    if len(raw) > limit:
        raise _unusable(
            f"{origin} has {len(raw):,} bytes; load-html takes {limit:,}",
            "raise GSTACK_BROWSE_MAX_HTML_BYTES, or serve it over http",
        )
    start = raw.removeprefix(b"\xef\xbb\xbf")[:200].lstrip()
    if not _OPENER.match(start):
        raise _unusable(
            f"{origin} does not begin like markup (first bytes: {raw[:16].hex(' ')})",
            "it must start with a tag, <!doctype or <?xml",
        )
    return raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def _read(path: Path, limit: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as exc:
        raise _unusable(f"{path} cannot be read: {exc.strerror}", "check the file") from exc


def _unusable(message: str, hint: str) -> BrowseError:
    return BrowseError(Code.FILE_UNUSABLE, f"load-html: {message}.", hint=hint)
