"""A new skill that works as it is: a script, its test, a page for it, and the SDK."""

from pathlib import Path

import browse

SDK = Path(browse.__file__).parent / "sdk" / "browse_client.py"
LIBRARY = "_lib/browse_client.py"
# A skill that `skill save` made has both.
LIBRARIES = (LIBRARY, "_lib/run_script.py")
_START = Path(__file__).parent / "start"
_HOST, _NAME, _URL = "@@HOST@@", "@@NAME@@", "@@URL@@"


def files(name: str, host: str) -> dict[str, bytes]:
    """Write the files of a new skill for a site."""
    start = "about:blank" if "*" in host else f"https://{host}/"
    found = {LIBRARY: SDK.read_bytes()}
    for path in sorted(_START.rglob("*.*")):
        text = path.read_text("utf-8")
        for word, value in ((_NAME, name), (_HOST, _quoted(host)), (_URL, start)):
            text = text.replace(word, value)
        found[path.relative_to(_START).as_posix().removesuffix(".txt")] = text.encode()
    return found


def _quoted(host: str) -> str:
    return f'"{host}"' if "*" in host else host
