"""Read single keys of the shared configuration: `key: value` lines, as a person types them.

Not a YAML parser: only keys at the left margin count, so nothing inside a block or a list can pass
for one. A file that cannot be read whole is not used at all.
"""

import re
from pathlib import Path

MAX_BYTES = 256 * 1024
_QUOTED = re.compile(r"""(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?""")


class Unreadable(Exception):
    """The file exists, but cannot be read or parsed."""


def last_value(path: Path, key: str) -> str | None:
    """Return the value of a key, the last one if it occurs several times; None if there is none."""
    text = read_text(path)
    line = re.compile(rf"{re.escape(key)}[ \t]*:(?:[ \t]+(.*))?")
    # Only line ends that every editor shows count.
    found = [match for each in text.split("\n") if (match := line.fullmatch(each.rstrip("\r")))]
    return _plain(found[-1][1] or "") if found else None


def read_text(path: Path) -> str:
    """Return the text of a small file; "" if it does not exist."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise Unreadable(f"{path.name} is larger than {MAX_BYTES // 1024} KiB")
        return raw.decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except OSError as exc:
        raise Unreadable(f"{path.name} cannot be read: {exc.strerror}") from exc
    except UnicodeDecodeError as exc:
        raise Unreadable(f"{path.name} is not UTF-8") from exc


def _plain(value: str) -> str:
    """Strip quotes and a comment from a value."""
    value = value.strip()
    if quoted := _QUOTED.fullmatch(value):
        return quoted[1] if quoted[1] is not None else quoted[2]
    return re.split(r"(?:^|\s)#", value, maxsplit=1)[0].rstrip()
