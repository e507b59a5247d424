"""Read the files of a model, each only if its checksum is the one in `SHA256SUMS` beside it."""

import hashlib
from pathlib import Path

SUMS = "SHA256SUMS"
_HOW = "docs/security/classifier.md tells how to add it"


class UnusableModel(Exception):
    """A model that cannot be used: why, and what to do about it."""


class Files:
    """The folder of a model; a file is read once, so what is used is what was verified."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sums = _sums(folder)

    def the_only(self, suffix: str) -> str:
        """Return the one file with this suffix that the checksums list."""
        names = [name for name in self._sums if name.endswith(suffix)]
        if len(names) != 1:
            raise UnusableModel(f"{self._folder / SUMS} must list one {suffix} file; {_HOW}")
        return names[0]

    def read(self, name: str) -> bytes:
        if name not in self._sums:
            raise UnusableModel(f"{self._folder / SUMS} does not list {name}; {_HOW}")
        path = self._folder / name
        try:
            content = path.read_bytes()
        except OSError as exc:
            raise UnusableModel(f"{path} cannot be read ({exc.strerror}); {_HOW}") from None
        if hashlib.sha256(content).hexdigest() != self._sums[name]:
            raise UnusableModel(f"{path} is not what {SUMS} says: get it again; {_HOW}")
        return content


def _sums(folder: Path) -> dict[str, str]:
    try:
        text = (folder / SUMS).read_text("utf-8", "replace")
    except OSError as exc:
        raise UnusableModel(f"{folder / SUMS} cannot be read ({exc.strerror}); {_HOW}") from None
    # `sha256sum` writes the checksum, a space, a space or an asterisk, and the name.
    rows = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    if not all(len(row) == 2 for row in rows):
        raise UnusableModel(f"{folder / SUMS} is not what `sha256sum` writes; {_HOW}")
    return {name.lstrip("*").removeprefix("./").strip(): sum_.lower() for sum_, name in rows}
