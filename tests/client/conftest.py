"""A project folder per test, and the client as a process in it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from browse import _where

ROOT = Path(__file__).parents[2]
BOOT = ROOT / "src/browse/client/boot.py"
DRIVE = ROOT / "tests/support/drive_client.py"
CHILD = ROOT / "tests/support/child_daemon.py"
WAIT_SECONDS = 150.0


class Project:
    """A folder with its state file, and the ways to call the client there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.boot = BOOT
        self.state = folder / ".gstack/browse.json"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(folder)}

    def command(self, *words: str, child: str = "", **constants: object) -> list[str]:
        """Spell out the client's command line; a child manner stands in for the daemon."""
        if child:
            constants["start.COMMAND"] = self.child(child)
        if not constants:
            return [sys.executable, "-I", "-S", str(BOOT), *words]
        changes = {name.replace("__", "."): value for name, value in constants.items()}
        return [sys.executable, "-I", "-S", str(DRIVE), json.dumps(changes), *words]

    def child(self, manner: str) -> list[str]:
        return [sys.executable, "-I", str(CHILD), manner]

    def run(
        self, *words: str, stdin: bytes | None = None, child: str = "", **constants: object
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the client to its end."""
        return subprocess.run(
            self.command(*words, child=child, **constants),
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            cwd=self.folder,
            env=self.env,
            timeout=WAIT_SECONDS,
            check=False,
        )

    def popen(self, *words: str, child: str = "", **constants: object) -> subprocess.Popen[bytes]:
        """Start the client and leave it running."""
        return subprocess.Popen(
            self.command(*words, child=child, **constants),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.env,
        )

    @property
    def children(self) -> list[int]:
        record = self.state.parent / "children"
        return [int(word) for word in record.read_text().split()] if record.exists() else []

    def end_children(self) -> None:
        for pid in self.children:
            with contextlib.suppress(OSError):
                if str(CHILD).encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, signal.SIGKILL)
            await_true(lambda pid=pid: _where.pid_start(pid) == "")

    def require_no_daemon(self) -> None:
        """Fail for a test that started a real daemon, which nobody would end; end it."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            pid = json.loads(self.state.read_text())["pid"]
            if b"browse.daemon" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGTERM)
                raise AssertionError("this test started a real daemon: give it a `child`")


def await_true(fact, seconds: float = WAIT_SECONDS) -> None:
    """Wait until something holds that gives no event."""
    deadline = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / ".git").mkdir()
    made = Project(folder)
    yield made
    made.end_children()
    made.require_no_daemon()


@pytest.fixture
def dead_pid():
    """A pid that no process has any more."""
    with subprocess.Popen(["/bin/true"]) as process:
        process.wait()
    return process.pid
