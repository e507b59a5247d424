"""Run every check of the project, in the environment that `./check` has set up.

Static checks all run, so that one call shows all that is wrong; tests run only after they pass.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = (sys.executable, "-I")


@dataclass(frozen=True, slots=True)
class Step:
    """One check: what it is called, what it runs, and what `--fix` runs before it."""

    name: str
    command: tuple[str, ...]
    fix: tuple[str, ...] = ()


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
CHROMIUM = Step("a Chromium", (*PYTHON, "-m", "browse.setup", "install", "--quiet"))

PROGRAMS = Step("programs for tests", (*PYTHON, "tools/programs.py"))


def tests(options: argparse.Namespace) -> Step:
    workers = max(2, os.cpu_count() or 2)
    # Neighbouring tests stay together: a daemon that a file of tests shares is then started once.
    command = [*PYTHON, "-m", "pytest", "-q", "-n", str(workers), "--dist", "worksteal"]
    if options.fast:
        command += ["-m", "not e2e"]
    return Step("tests", (*command, *(options.pytest or ["tests"])))


def passes(step: Step, *, show: bool = False) -> bool:
    """Run one step; print its line, and its output when it fails or `show` is set."""
    start = time.monotonic()
    print(f"[check] {step.name} … ", end="\n" if show else "", flush=True)
    pipe = None if show else subprocess.PIPE
    try:
        done = subprocess.run(
            step.command, cwd=ROOT, stdout=pipe, stderr=subprocess.STDOUT if pipe else None
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


def mend() -> None:
    # Each leaves something for the next: new files to lint, mended lines to format.
    for step in (GENERATED, LINT, FORMAT):
        passes(Step(f"fixing {step.name}", step.fix))


def run(options: argparse.Namespace) -> list[str]:
    """Run the steps in order and name those that failed."""
    failed = [step.name for step in STATIC if not passes(step)]
    if failed:
        return [*failed, "tests not run"]
    if not options.fast and not passes(CHROMIUM):
        return [CHROMIUM.name, "tests not run"]
    if not options.fast:
        passes(PROGRAMS)  # where it cannot get one, the tests that need it say so
    last = tests(options)
    return [] if passes(last, show=True) else [last.name]


def main() -> int:
    parser = argparse.ArgumentParser(prog="./check", description="Check this checkout.")
    parser.add_argument("--fast", action="store_true", help="leave out the tests with a browser")
    parser.add_argument("--fix", action="store_true", help="first mend what tools can mend")
    parser.add_argument("pytest", nargs="*", help="test files or, after --, options for pytest")
    options = parser.parse_args()
    start = time.monotonic()
    if options.fix:
        mend()
    failed = run(options)
    verdict = f"FAILED: {', '.join(failed)}" if failed else "all passed"
    print(f"[check] {verdict} ({time.monotonic() - start:.1f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
