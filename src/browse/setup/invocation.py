"""What to type to call this browse again, in the shell that called it."""

import os
import shutil
import sys
from pathlib import Path

import browse

NAME = "browse"
SECOND = "gbrowse"  # another tool is called browse too


def spelled(*, path: str | None = None, folder: Path | None = None) -> str:
    """Return `browse` where PATH leads to this one, else the way to it from this folder."""
    own = script()
    found = shutil.which(NAME, path=path)
    if own is None or (found and Path(found).resolve() == own.resolve()):
        return NAME
    here = (folder or Path.cwd()).resolve()
    if own.parent == here:
        return f"./{NAME}"
    near = os.path.relpath(own, here)
    return near if len(near) < len(str(own)) else str(own)


def in_checkout() -> bool:
    """Check whether the program of a checkout starts us."""
    return _is_program(_of_checkout())


def script() -> Path | None:
    """Return the program that starts us: that of the checkout, or the one that was installed."""
    places = (_of_checkout(), Path(sys.prefix) / "bin" / NAME)
    return next((place for place in places if _is_program(place)), None)


def _of_checkout() -> Path:
    return Path(browse.__file__).resolve().parents[2] / NAME


def _is_program(place: Path) -> bool:
    return os.access(place, os.X_OK) and place.is_file()
