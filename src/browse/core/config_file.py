"""Reads single keys of the shared configuration: `key: value` lines, as a person types them.

Not a YAML parser: only keys at the left margin count, so nothing inside a block or a list can pass
for one. What cannot be read whole is not read at all.
"""

import re
from pathlib import Path

MAX_BYTES = 256 * 1024
_QUOTED = re.compile(r"""(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?""")


class Unreadable(Exception):
    """The file is there, and cannot be made sense of."""


def last_value(path: Path, key: str) -> str | None:
    """Give the value of a key, the last one if it is there several times; None if there is none."""
    text = read_text(path)
    line = re.compile(rf"{re.escape(key)}[ \t]*:(?:[ \t]+(.*))?")
    # Only what every editor shows as a line is one.
    found = [match for each in text.split("\n") if (match := line.fullmatch(each.rstrip("\r")))]
    return _plain(found[-1][1] or "") if found else None


def read_text(path: Path) -> str:
    """Give the words of a small file; nothing for one that is not there."""
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
    """Take quotes and a comment off a value."""
    value = value.strip()
    if quoted := _QUOTED.fullmatch(value):
        return quoted[1] if quoted[1] is not None else quoted[2]
    return re.split(r"(?:^|\s)#", value, maxsplit=1)[0].rstrip()
