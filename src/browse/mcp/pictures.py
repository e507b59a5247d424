"""Pictures that a command took, as content that a model sees."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KINDS = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp"}
# Hosts refuse larger ones.
MAX_BYTES = 3_750_000
MAX_PICTURES = 8
INLINE = "data:image/png;base64,"
TOO_LARGE = "too large to show; name a file, or show less: --viewport, --clip, a selector"


def asked(words: tuple[str, ...], at: int = 0) -> tuple[str, ...]:
    """Return the words of a command that takes pictures, so that its reply leads to them.

    `at`: where the command is among them.
    """
    wanted = ["--json"]
    if words[at] == "screenshot" and not any(map(_kind, words)):
        wanted.append("--base64")  # without a file nothing is written
    flags = (flag for flag in wanted if flag not in words)
    return (*words[: at + 1], *flags, *words[at + 1 :])


def content(facts: dict[str, Any], *, saved: bool = True) -> list[dict[str, Any]]:
    """Return the pictures that the facts hold or name; what the page wrote names none.

    `saved`: also those in files.
    """
    if str(facts.get("data", "")).startswith(INLINE):
        data = facts.pop("data").removeprefix(INLINE)
        if len(data) <= MAX_BYTES * 4 // 3:
            return [_block(data, KINDS["png"])]
        facts["picture"] = TOO_LARGE
    named = list(dict.fromkeys(_paths(facts)))[:MAX_PICTURES] if saved else []
    found = ((_read(path), _kind(path)) for path in named if _kind(path))
    return [_block(base64.b64encode(data).decode(), kind) for data, kind in found if data]


def _block(encoded: str, kind: str) -> dict[str, Any]:
    return {"type": "image", "data": encoded, "mimeType": kind}


def _kind(path: str) -> str:
    return KINDS.get(path.rpartition(".")[2].lower(), "")


def _paths(facts: Any) -> Iterator[str]:
    if isinstance(facts, dict):
        for key, value in facts.items():
            if key == "path" and isinstance(value, str):
                yield value
            elif key != "page":
                yield from _paths(value)
    elif isinstance(facts, list):
        for item in facts:
            yield from _paths(item)


def _read(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError:  # it was moved since, or is not ours to read
        return b""
    return data if len(data) <= MAX_BYTES else b""
