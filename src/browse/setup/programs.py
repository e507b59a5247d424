"""Run other programs with a time limit, so that none of them outlives it or us."""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

# A program that is told to end has this long to tidy up: a package manager must.
END_SECONDS = 5.0


class ProgramResult(msgspec.Struct, frozen=True):
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
    each: Callable[[str], None] | None = None,
) -> ProgramResult:
    """Run a program in its own process group; past the limit, the whole group is ended.

    `each` gets every line of its output as it comes.
    """
    held = _HeldSignals()
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
        held.release()
        return ProgramResult(None, "", str(exc))
    read = _Followed(child, each, seconds) if each else None
    try:
        held.release()
        if read:
            output, errors = read.all()
        else:
            output, errors = child.communicate(text.encode(), timeout=seconds)
    except subprocess.TimeoutExpired:
        _end(child)
        output, errors = read.so_far() if read else child.communicate()
        late = f"it was stopped after {seconds:g} s"
        return ProgramResult(None, _plain(output), f"{_plain(errors)}\n{late}".strip())
    except BaseException:
        _end(child)
        _ = read.so_far() if read else child.communicate()
        raise
    return ProgramResult(child.returncode, _plain(output), _plain(errors))


class _HeldSignals:
    """Holds back interruptions: one that comes while a program is started would leave it behind."""

    def __init__(self) -> None:
        self._came: list[int] = []
        self._handlers: dict[int, Any] = {}
        if threading.current_thread() is not threading.main_thread():
            return
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(signal.getsignal(number)):
                self._handlers[number] = signal.signal(number, lambda it, _: self._came.append(it))

    def release(self) -> None:
        """Deliver what has come, and what comes from now on."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for number in self._came[:1]:
            signal.raise_signal(number)


class _Followed:
    """Reads the output of a program line by line, for a limited time."""

    def __init__(
        self, child: subprocess.Popen[bytes], each: Callable[[str], None], seconds: float
    ) -> None:
        if child.stdin:
            child.stdin.close()
        self._child = child
        self._each = each
        self._seconds = seconds
        self._lines: list[bytes] = []
        self._errors: list[bytes] = []
        self._rest = threading.Thread(target=self._read_errors, daemon=True)
        self._rest.start()

    def all(self) -> tuple[bytes, bytes]:
        """Read it to its end; raise if that does not come in time."""
        late = threading.Event()

        def stop() -> None:
            late.set()
            _signal(self._child, signal.SIGKILL)  # which ends its output, and so the loop below

        clock = threading.Timer(self._seconds, stop)
        clock.start()
        try:
            for line in self._child.stdout or ():
                self._lines.append(line)
                self._each(_plain(line).rstrip())
            self._child.wait()
        finally:
            clock.cancel()
        if late.is_set():
            raise subprocess.TimeoutExpired(self._child.args, self._seconds)
        return self.so_far()

    def so_far(self) -> tuple[bytes, bytes]:
        """Return what it wrote, once it has ended."""
        self._rest.join()
        for pipe in (self._child.stdout, self._child.stderr):
            if pipe:
                pipe.close()
        return b"".join(self._lines), b"".join(self._errors)

    def _read_errors(self) -> None:
        self._errors.extend(self._child.stderr or ())


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a program and its group, gently first."""
    _signal(child, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(END_SECONDS)
    _signal(child, signal.SIGKILL)


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    # It may have just ended, and its group with it. Below sudo it is not ours to signal.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, number)


def _plain(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
