"""The salt of this device: with it, hashes can be compared here, and guessed nowhere else."""

import hashlib
import os
import re
import secrets
from pathlib import Path

from browse.core.files import private_folder
from browse.core.growing import alone, append

_WHOLE = re.compile(rb"[0-9a-f]{64}\n?")


def device_salt(path: Path) -> bytes:
    """Read the salt; make it first where there is none, or none that is whole.

    Raises OSError or BrowseError where it cannot be kept. Of two daemons one makes it, both get it.
    """
    private_folder(path.parent)
    with alone(path) as fd:
        os.fchmod(fd, 0o600)
        kept = os.pread(fd, 100, 0)
        if not _WHOLE.fullmatch(kept):
            kept = secrets.token_hex(32).encode()
            os.ftruncate(fd, 0)
            append(fd, kept + b"\n")
        return kept.strip()


def salted(salt: bytes, value: str) -> str:
    """Hash a value so that it is recognised and cannot be read."""
    return hashlib.sha256(salt + value.encode("utf-8", "replace")).hexdigest()
