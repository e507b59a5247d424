"""Extensions that the owner adds to Chromium: unpacked, from one folder.

One that could lead connections past our proxy is refused.
"""

import json
from pathlib import Path
from typing import Any

from browse.core.errors import BrowseError, Code
from browse.core.extension_id import MANIFEST

MAX_BYTES = 1024 * 1024
MAX_EXTENSIONS = 20
# What an extension may not ask for, and why.
REFUSED = {
    "proxy": "it could lead connections past our own proxy",
    "privacy": "it could let calls between browsers go past our own proxy",
    "debugger": "it could undo the rules of a tab",
}


def find_extensions(name: str) -> list[Path]:
    """Return the folders of the extensions in a folder, or the folder itself if it is one.

    "" holds none.
    """
    if not name:
        return []
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise _unusable(f"{folder} is not a folder")
    places = [folder] if (folder / MANIFEST).is_file() else sorted(folder.iterdir())
    found = [place.resolve() for place in places if (place / MANIFEST).is_file()]
    if not found:
        raise _unusable(f"{folder} holds no extension: a folder with a {MANIFEST}")
    if len(found) > MAX_EXTENSIONS:
        raise _unusable(f"{folder} holds more than {MAX_EXTENSIONS} extensions")
    for place in found:
        _check(place)
    return found


def extension_flags(folders: list[Path]) -> list[str]:
    """Return the flags that load these extensions, and no others."""
    joined = ",".join(map(str, folders))
    return [f"--disable-extensions-except={joined}", f"--load-extension={joined}"]


def _check(place: Path) -> None:
    if "," in str(place):
        raise _unusable(f"Chromium takes no comma in the name of a folder: {place}")
    try:
        with (place / MANIFEST).open("rb") as file:
            manifest = json.loads(file.read(MAX_BYTES))
    except (OSError, ValueError):
        raise _unusable(f"the {MANIFEST} of {place} cannot be read") from None
    for permission in _permissions(manifest):
        if permission in REFUSED:
            raise _unusable(f"{place} asks for `{permission}`: {REFUSED[permission]}")


def _permissions(manifest: Any) -> list[str]:
    """List what an extension asks for, now or later."""
    if not isinstance(manifest, dict):
        return []
    lists = [manifest.get(key) for key in ("permissions", "optional_permissions")]
    return [it for some in lists if isinstance(some, list) for it in some if isinstance(it, str)]


def _unusable(what: str) -> BrowseError:
    return BrowseError(
        Code.SETTING_INVALID,
        f"The extensions of BROWSE_EXTENSIONS_DIR cannot be loaded: {what}.",
        hint="correct it; what came as a flag is forgotten with `browse stop`",
    )
