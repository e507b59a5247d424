"""The salt of this device: hashes made with it can be compared here, and guessed nowhere else."""

import hashlib
import os
import re
import secrets
from pathlib import Path

from browse.core.files import private_folder
from browse.core.growing import alone, append

_WHOLE = re.compile(rb"[0-9a-f]{64}\n?")


def device_salt(path: Path) -> bytes:
    """Return the salt; create it first if it is missing or damaged.

    Raises OSError or BrowseError if it cannot be stored. Two daemons at once get the same salt.
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
    """Hash a value so that it can be recognised but not read."""
    return hashlib.sha256(salt + value.encode("utf-8", "replace")).hexdigest()
