"""What tests of the daemon's life need: its whole family, seams in it, and raw requests to it."""

import contextlib
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import psutil

from support.cli import Project, Ran, lives, until

HERE = Path(__file__).parent
DAEMON = [sys.executable, "-I", "-m", "browse.daemon"]
NOBODY = 65_534
# For a page whose renderer shall be known by what it holds in memory.
HEAVY = "<script>window.held = new Uint8Array(150e6).fill(1)</script>"


def lives_still(pid: int) -> bool:
    """Tell the same of a process that may be gone already."""
    try:
        return lives(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return False


def see_gone(processes: list[psutil.Process]) -> None:
    """Wait until every one of these has ended."""
    until(lambda: not any(map(lives, processes)), what=f"the end of {processes}")


def of_project(project: Project) -> list[psutil.Process]:
    """List every living process that was started with the home of this project."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            if process.environ().get("HOME") == project.env["HOME"] and lives(process):
                found.append(process)
    return found


def see_none(project: Project) -> None:
    """Wait until nothing of a project runs any more."""
    until(lambda: not of_project(project), what="the end of all that the project started")


def driver(project: Project) -> psutil.Process:
    """Find Playwright's driver, among what else the daemon starts for a moment."""
    daemon = project.daemon()

    def drivers() -> list[psutil.Process]:
        with contextlib.suppress(psutil.NoSuchProcess):
            return [child for child in daemon.children() if "run-driver" in child.cmdline()]
        return []

    return until(drivers, what="the driver")[0]


def chromium(project: Project) -> psutil.Process:
    """Find Chromium's main process."""
    return until(driver(project).children, what="Chromium")[0]


def heavy_renderer(project: Project) -> psutil.Process:
    """Find the renderer whose page holds a lot of memory, among the usual ones."""

    def heavy() -> list[psutil.Process]:
        held = {psutil.Process(): 0}  # not a renderer: stands for another one, where there is none
        for process in chromium(project).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if "--type=renderer" in process.cmdline():
                    held[process] = process.memory_info().rss
        first, second = sorted(held, key=held.__getitem__)[-2:][::-1]
        return [first] * (held[first] - held[second] > 100e6)

    return until(heavy, what="a renderer that holds a lot")[0]


def starts(project: Project) -> int:
    """Count the daemons that this project ever had."""
    return project.log.count("listening on ")


def own_daemon(project: Project, **env: str) -> subprocess.Popen[bytes]:
    """Start the daemon as a child of the test, which can then see its exit code."""
    project.state_file.parent.mkdir(mode=0o700, exist_ok=True)
    child = subprocess.Popen(
        DAEMON,
        cwd=project.root,
        env={**project.env, "BROWSE_STATE_FILE": str(project.state_file), **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(project.state_file.exists, what="the state file")
    return child


def driven(
    project: Project,
    *words: str,
    client: dict[str, Any] | None = None,
    daemon: dict[str, Any] | None = None,
    **env: str,
) -> Ran:
    """Run the client with constants of its own, or of a daemon that it starts, changed."""
    changed = dict(client or {})
    if daemon:
        script = str(HERE / "drive_daemon.py")
        changed["start.COMMAND"] = [sys.executable, "-I", script, json.dumps(daemon)]
    command = [sys.executable, "-I", "-S", str(HERE / "drive_client.py"), json.dumps(changed)]
    done = subprocess.run(
        [*command, *words],
        cwd=project.root,
        env={**project.env, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=150,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def post(project: Project, payload: Any, *, path: str = "/command") -> tuple[int, str]:
    """Send JSON to the daemon; give the status and the body of its answer."""
    state = project.state()
    request = urllib.request.Request(
        f"http://127.0.0.1:{state['port']}{path}",
        data=payload if isinstance(payload, bytes) else json.dumps(payload).encode(),
        headers={"Authorization": f"Bearer {state['token']}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=150) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as exc:
        with exc:
            return exc.code, exc.read().decode()


def assert_clear(ran: Ran, code: int, *words: str) -> None:
    """A failure must say what is wrong in plain words, with the right exit code."""
    told = ran.out + ran.err
    assert ran.code == code, f"exit {ran.code}: {told}"
    assert "Traceback" not in told, told
    assert "internal error" not in told, told
    for word in words:
        assert word in told, told


def is_root() -> bool:
    return os.getuid() == 0
