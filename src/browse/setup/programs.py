"""Run other programs with a time limit, so that none of them outlives it or us."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """How a program ended: its exit code (None: stopped or never started) and its output."""

    code: int | None
    output: str
    errors: str = ""

    @property
    def ok(self) -> bool:
        return self.code == 0

    def reason(self) -> str:
        """Return the one line that says most about a failure."""
        lines = [line.strip() for line in (self.output + "\n" + self.errors).splitlines()]
        telling = [line for line in lines if "error" in line.lower() or line.startswith("E: ")]
        last = [line for line in lines if line][-1:]
        return (telling or last or [f"exit code {self.code}"])[0][:200]


def run(
    command: Sequence[str],
    *,
    seconds: float,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    text: str = "",
) -> ProgramResult:
    """Run a program in its own process group; past the limit, the whole group is killed."""
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ,
            cwd=folder,
            start_new_session=True,
        )
    except OSError as exc:
        return ProgramResult(None, "", str(exc))
    try:
        output, errors = child.communicate(text.encode(), timeout=seconds)
    except subprocess.TimeoutExpired:
        output, errors = _end(child)
        late = f"it was stopped after {seconds:g} s"
        return ProgramResult(None, _plain(output), f"{_plain(errors)}\n{late}".strip())
    except BaseException:
        _end(child)
        raise
    return ProgramResult(child.returncode, _plain(output), _plain(errors))


def _end(child: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    # It may have just ended; then there is no group left.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    return child.communicate()


def _plain(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
