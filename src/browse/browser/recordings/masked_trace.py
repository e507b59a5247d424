"""Mask sealed secrets in a trace: in the calls, the requests and the snapshots that it holds."""

import zipfile
from pathlib import Path

from browse.guard.credentials import SEALED


def mask_trace(path: Path) -> None:
    """Write the trace anew without sealed secrets. Pictures in it stay as they are."""
    if SEALED.is_empty:
        return
    finished = path.with_suffix(".masked")
    with (
        zipfile.ZipFile(path) as recorded,
        zipfile.ZipFile(finished, "w", zipfile.ZIP_DEFLATED) as out,
    ):
        for entry in recorded.infolist():
            out.writestr(entry, SEALED.masked_bytes(recorded.read(entry)))
    finished.replace(path)
