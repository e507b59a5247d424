"""A fleet for tests: a head and two workers as processes, each worker with its own Chromium."""

import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from subprocess import Popen

import psutil

from support import running
from support.cli import HANG_S, Project, Ran, lives, until

WORKERS = ("local-1", "local-2")


class Fleet:
    """Drives a fleet by `browse fleet` in a project, and knows its processes."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.home = Path(project.env["HOME"])
        self._runs = 0
        self._started: list[Popen] = []

    def up(self) -> None:
        """Start what is missing of it."""
        self.ok("up", "--local", str(len(WORKERS)), "--port", "0")

    def fleet(self, *words: str) -> Ran:
        return self.project.browse("fleet", *words)

    def ok(self, *words: str) -> Ran:
        ran = self.fleet(*words)
        assert ran.code == 0, f"{words}: exit {ran.code}\n{ran.out}\n{ran.err}\n{self.logs()}"
        return ran

    def is_whole(self) -> bool:
        note = self.note()
        return all(_lives(it["pid"]) for it in (note["head"], *note["workers"]))

    def logs(self) -> str:
        return "\n".join(
            it.read_text()[-800:] for it in (self.home / ".gstack/fleet").glob("*.log")
        )

    def note(self) -> dict:
        return json.loads((self.home / ".gstack/fleet/head.json").read_text())

    def daemon(self, worker: str) -> psutil.Process:
        state = self.home / "browse-fleet" / worker / ".gstack/browse.json"
        return psutil.Process(json.loads(state.read_text())["pid"])

    def processes(self) -> list[psutil.Process]:
        """The head, the workers, and all that belongs to their daemons."""
        self.up()  # what a test has killed has left its daemon
        note = self.note()
        daemons = [self.daemon(name) for name in WORKERS]
        families = [it for each in daemons for it in (each, *each.children(recursive=True))]
        own = [psutil.Process(it["pid"]) for it in (note["head"], *note["workers"])]
        return [*own, *families]

    def kill(self, process: dict) -> None:
        """Kill the head or a worker, as its note has it, and wait until it is gone."""
        found = psutil.Process(process["pid"])
        found.send_signal(signal.SIGKILL)
        until(lambda: not lives(found), what=f"the end of {process['name']}")

    def busy(self) -> str:
        """The worker that has a page under way."""
        rows = json.loads(self.ok("status", "--json").out)["workers"]
        (name,) = [row["name"] for row in rows if row["busy"]]
        return name

    def urls(self, urls: Sequence[str]) -> str:
        """Write a list of pages; return its name."""
        self._runs += 1
        path = self.project.root / f"urls-{self._runs}.txt"
        path.write_text("".join(f"{url}\n" for url in urls))
        return path.name

    def out(self) -> Path:
        """Return a file for results that is not there yet."""
        return self.project.root / f"results-{self._runs}.jsonl"

    def start(self, *words: str) -> Popen:
        """Start `browse fleet` without waiting for it; it is over when the test is."""
        self._started.append(self.project.start("fleet", *words))
        return self._started[-1]

    def end_started(self) -> None:
        while self._started:
            running.end(self._started.pop())

    def end(self) -> None:
        """Take it down; nothing that belonged to it may be left."""
        left = self.processes()
        ran = self.fleet("down")
        try:
            until(lambda: not any(map(lives, left)), what=f"the end of {left}\n{ran}")
        finally:
            for process in filter(lives, left):
                os.kill(process.pid, signal.SIGKILL)


def _lives(pid: int) -> bool:
    try:
        return lives(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return False


def rows(path: Path) -> list[dict]:
    """Read the whole lines of a file of results, in the order of the list."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return sorted(map(json.loads, lines), key=lambda row: row["n"])


def states(path: Path) -> Counter:
    return Counter(row["state"] for row in rows(path))


def ended(process: Popen) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=HANG_S)
    return process.returncode, out.decode(), err.decode()
