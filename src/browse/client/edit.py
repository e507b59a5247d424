"""`domain-skill edit`: open the note in an editor in this terminal, then send it back."""

import os
import shlex
import shutil
import subprocess
import tempfile

from browse import _exit
from browse.client import main, wire

USUAL = "vi"
# The daemon may use it, whatever TMPDIR says here; ours in it is a private folder.
SHARED = "/tmp"  # noqa: S108


def answer(words: list[str]) -> int:
    """Fetch a private copy of the note, let the person edit it, and save what has changed."""
    if not os.isatty(0):
        raise wire.Failure(
            _exit.USAGE,
            "`domain-skill edit` opens an editor, and there is no terminal for one here.",
            "Instead: browse domain-skill show <host> --out note.md, change it, then",
            "browse domain-skill save --host <host> --from-file note.md",
        )
    rest = words[2:]
    usual = SHARED if os.path.isdir(SHARED) else None
    folder = tempfile.mkdtemp(prefix="browse-edit-", dir=usual)
    path = os.path.join(folder, "note.md")
    try:
        code = main.run(["domain-skill", "show", *rest, "--out", path])
        if code != _exit.OK:
            return code
        before = _read(path)
        _edit(path)
        if _read(path) == before:
            wire.say("Nothing was changed.")
            return _exit.OK
        return main.run(["domain-skill", "save", *rest, "--from-file", path])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _edit(path: str) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or USUAL
    try:
        code = subprocess.call([*shlex.split(editor), path])
    except (OSError, ValueError) as exc:
        raise wire.Failure(
            _exit.FAILED,
            f"The editor {editor!r} cannot be started: {exc}",
            "Set EDITOR to one that is there, such as EDITOR=nano.",
        ) from exc
    if code:
        raise wire.Failure(
            _exit.FAILED, f"The editor ended with code {code}; the note is as it was."
        )


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
