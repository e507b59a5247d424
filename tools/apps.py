"""Install the real applications that tests/apps drives: `python3 tools/apps.py [NAME…]`.

Each is pinned in tests/apps/requirements and gets a folder of its own below `.apps`, which git
ignores: an environment of Python for `<name>.txt`, what npm installs for `<name>/package.json`.
Installed once for each pin. Where one cannot be had, the reason is printed and kept beside it, the
run ends well, and its tests are skipped with that reason.
"""

import argparse
import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINNED = ROOT / "tests" / "apps" / "requirements"
FOLDER = ROOT / ".apps"
# Small enough for every run of `./check`.
IN_CHECK = ("datasette", "django-admin", "swagger-ui", "todomvc")
INSTALL_S = 1800
PIP = ("install", "--quiet", "--no-input", "--progress-bar=off", "--no-compile", "--retries=1")
NPM_CI = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


@dataclass(frozen=True, slots=True)
class Application:
    """An application: what pins it, and where it is installed."""

    name: str
    pinned: Path = PINNED
    below: Path = FOLDER

    @property
    def folder(self) -> Path:
        return self.below / self.name

    @property
    def python(self) -> Path:
        """The interpreter that can import it."""
        return self.folder / "bin" / "python"

    @property
    def modules(self) -> Path:
        """The folder into which npm has put it."""
        return self.folder / "node_modules"

    @property
    def lock(self) -> Path:
        of_npm = self.pinned / self.name / "package-lock.json"
        return of_npm if of_npm.is_file() else self.pinned / f"{self.name}.txt"

    @property
    def test(self) -> Path:
        """The file with its jobs."""
        return self.pinned.parent / f"test_{self.name.replace('-', '_')}.py"

    @property
    def _stamp(self) -> Path:
        return self.folder / ".stamp"

    @property
    def _why(self) -> Path:
        return self.below / f"{self.name}.why"

    def _digest(self) -> str:
        made_by = f"{sys.executable} {sys.version}".encode()
        return hashlib.sha256(made_by + self.lock.read_bytes()).hexdigest()

    def is_there(self) -> bool:
        """Tell whether what is pinned is installed."""
        return self._stamp.is_file() and self._stamp.read_text("utf-8") == self._digest()

    def why_not(self) -> str:
        """Tell why it is not there; "" when it is."""
        if self.is_there():
            return ""
        return self._why.read_text("utf-8") if self._why.is_file() else "not installed"

    def install(self) -> str:
        """Install what is pinned, unless it is there; return why that failed, or ""."""
        with self._only_one():
            if self.is_there():
                return ""
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir()
            by_npm = self.lock.name == "package-lock.json"
            reason = self._npm() if by_npm else self._pip()
            if reason:
                self._why.write_text(reason, "utf-8")
            else:
                self._why.unlink(missing_ok=True)
                self._stamp.write_text(self._digest(), "utf-8")
            return reason

    @contextmanager
    def _only_one(self) -> Iterator[None]:
        self.below.mkdir(exist_ok=True)
        with (self.below / f"{self.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _pip(self) -> str:
        # The pip of this environment serves the other too: one of its own takes ten times as long.
        make = (sys.executable, "-I", "-m", "venv", "--without-pip", str(self.folder))
        pip = (sys.executable, "-I", "-m", "pip", f"--python={self.python}", *PIP)
        hashed = ("--no-deps", "--require-hashes", f"--requirement={self.lock}")
        return _run("venv", make) or _run("pip", (*pip, *hashed))

    def _npm(self) -> str:
        if not shutil.which("npm"):
            return "there is no npm here"
        for source in self.lock.parent.iterdir():
            shutil.copy(source, self.folder)
        return _run("npm", NPM_CI, self.folder)


def _run(what: str, command: tuple[str, ...], folder: Path = ROOT) -> str:
    """Run one program; return in one line why it failed, or ""."""
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=INSTALL_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as exc:
        return f"{what} failed: {exc}"
    if not done.returncode:
        return ""
    errors = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    return f"{what} failed: {(errors or ['no reason given'])[0]}"


def applications(pinned: Path = PINNED) -> list[Application]:
    """List the applications that are pinned."""
    names = {path.stem for path in pinned.glob("*.txt")}
    names |= {path.parent.name for path in pinned.glob("*/package-lock.json")}
    return [Application(name, pinned) for name in sorted(names)]


def driven_by(paths: list[str]) -> list[str]:
    """List the applications that these tests, or folders of tests, drive."""
    named = {(ROOT / path.partition("::")[0]).resolve() for path in paths}
    whole = {PINNED.parent, PINNED.parent.parent} & named
    return [it.name for it in applications() if it.test in named or (whole and it.name in IN_CHECK)]


def main(words: list[str] | None = None) -> int:
    known = {it.name: it for it in applications()}
    parser = argparse.ArgumentParser(prog="tools/apps.py", description="Install applications.")
    parser.add_argument("name", nargs="*", help=f"one of: {', '.join(known)}")
    options = parser.parse_args(words)
    if unknown := [name for name in options.name if name not in known]:
        parser.error(f"no application is pinned as {unknown[0]}; there are: {', '.join(known)}")
    for name in options.name or known:
        try:
            reason = known[name].install()
        except OSError as exc:
            reason = str(exc)
        if reason:
            print(f"{name} is not here: {reason}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # the next run begins anew
        sys.exit(130)
