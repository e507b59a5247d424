"""Read the HTML for `load-html`, and check its size and that it looks like markup."""

import os
import re
from pathlib import Path

import msgspec

from browse.browser.tabs.tab import WaitUntil
from browse.core.errors import BrowseError, Code, Usage
from browse.guard.files import ReadPath

EXTENSIONS = (".html", ".htm", ".xhtml", ".svg")
_TAG_START = re.compile(rb"<[A-Za-z!?]")


class HtmlPayload(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """The JSON payload of `load-html --from-file`."""

    html: str
    wait_until: WaitUntil | None = None


def read_html(file: ReadPath, *, limit: int) -> str:
    """Read an HTML file; raise if it is not one."""
    path = Path(file.real)
    if path.suffix.lower() not in EXTENSIONS:
        raise _unusable(
            f"{path} does not appear to be HTML. Expected {'/'.join(EXTENSIONS)}, got "
            f"{path.suffix or 'no extension'}",
            "rename it, or `browse goto file://…` to show another kind of file",
        )
    with file.open() as opened:
        size = os.fstat(opened.fileno()).st_size
    if size > limit:
        raise _too_large(str(path), size, limit)
    return require_html(file.read(limit + 1), str(path), limit=limit)


def from_payload(file: ReadPath, *, limit: int, otherwise: WaitUntil) -> tuple[str, WaitUntil]:
    """Read HTML and load state from a JSON payload."""
    most = 6 * limit  # JSON may escape a character in six bytes
    raw = file.read(most + 1)
    if len(raw) > most:
        raise _too_large(file.real, None, limit)
    try:
        payload = msgspec.json.decode(raw, type=HtmlPayload)
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise Usage(
            f"load-html: {file.real} is not a payload: {exc}",
            hint='it must be {"html": "<p>…", "waitUntil": "load"}',
        ) from exc
    require_html(payload.html.encode("utf-8", "replace"), file.real, limit=limit)
    return payload.html, payload.wait_until or otherwise


def from_stdin(raw: bytes, *, limit: int) -> str:
    """Check the HTML that came on stdin."""
    return require_html(raw, "stdin", limit=limit)


def require_html(raw: bytes, origin: str, *, limit: int) -> str:
    """Check size and first bytes; return the decoded HTML."""
    if len(raw) > limit:
        raise _too_large(origin, len(raw), limit)
    start = raw.removeprefix(b"\xef\xbb\xbf")[:200].lstrip()
    if not _TAG_START.match(start):
        raise _unusable(
            f"{origin} does not start like markup (first bytes: {raw[:16].hex(' ')})",
            "it must start with a tag, <!doctype or <?xml",
        )
    return raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def _too_large(origin: str, size: int | None, limit: int) -> BrowseError:
    has = f"{size:,} bytes of HTML" if size is not None else "too much HTML"
    return _unusable(
        f"{origin} has {has}; the most is {limit:,} bytes",
        "set GSTACK_BROWSE_MAX_HTML_BYTES to more and `browse restart`, or serve it over http",
    )


def _unusable(message: str, hint: str) -> BrowseError:
    return BrowseError(Code.FILE_UNUSABLE, f"load-html: {message}.", hint=hint)
