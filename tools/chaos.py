"""Kill what can be killed in the middle of every kind of command, and see that all is well.

`.venv/bin/python -m tools.chaos [--kills 100] [--seed N]`: after each kill the next command must
work without help, and no process, folder, half-written file or trace of a defect may be left.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil

from browse.browser.process import chromium

BOOT = Path(__file__).resolve().parents[1] / "src" / "browse" / "client" / "boot.py"
CLIENT = [sys.executable, "-I", "-S", str(BOOT)]
KEPT = ("PATH", "LANG", "LC_ALL", "CI", "CONTAINER", "GSTACK_CHROMIUM_PATH", "NODE_COMPILE_CACHE")
# Wide enough for a busy machine: they catch a hang, and nothing else.
LIMIT_S = 150.0
START_MS = "60000"
TIDY_S = 20.0
POLL_S = 0.02
PAGE = b"""<!doctype html><title>Chaos</title><h1>Chaos</h1>
<form><label>Name <input id=name></label><button type=button id=press
 onclick="fetch('/data').then(() => document.title = 'Pressed')">Press</button></form>
<a href=/page>again</a><table><tr><th>a<th>b<tr><td>1<td>2</table>"""
ABOUT = """---
name: chaos-skill
host: "*"
args:
  - name: url
    required: true
---
"""
SKILL = """from _lib.browse_client import run
def main(browse, args):
    browse.goto(args["url"])
    return {"text": browse.text(), "links": browse.links()}
run(main)
"""
# The words of each family; a family that has none of its own needs a daemon that is not there yet.
FAMILIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "cold start": (("url",), ("goto", "{page}"), ("status",)),
    "restart": (("restart",),),
    "stop": (("stop",),),
    "navigation": (("goto", "{page}"), ("reload",), ("goto", "{slow}")),
    "reading": (("text",), ("html",), ("links",), ("table",), ("js", "document.title")),
    "acting": (("click", "#press"), ("fill", "#name", "words"), ("type", "some words")),
    "snapshot": (("snapshot", "-i"), ("snapshot",)),
    "picture": (("screenshot", "shot.png"), ("pdf", "page.pdf")),
    "tabs": (("newtab", "{page}"), ("tabs",), ("tab-each", "url")),
    "wait": (("wait", "300"), ("wait", "--js", "false", "--timeout", "400")),
    "network": (
        ("network",),
        ("har", "record", "chaos.har"),
        ("har", "stop"),
        ("route", "**/none", "--abort"),
    ),
    "record": (("trace", "start"), ("trace", "stop", "trace.zip"), ("log", "security")),
    "skill": (("skill", "run", "chaos-skill", "--arg", "url={page}"),),
    "state": (("state", "save", "chaos"), ("state", "load", "chaos")),
}
DEFECTS = ("Traceback", "internal error", "incident")
# What the next command may be told of a death, once: it waited for the very start that was cut
# short.
CUT_SHORT = {"driver": "did not start", "chromium": "did not start"}
VICTIMS = ("client", "daemon", "driver", "chromium", "renderer")


@dataclass(frozen=True)
class Ran:
    """How a call of the client ended."""

    words: tuple[str, ...]
    code: int
    said: str


@dataclass
class Report:
    """What was killed, and what was wrong afterwards."""

    kills: Counter[str] = field(default_factory=Counter)
    missed: int = 0
    told: int = 0
    wrong: list[str] = field(default_factory=list)


class Chaos:
    """A project of its own, with a page, and the ways to hurt it."""

    def __init__(self, folder: Path, seed: int, say: Callable[[str], object] = print) -> None:
        self._random = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
        self._say = say
        self.root, self.home, self.temp = folder / "project", folder / "home", folder / "t"
        for made in (self.root / ".git", self.home, self.temp):
            made.mkdir(parents=True)
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        downloads = str(chromium.playwright_folder(chromium.System.here()))
        self.env = {**kept, "PLAYWRIGHT_BROWSERS_PATH": downloads}
        self.env |= {"HOME": str(self.home), "TMPDIR": str(self.temp)}
        self.env["BROWSE_START_TIMEOUT"] = START_MS
        self.report = Report()
        self._known: set[psutil.Process] = set()
        self._log_at = 0

    def rounds(self, kills: int, *, seconds: float = float("inf")) -> Report:
        """Kill so many times, or as often as there is time for, but at least once."""
        until = time.monotonic() + seconds
        with _site() as url, self._ended_at_last():
            self._places = {"page": f"{url}/page", "slow": f"{url}/slow"}
            self._write_skill()
            self._call("goto", self._places["page"])
            while (done := self.report.kills.total()) < kills:
                if done and time.monotonic() >= until:
                    break
                self._round()
        return self.report

    def _write_skill(self) -> None:
        folder = self.root / ".gstack" / "browser-skills" / "chaos-skill"
        (folder / "_lib").mkdir(parents=True, mode=0o700)
        (folder / "SKILL.md").write_text(ABOUT)
        (folder / "script.py").write_text(SKILL)
        sdk = BOOT.parents[1] / "sdk" / "browse_client.py"
        (folder / "_lib" / "browse_client.py").write_bytes(sdk.read_bytes())

    def _round(self) -> None:
        family = self._random.choice(list(FAMILIES))
        words = self._random.choice(FAMILIES[family])
        victim = self._random.choice(VICTIMS)
        delay = self._random.uniform(0, 1.2 if family in ("cold start", "restart") else 0.3)
        if family == "cold start":
            self._call("stop")
        filled = tuple(word.format(**self._places) for word in words)
        client = self._start(*filled)
        with contextlib.suppress(subprocess.TimeoutExpired):
            client.wait(timeout=delay)
        killed = self._kill(victim, client)
        ran = self._end(client, filled)
        self.report.kills[f"{victim} in {family}"] += killed
        self.report.missed += not killed
        where = f"{family} {' '.join(words)!r}, {victim} after {delay:.3f} s"
        for what in self._look(ran, CUT_SHORT.get(victim)):
            self._wrong(f"{where}: {what}")

    def _wrong(self, what: str) -> None:
        self.report.wrong.append(what)
        self._say(f"WRONG {what}")

    def _tail(self) -> str:
        log = self.root / ".gstack" / "browse-daemon.log"
        return log.read_text(errors="replace")[-1500:] if log.exists() else "there is no log"

    def _look(self, ran: Ran, may_tell: str | None) -> Iterator[str]:
        yield from self._defects(ran)
        after = self._call("goto", self._places["page"])
        if after.code != 0 and may_tell and may_tell in after.said:
            self.report.told += 1
            after = self._call("goto", self._places["page"])
        if after.code != 0:
            yield f"the next command ended with {after.code}: {after.said}"
            self._call("goto", self._places["page"])
        yield from self._defects(after)
        yield from self._left_over()
        yield from self._torn()
        yield from self._logged()

    @staticmethod
    def _defects(ran: Ran) -> Iterator[str]:
        for word in DEFECTS:
            if word in ran.said:
                yield f"{ran.words} told of a defect: {ran.said}"

    def _left_over(self) -> Iterator[str]:
        """Name what no living daemon answers for; it may take its time to go."""
        until = time.monotonic() + TIDY_S
        while (strays := [*self._strays(), *self._litter()]) and time.monotonic() < until:
            time.sleep(POLL_S)
        for stray in strays:
            yield f"left behind: {stray}"

    def _strays(self) -> list[str]:
        ours = self.processes()
        try:
            daemon = psutil.Process(self._state()["pid"])
            family = {daemon.pid, *(it.pid for it in daemon.children(recursive=True))}
        except (psutil.NoSuchProcess, OSError, ValueError):
            family = set()
        return [f"{kind} {process}" for kind, process in ours if process.pid not in family]

    def _litter(self) -> list[str]:
        folder = self.root / ".gstack"
        note = folder / "browse-scratch"
        known = note.read_text() if note.exists() else ""
        temporary = [str(path) for path in self.temp.iterdir() if str(path) != known]
        halves = [str(path) for place in (folder, self.home) for path in place.rglob("*.tmp.*")]
        return temporary + halves

    def _torn(self) -> Iterator[str]:
        for path in (self.root / ".gstack").glob("*.json"):
            with contextlib.suppress(FileNotFoundError):
                if not _is_json(path.read_text()):
                    yield f"{path.name} is torn"
        for path in (self.root / ".gstack").glob("*.jsonl"):
            lines = path.read_text().splitlines()
            if bad := [line for line in lines if not _is_json(line)]:
                yield f"{path.name} has {len(bad)} torn lines of {len(lines)}: {bad[0][:80]!r}"

    def _logged(self) -> Iterator[str]:
        log = self.root / ".gstack" / "browse-daemon.log"
        new = log.read_bytes()[self._log_at :].decode(errors="replace") if log.exists() else ""
        self._log_at += len(new.encode())
        if any(word in new for word in DEFECTS):
            yield f"the daemon's log: {new[-3000:]}"

    def _state(self) -> dict[str, int]:
        found: dict[str, int] = json.loads((self.root / ".gstack" / "browse.json").read_text())
        return found

    def processes(self) -> list[tuple[str, psutil.Process]]:
        """List every living process of this project, and what it is."""
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                if process.environ().get("HOME") == str(self.home):
                    # Renderers write over their environment: they are known by their parents.
                    self._known |= {process, *process.children(recursive=True)}
        alive = []
        for process in list(self._known):
            with contextlib.suppress(psutil.NoSuchProcess):
                if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                    alive.append((_kind(process.cmdline()), process))
                    continue
            self._known.discard(process)
        return alive

    def _kill(self, victim: str, client: subprocess.Popen[bytes]) -> bool:
        if victim == "client":
            alive = client.poll() is None
            client.kill()
            return alive
        candidates = [process for kind, process in self.processes() if kind == victim]
        if not candidates:
            return False
        chosen = self._random.choice(sorted(candidates, key=lambda it: it.pid))
        with contextlib.suppress(psutil.NoSuchProcess):
            chosen.kill()
            while chosen.is_running() and chosen.status() != psutil.STATUS_ZOMBIE:
                time.sleep(0)  # whoever was killed may go on until the system comes to it
        return True

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*CLIENT, *words], cwd=self.root, env=self.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def _end(self, client: subprocess.Popen[bytes], words: tuple[str, ...]) -> Ran:
        try:
            out, _ = client.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            client.kill()
            out, _ = client.communicate()
            self._wrong(f"{words} has not ended within {LIMIT_S:g} s; {self._tail()}")
        return Ran(words, client.returncode, out.decode(errors="replace"))

    def _call(self, *words: str) -> Ran:
        return self._end(self._start(*words), words)

    @contextlib.contextmanager
    def _ended_at_last(self) -> Iterator[None]:
        try:
            yield
            self._call("stop")
            until = time.monotonic() + TIDY_S
            while (left := self.processes()) and time.monotonic() < until:
                time.sleep(POLL_S)
            for kind, process in left:
                self._wrong(f"left running at the end: {kind} {process}")
        finally:
            for _, process in self.processes():
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.send_signal(signal.SIGKILL)


def _kind(command: list[str]) -> str:
    line = " ".join(command)
    if "browse.daemon" in line:
        return "daemon"
    if "run-driver" in line:
        return "driver"
    if str(BOOT) in line:
        return "client"
    if "--type=renderer" in line:
        return "renderer"
    return "helper" if "--type=" in line or "user-data-dir" not in line else "chromium"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@contextlib.contextmanager
def _site() -> Iterator[str]:
    """Serve the page, and one that comes late, for as long as this is needed."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/slow":
                over.wait(0.5)
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(PAGE)))
            self.end_headers()
            with contextlib.suppress(OSError):  # whoever asked was killed
                self.wfile.write(PAGE)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def main() -> int:
    """Kill, look, and tell what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))  # noqa: S311
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    begun = time.monotonic()
    report = Chaos(folder, options.seed).rounds(options.kills)
    victims = Counter[str]()
    for name, count in report.kills.items():
        victims[name.partition(" ")[0]] += count
    print(
        f"seed {options.seed}: {report.kills.total()} kills ({dict(victims)}) in"
        f" {time.monotonic() - begun:.0f} s, {report.missed} came too late,"
        f" {report.told} were told of a start or a page that was cut short,"
        f" {len(report.wrong)} things were wrong"
    )
    shutil.rmtree(folder, ignore_errors=True)
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
