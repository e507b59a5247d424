"""A journal that was written to a file, read back: by this daemon or by one before it."""

from pathlib import Path

import msgspec

from browse.core.errors import BrowseError, Code
from browse.flow.steps import Step

MAX_FILE_BYTES = 64 * 1024 * 1024


def read(path: str) -> list[Step]:
    """Read all steps of a file; a line that is none is an error that says which one."""
    with Path(path).open("rb") as file:
        raw = file.read(MAX_FILE_BYTES + 1)
    if len(raw) > MAX_FILE_BYTES:
        raise BrowseError(
            Code.FILE_UNUSABLE,
            f"{path} is larger than {MAX_FILE_BYTES // 1024**2} MiB.",
            hint="keep the lines of the steps that matter in a file of their own",
        )
    lines = enumerate(raw.split(b"\n"), 1)
    return [_step(path, number, line) for number, line in lines if line.strip()]


def _step(path: str, number: int, line: bytes) -> Step:
    try:
        return msgspec.json.decode(line, type=Step)
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise BrowseError(
            Code.FILE_UNUSABLE,
            f"Line {number} of {path} is not a step of a journal.",
            hint=f"mend or delete that line: sed -n {number}p shows it",
            page=str(exc),
        ) from exc


def latest(steps: list[Step], client: str, tab_id: int | None) -> list[Step]:
    """Choose the steps of one tab in the run of the daemon that wrote last, oldest first."""
    mine = [step for step in steps if step.client == client and tab_id in (None, step.tab)]
    if not mine:
        return []
    last = mine[-1]
    same = [step for step in mine if (step.run, step.tab) == (last.run, last.tab)]
    return sorted(same, key=lambda step: step.number)
