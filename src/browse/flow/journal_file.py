"""Read the steps in a journal file, written by this daemon or by an earlier one."""

import msgspec

from browse.core.errors import BrowseError, Code
from browse.flow.steps import Step
from browse.guard.files import ReadPath

MAX_FILE_BYTES = 64 * 1024 * 1024


def read(file: ReadPath) -> list[Step]:
    """Read all steps of a file; raise for a line that is not a step, with its number."""
    path, raw = file.real, file.read(MAX_FILE_BYTES + 1)
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
            hint=f"fix or delete that line: sed -n {number}p shows it",
            page=str(exc),
        ) from exc


def latest(steps: list[Step], client: str, tab_id: int | None) -> list[Step]:
    """Return the steps of one tab from the daemon that wrote last, oldest first."""
    mine = [step for step in steps if step.client == client and tab_id in (None, step.tab)]
    if not mine:
        return []
    last = mine[-1]
    same = [step for step in mine if (step.run, step.tab) == (last.run, last.tab)]
    return sorted(same, key=lambda step: step.number)
