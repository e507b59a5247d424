"""A project with its own home, and the real client run in it."""

import atexit
import contextlib
import functools
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import psutil

from browse import _exit
from browse.browser.process import chromium
from support import client_forks
from support.site import STORES

T = TypeVar("T")
BOOT = Path(__file__).parents[2] / "src" / "browse" / "client" / "boot.py"
CLIENT = [sys.executable, "-I", "-S", str(BOOT)]
KEPT = (
    "PATH",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "CI",
    "CONTAINER",
    "GSTACK_CHROMIUM_PATH",
    "PLAYWRIGHT_BROWSERS_PATH",
    "BROWSE_STEALTH",
)
# How many milliseconds later than it could every reply of the browser shall come (docs/testing.md).
LATE_MS = os.environ.get("BROWSE_TEST_LATE_MS", "")
# Limits of tests catch a hang, and nothing else: the slowest machine must not reach them.
CALL_S = 150
HANG_S = 90.0
START_MS = "90000"
# Whatever they are given, they leave the tabs as they are.
UNTOUCHING = {"help", "status", "tabs", "url"}
# Whatever they are given, but for a session, they set nothing that lasts longer than the tab.
SETTING_NOTHING = UNTOUCHING | {
    "goto", "load-html", "back", "forward", "reload", "wait", "frame", "newtab", "closetab", "tab",
    "text", "html", "title", "markdown", "links", "table", "forms", "media", "data", "find",
    "snapshot", "accessibility", "attrs", "value", "count", "is", "css", "inspect", "js",
    "console", "network", "dialog", "screenshot", "pdf",
    "click", "fill", "select", "check", "uncheck", "type", "press", "hover", "scroll", "focus",
    "paste",
}  # fmt: skip
# After these it does not matter what the tab showed before.
LOADING = {("goto",), ("load-html",)}
BEGIN = "--- page"
END = "\n--- end ["
ENVELOPE = re.compile(
    r"^--- page(?: \S+)? \[(?P<nonce>[0-9a-f]{8})\]\n(?P<page>.*)\n--- end \[(?P=nonce)\]$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Ran:
    """How a call of the client ended."""

    code: int
    out: str
    err: str

    @property
    def page(self) -> str:
        """What stands inside the one envelope, beside that of a warning about hidden words."""
        out = self.out.partition("\n⚠ hidden content: ")[0]
        found = ENVELOPE.search(out)
        assert found, self.out + self.err
        assert f"\n{out}".count(f"\n{BEGIN}") == 1, self.out
        return found["page"]

    @property
    def json(self) -> dict:
        return json.loads(self.out if self.code == 0 else self.err)


@dataclass
class Project:
    """A folder with a `.git`, an empty home, and at most one daemon."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)
    touched: bool = True  # whether anything may have been done to a tab since it was last set
    setting: bool = True  # whether a command may have set what lasts longer than a tab
    stores: bool = False  # whether a command may have put something into the storage of an origin
    blank: Callable[[], None] | None = None  # makes the tab blank, where the first command needs it

    @classmethod
    def make(cls, base: Path, **env: str) -> "Project":
        root, home = base / "project", base / "home"
        (root / ".git").mkdir(parents=True)
        home.mkdir()
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        # The browser that was downloaded for the person who runs the tests serves them too.
        downloads = {
            "PLAYWRIGHT_BROWSERS_PATH": str(chromium.playwright_folder(chromium.System.here()))
        }
        own = {"HOME": str(home), "BROWSE_START_TIMEOUT": START_MS, **compiled()}
        return cls(root, {**downloads, **kept, **late(LATE_MS), **own, **env})

    @property
    def state_file(self) -> Path:
        return self.root / ".gstack" / "browse.json"

    @property
    def log(self) -> str:
        path = self.root / ".gstack" / "browse-daemon.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def state(self) -> dict:
        return json.loads(self.state_file.read_text())

    def start(
        self, *words: str, stdin: int = subprocess.DEVNULL, cwd: Path | None = None, **env: str
    ) -> subprocess.Popen:
        """Start the client without waiting for it."""
        self._prepare(*words)
        self._note(env)
        return subprocess.Popen(
            [*CLIENT, *words],
            cwd=cwd or self.root,
            env={**self.env, **env},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def browse(
        self, *words: str, stdin: bytes | str | None = None, cwd: Path | None = None, **env: str
    ) -> Ran:
        """Run the client to its end."""
        self._prepare(*words)  # first: it says whether the tab was touched
        touched = self.touched
        if stdin is None and cwd is None:
            self._note(env)
            code, out, err = client_forks.parent().run(
                [*words], self.root, {**self.env, **env}, CALL_S
            )
        else:
            feed = stdin.encode() if isinstance(stdin, str) else stdin
            process = self.start(
                *words,
                stdin=subprocess.PIPE if feed is not None else subprocess.DEVNULL,
                cwd=cwd,
                **env,
            )
            out, err = process.communicate(feed, timeout=CALL_S)
            code = process.returncode
        if code == _exit.USAGE or {*words[:1]} <= UNTOUCHING:
            self.touched = touched
        return Ran(code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))

    def ok(self, *words: str, **more) -> Ran:
        """Run the client; it must succeed."""
        ran = self.browse(*words, **more)
        assert ran.code == 0, f"{words}: exit {ran.code}\n{ran.out}\n{ran.err}\n{self.log[-2000:]}"
        return ran

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
        """Talk to the daemon over HTTP, without the client; header names take underscores."""
        if isinstance(body, dict) and "command" in body:
            self._prepare(body["command"], *body.get("args", ()))
        else:
            self._prepare()
        self.touched = True
        known = self.state()
        connection = http.client.HTTPConnection("127.0.0.1", known["port"], timeout=CALL_S)
        sent = {"authorization": f"Bearer {known['token']}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        raw = body if isinstance(body, bytes) else json.dumps(body)
        try:
            connection.request(
                method, path, raw, {key: value for key, value in sent.items() if value}
            )
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def post(self, command: str, *args: str) -> str:
        """Run a command over HTTP, where how the client does it is not what is tested."""
        status, text = self.ask("POST", "/command", {"command": command, "args": args})
        assert status == 200, text
        return text

    def _note(self, env: dict[str, str]) -> None:
        self.touched = True
        self.setting |= bool(env)  # such as the name of a session

    def _prepare(self, *words: str) -> None:
        self.stores |= any(map(STORES.search, map(str, words)))
        self.setting |= not words or words[0] not in SETTING_NOTHING or "--session" in words
        blank, self.blank = self.blank, None
        if blank and words[:1] not in LOADING:
            blank()

    def daemon(self) -> psutil.Process:
        return psutil.Process(self.state()["pid"])

    def family(self) -> list[psutil.Process]:
        """The daemon and everything it started: driver, Chromium and its helpers."""
        daemon = self.daemon()
        return [daemon, *daemon.children(recursive=True)]

    def end(self) -> None:
        """Stop the daemon; nothing that it started may be left."""
        try:
            family = self.family()
        except (FileNotFoundError, psutil.NoSuchProcess, ValueError):
            return
        self.browse("stop", "--force")
        try:
            until(lambda: not any(map(lives, family)), what=f"the end of {family}")
        finally:
            for process in filter(lives, family):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.send_signal(signal.SIGKILL)


@functools.cache
def compiled() -> dict[str, str]:
    """Have the drivers of all projects share what they have compiled."""
    folder = tempfile.mkdtemp(prefix="browse-compiled-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return {"NODE_COMPILE_CACHE": folder}


def late(milliseconds: str) -> dict[str, str]:
    """Have every reply of the browser come so much later; "": as it comes."""
    if not milliseconds:
        return {}
    script = Path(__file__).with_name("late.cjs")
    return {"BROWSE_TEST_LATE_MS": milliseconds, "NODE_OPTIONS": f'--require "{script}"'}


def lives(process: psutil.Process) -> bool:
    """Tell whether a process still does something; one that only waits to be reaped does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def ask_each(
    processes: Iterable[psutil.Process], ask: Callable[[psutil.Process], T]
) -> dict[psutil.Process, T]:
    """Ask processes something; those that have ended meanwhile are left out."""
    answers = {}
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            answers[process] = ask(process)
    return answers


def words_of(process: psutil.Process) -> str:
    """Return the command line of a process."""
    return " ".join(process.cmdline())


def until(condition, *, seconds: float = HANG_S, what: str = "the condition"):
    """Wait for something that has no event to wait on; give its first true value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)
    return value
