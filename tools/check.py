"""Run every check of the project, in the environment that `./check` has set up.

Static checks all run, so that one call shows all that is wrong; tests run only after they pass.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# Run as a program, it finds its neighbour no other way.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tools import apps
from tools.javascript import CHECKERS

ROOT = Path(__file__).resolve().parent.parent
PYTHON = (sys.executable, "-I")
# Where tests/conftest.py writes what was skipped and what failed.
OUTCOME = "BROWSE_CHECK_OUTCOME"
MAX_NAMED = 10


@dataclass(frozen=True, slots=True)
class Step:
    """One check: what it is called, what it runs, and what `--fix` runs before it."""

    name: str
    command: tuple[str, ...]
    fix: tuple[str, ...] = ()

    def again(self) -> str:
        """Write the command that runs this step alone, from the checkout's folder."""
        return shlex.join([_from_root(self.command[0]), *self.command[1:]])


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the tests ended: how many were skipped for which reason, and which failed."""

    skipped: dict[str, int]
    failed: list[str]
    seed: int | None

    @classmethod
    def read(cls, path: Path) -> "Outcome | None":
        """Read what the tests have written; None when they ended before that."""
        raw = path.read_text("utf-8") if path.exists() else ""
        return cls(**json.loads(raw)) if raw else None

    def summary(self) -> str:
        """Say what was skipped and why, in one line."""
        if not self.skipped:
            return "no test was skipped"
        reasons = [f"{why} ({count})" for why, count in sorted(self.skipped.items())]
        return f"{sum(self.skipped.values())} tests skipped: {'; '.join(reasons)}"

    def again(self) -> str:
        """Write the command that repeats what failed, in the same order."""
        named = [shlex.quote(test) for test in self.failed] if len(self.failed) <= MAX_NAMED else []
        options = [] if named else ["--last-failed"]
        if self.seed is not None:
            options.append(f"--randomly-seed={self.seed}")
        return " ".join(["./check", *named, "--", *options])


RUFF = (*PYTHON, "-m", "ruff")
GEN = (*PYTHON, "tools/gen.py")

FORMAT = Step("format", (*RUFF, "format", "--quiet", "--diff"), fix=(*RUFF, "format", "--quiet"))
LINT = Step("lint", (*RUFF, "check", "--quiet"), fix=(*RUFF, "check", "--quiet", "--fix-only"))
TYPES = Step("types", (*PYTHON, "-m", "mypy"))
# Not the script that pip wrote: it holds the path of the checkout, which may have been moved.
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as run; run(['--no-logo'])"
CONTRACTS = Step("import contracts", (*PYTHON, "-c", LINT_IMPORTS))
GENERATED = Step("generated files", (*GEN, "--check"), fix=GEN)
STATIC = (FORMAT, LINT, TYPES, CONTRACTS, GENERATED)
_BIOME = ("check", "--error-on-warnings", "--config-path=tools/js")
SCRIPT_TYPES = Step("types of page scripts", CHECKERS.command("tsc", "--project", "tools/js"))
SCRIPT_LINT = Step(
    "lint and format of page scripts",
    CHECKERS.command("biome", *_BIOME, *CHECKERS.checked()),
    fix=CHECKERS.command("biome", *_BIOME, "--write", *CHECKERS.checked()),
)
CHROMIUM = Step("a Chromium", (*PYTHON, "-m", "browse.setup", "install", "--quiet"))

PROGRAMS = Step("programs for tests", (*PYTHON, "tools/programs.py"))
XTERM = Step("xterm.js for the terminal", (*PYTHON, "tools/xterm.py"))
WIDGETS = Step("widgets for tests", (*PYTHON, "tools/widgets.py"))


def _from_root(program: str) -> str:
    path = Path(program)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else program


def tests(options: argparse.Namespace) -> Step:
    # One more than there are cores: some tests wait, for a limit or for a process to end.
    workers = 1 + max(2, os.cpu_count() or 2)
    # Neighbouring tests stay together: a daemon that a file of tests shares is then started once.
    command = [*PYTHON, "-m", "pytest", "-q", "-n", str(workers), "--dist"]
    # An application that takes long to start is started by one worker only.
    command.append("loadfile" if options.apps else "worksteal")
    if options.fast:
        command += ["-m", "not e2e"]
    return Step("tests", (*command, *(options.pytest or ["tests"])))


def passes(step: Step, *, show: bool = False, **env: str) -> bool:
    """Run one step; print its line, and its output when it fails or `show` is set."""
    start = time.monotonic()
    print(f"[check] {step.name} … ", end="\n" if show else "", flush=True)
    pipe = None if show else subprocess.PIPE
    try:
        done = subprocess.run(
            step.command,
            cwd=ROOT,
            env={**os.environ, **env},
            stdout=pipe,
            stderr=subprocess.STDOUT if pipe else None,
        )
    except FileNotFoundError as exc:
        print(f"failed: {exc}", flush=True)
        return False
    word = "ok" if done.returncode == 0 else "FAILED"
    prefix = f"[check] {step.name}: " if show else ""
    print(f"{prefix}{word} ({time.monotonic() - start:.1f} s)", flush=True)
    if done.returncode != 0 and done.stdout:
        sys.stdout.buffer.write(done.stdout)
        sys.stdout.buffer.flush()
    return done.returncode == 0


def fix(more: tuple[Step, ...]) -> None:
    # Each leaves something for the next: new files to lint, fixed lines to format.
    for step in (GENERATED, LINT, FORMAT, *more):
        if step.fix:
            passes(Step(f"fixing {step.name}", step.fix))


def of_page_scripts() -> tuple[Step, ...]:
    """List the checks of the page scripts; none, and the reason, where they cannot run."""
    if reason := CHECKERS.why_not():
        print(f"[check] page scripts … skipped: {reason}", flush=True)
        return ()
    return (SCRIPT_TYPES, SCRIPT_LINT)


def run(options: argparse.Namespace, more: tuple[Step, ...]) -> dict[str, str]:
    """Run the steps in order; name those that failed, each with the command that repeats it."""
    with compiling(paths(options)):
        failed = {step.name: step.again() for step in (*STATIC, *more) if not passes(step)}
        if failed:
            return {**failed, "tests not run": ""}
        if not options.fast and not passes(CHROMIUM):
            return {CHROMIUM.name: CHROMIUM.again(), "tests not run": ""}
        if not options.fast:
            # What cannot be had, the tests that need it say.
            for step in (PROGRAMS, XTERM, WIDGETS, *apps_for(options)):
                passes(step)
    return run_tests(tests(options))


@contextmanager
def compiling(named: list[str]) -> Iterator[None]:
    """Meanwhile let pytest compile the tests once; without that each of its workers does."""
    command = (*PYTHON, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider")
    done = subprocess.Popen(
        [*command, *(named or ["tests"])],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        done.terminate()
        done.wait()


def apps_for(options: argparse.Namespace) -> tuple[Step, ...]:
    """Return what installs the applications that these tests drive, if they drive any."""
    names = apps.driven_by(paths(options) or ["tests"])
    return (Step("applications for tests", (*PYTHON, "tools/apps.py", *names)),) if names else ()


def paths(options: argparse.Namespace) -> list[str]:
    """List the tests and folders of tests that were named."""
    return [word for word in options.pytest if Path(word).parts[:1] == ("tests",)]


def run_tests(step: Step) -> dict[str, str]:
    """Run the tests; say what was skipped, and give the command that repeats what failed."""
    with tempfile.TemporaryDirectory(prefix="browse-check-") as folder:
        path = Path(folder) / "outcome.json"
        passed = passes(step, show=True, **{OUTCOME: str(path)})
        outcome = Outcome.read(path)
    if outcome:
        print(f"[check] {outcome.summary()}", flush=True)
    if passed:
        return {}
    return {step.name: outcome.again() if outcome and outcome.failed else step.again()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="./check", description="Check this checkout.")
    parser.add_argument("--fast", action="store_true", help="leave out the tests with a browser")
    parser.add_argument("--fix", action="store_true", help="first fix what tools can fix")
    parser.add_argument("pytest", nargs="*", help="test files or, after --, options for pytest")
    parser.add_argument("--apps", action="store_true", help="only the jobs in real applications")
    options = parser.parse_args()
    if options.apps and not paths(options):
        options.pytest += [str(it.test.relative_to(ROOT)) for it in apps.applications()]
    start = time.monotonic()
    scripts = of_page_scripts()
    if options.fix:
        fix(scripts)
    failed = run(options, scripts)
    for name, again in failed.items():
        if again:
            print(f"[check] to repeat {name}: {again}", flush=True)
    verdict = f"FAILED: {', '.join(failed)}" if failed else "all passed"
    print(f"[check] {verdict} ({time.monotonic() - start:.1f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
