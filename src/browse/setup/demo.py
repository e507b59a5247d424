"""Show the whole loop on a page of our own, through the real client and a daemon of its own."""

import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

import browse
from browse import _where
from browse.core.paths import Paths
from browse.core.text import counted
from browse.registry.results import Text
from browse.setup import invocation, programs

PAGE = Path(__file__).with_name("demo.html")
CLIENT = Path(browse.__file__).parent / "client" / "boot.py"
STEP_SECONDS = 60
STOP_SECONDS = 20
SHOWN_LINES = 8
SHOWN_CHARS = 100
LOG_LINES = 10
# If we are killed, the daemon ends by itself after this long.
IDLE_MS = 120_000
# Variables of the caller that would lead the demo to another daemon, tab or port.
OWN = ("AUTH_TOKEN", "BROWSE_NO_AUTOSTART", "BROWSE_PORT", "BROWSE_TAB")

Say = Callable[[str], None]


class DemoStep(msgspec.Struct, frozen=True):
    """One command of the demo, and a word that its output must contain; `{page}` is a URL."""

    words: tuple[str, ...]
    expects: str = ""


class Shown(msgspec.Struct, frozen=True):
    """The outcome of a step."""

    command: str
    ok: bool
    ms: int
    output: str


STEPS = (
    DemoStep(("goto", "{page}")),
    DemoStep(("text",), "Tea list"),
    DemoStep(("links",), "how-to-brew"),
    DemoStep(("js", 'document.querySelectorAll("li").length'), "3"),
    DemoStep(("snapshot", "-i"), "Another tea"),
    DemoStep(("fill", "#name", "Assam")),
    DemoStep(("click", "text=Add", "--expect", "text=Added Assam."), "Clicked"),
    DemoStep(("wait", "#steeped")),
    DemoStep(("js", 'document.querySelector("#steeped").textContent'), "steeped"),
    DemoStep(("screenshot", "tea.png"), "tea.png"),
    DemoStep(("chain", '[["url"], ["js", "document.title"]]'), "Tea list"),
    DemoStep(("tabs",), "demo.html"),
    DemoStep(("url",), "demo.html"),
    DemoStep(("status",), "healthy"),
    DemoStep(("stop",)),
)


class Stage(msgspec.Struct, frozen=True):
    """A project for the demo: its folder, and the environment that leads to its daemon."""

    folder: Path
    environ: Mapping[str, str]

    @property
    def state_file(self) -> Path:
        return self.folder / _where.STATE_DIR / _where.STATE_NAME

    @property
    def page(self) -> str:
        return (self.folder / PAGE.name).as_uri()

    def browse(self, words: tuple[str, ...], seconds: float) -> programs.ProgramResult:
        command = [sys.executable, "-I", "-S", str(CLIENT), *words]
        return programs.run(command, seconds=seconds, environ=self.environ, folder=self.folder)

    def log_tail(self) -> list[str]:
        log = Paths(self.state_file, self.folder).daemon_log
        try:
            return log.read_text("utf-8", "replace").splitlines()[-LOG_LINES:]
        except OSError:
            return []


def perform(say: Say, environ: Mapping[str, str], steps: tuple[DemoStep, ...] = STEPS) -> Text:
    """Run the steps in order until one fails; the daemon ends with the demo."""
    start = time.monotonic()
    seen: list[Shown] = []
    with _stage(environ) as stage:
        for step in steps:
            shown = _show(stage, step, say)
            seen.append(shown)
            if not shown.ok:
                for line in stage.log_tail():
                    say(f"    daemon log: {line}")
                break
    seconds = time.monotonic() - start
    failed = [shown for shown in seen if not shown.ok]
    rows = [
        {"command": each.command, "ok": each.ok, "ms": each.ms, "output": each.output}
        for each in seen
    ]
    again = invocation.spelled()
    verdict = (
        f"All {len(seen)} steps worked, in {seconds:.1f} s. Next, a page of your own:\n"
        f"    {again} goto https://example.com\n    {again} snapshot -i\n    {again} help"
    )
    if failed:
        verdict = f"The demo failed at `{failed[0].command}`. Next: {again} doctor"
    return Text(verdict, {"ok": not failed, "steps": rows})


@contextmanager
def _stage(environ: Mapping[str, str]) -> Iterator[Stage]:
    """Set up a project in a temporary folder; stop its daemon and remove it at the end."""
    with tempfile.TemporaryDirectory(prefix="browse-demo-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        shutil.copy(PAGE, folder)
        own = {key: value for key, value in environ.items() if key not in OWN}
        stage = Stage(folder, own)
        own["BROWSE_STATE_FILE"] = str(stage.state_file)
        own["BROWSE_IDLE_TIMEOUT"] = str(IDLE_MS)
        try:
            yield stage
        finally:
            if stage.state_file.parent.exists():  # also a daemon that is still starting
                stage.browse(("stop",), STOP_SECONDS)


def _show(stage: Stage, step: DemoStep, say: Say) -> Shown:
    words = tuple(word.replace("{page}", stage.page) for word in step.words)
    command = shlex.join(["browse", *words])
    say(f"$ {command}")
    start = time.monotonic()
    done = stage.browse(words, STEP_SECONDS)
    ms = round((time.monotonic() - start) * 1000)
    output = (done.output + done.errors).strip()
    for line in shorten(output):
        say(f"    {line}")
    ok = done.ok and step.expects in output
    if done.ok and not ok:
        say(f"    (expected to see {step.expects!r})")
    say(f"    {ms} ms\n")
    return Shown(command, ok, ms, output)


def shorten(output: str) -> list[str]:
    """Keep the first lines of an output, each cut to what a terminal shows."""
    lines = output.splitlines()
    kept = [f"{line[:SHOWN_CHARS]}…" if len(line) > SHOWN_CHARS else line for line in lines]
    left = len(kept) - SHOWN_LINES
    return [*kept[:SHOWN_LINES], f"… {counted(left, 'more line')}"] if left > 0 else kept
