"""Set up `.venv` in a checkout: `tools/setup runtime` to run browse, `dev` to work on it.

Standard library only, since it runs before anything is installed. It does nothing when the hash of
pyproject.toml and the locks is the one it last installed, and repairs what a killed run left.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LOCKS = {"runtime": "requirements.lock", "dev": "requirements-dev.lock"}
VENV_SECONDS = 300
PIP_SECONDS = 1800
DISPLAY_SECONDS = 300
SHOWN_LINES = 8
NETWORK_SIGNS = (
    "connection",
    "name resolution",
    "network is unreachable",
    "no matching distribution",
    "proxyerror",
    "sslerror",
    "timed out",
)


class Failed(Exception):
    """The set-up cannot go on: what happened, then what to do about it, a line each."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """The files of a checkout that the set-up reads and writes."""

    root: Path

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    def stamp(self, kind: str) -> Path:
        return self.venv / f".browse-{kind}"

    def sources(self, kind: str) -> list[Path]:
        """List what an installation of this kind is made from."""
        kinds = ["runtime"] if kind == "runtime" else ["runtime", "dev"]
        return [self.root / name for name in ["pyproject.toml", *(LOCKS[k] for k in kinds)]]

    def digest(self, kind: str) -> str:
        total = hashlib.sha256()
        for source in self.sources(kind):
            content = source.read_bytes()
            total.update(b"%d\n" % len(content) + content)
        return total.hexdigest()


def say(text: str) -> None:
    print(f"[setup] {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def step(number: int, text: str) -> Iterator[None]:
    """Print one progress line: its text at the start, its seconds at the end."""
    start = time.monotonic()
    print(f"[setup] {number}/3 {text} … ", end="", file=sys.stderr, flush=True)
    try:
        yield
    except BaseException:
        print("failed", file=sys.stderr, flush=True)
        raise
    print(f"{time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)


@contextlib.contextmanager
def only_one(root: Path) -> Iterator[IO[str]]:
    """Hold the checkout's lock, and say so when another set-up has it.

    The file is empty unless a set-up is at work: words left in it mean that one was killed.
    """
    with (root / ".venv.lock").open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up of this checkout is at work; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        # Programs that we start inherit the lock: if only we are killed, they still hold it.
        os.set_inheritable(lock.fileno(), True)
        yield lock


def run(command: list[str], seconds: int) -> str:
    """Run a program to its end, its output kept aside; give it back if it failed, else ""."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
            close_fds=False,
        )
    except subprocess.TimeoutExpired:
        return f"it took longer than {seconds} s"
    except OSError as exc:
        return str(exc)
    if done.returncode == 0:
        return ""
    return done.stdout.strip() or f"it ended with exit code {done.returncode}"


def fault(checkout: Checkout) -> str:
    """Tell why the present `.venv` cannot be used; "" when it can."""
    if not checkout.venv.exists():
        return "it is not there"
    if not checkout.python.exists():
        return "it has no Python"
    # A system that replaced its Python leaves packages in the folder of the old version.
    probe = (
        "import os, sys, sysconfig\n"
        f"same = sys.version_info[:2] == {sys.version_info[:2]}\n"
        "sys.exit(not same or not os.path.isdir(sysconfig.get_path('purelib')))"
    )
    wrong = run([str(checkout.python), "-I", "-c", probe], VENV_SECONDS)
    return "its Python does not run or is of another version" if wrong else ""


def make_venv(checkout: Checkout) -> None:
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        short = "{}.{}".format(*sys.version_info)
        raise Failed(
            f"{sys.executable} cannot make virtual environments (no ensurepip)\n"
            f"  Debian, Ubuntu: sudo apt install python3-venv   (or python{short}-venv)\n"
            "  or name another Python: PYTHON=/path/to/python3 ./browse"
        )
    # pip comes with the first thing to install: it takes ten times as long as the venv itself.
    venv = [sys.executable, "-I", "-m", "venv", "--clear", "--without-pip", str(checkout.venv)]
    if wrong := run(venv, VENV_SECONDS):
        raise Failed(f"making {checkout.venv} failed\n{last_lines(wrong)}\n{advice(wrong)}")


def install(checkout: Checkout, kind: str) -> None:
    """Install exactly what the lock says; pip fetches everything before it changes anything."""
    lock = checkout.root / LOCKS[kind]
    if not any(line[:1] not in ("", "#", " ") for line in lock.read_text("utf-8").splitlines()):
        return
    python = [str(checkout.python), "-I"]
    wrong = run([*python, "-c", "import pip"], VENV_SECONDS)
    if wrong:
        wrong = run([*python, "-m", "ensurepip", "--default-pip"], VENV_SECONDS)
    flags = ["--quiet", "--no-input", "--progress-bar=off", "--disable-pip-version-check"]
    command = [*python, "-m", "pip", "install", *flags, "--no-deps", "--require-hashes"]
    wrong = wrong or run([*command, "--requirement", str(lock)], PIP_SECONDS)
    if wrong:
        raise Failed(f"pip could not install {lock.name}\n{last_lines(wrong)}\n{advice(wrong)}")


def last_lines(output: str) -> str:
    lines = [line for line in output.splitlines() if line and "WARNING: Location" not in line]
    return "\n".join(f"  | {line}" for line in lines[-SHOWN_LINES:])


def advice(output: str) -> str:
    """Choose what to tell a person from what the failed program wrote."""
    words = output.lower()
    if "no space left" in words:
        return "  The disk is full: free about 300 MB, then run this again."
    if any(sign in words for sign in NETWORK_SIGNS):
        return (
            "  Is the network up? Behind a proxy: HTTPS_PROXY=http://host:port ./browse\n"
            "  With a package mirror: PIP_INDEX_URL=https://… ./browse"
        )
    return "  Run this again; if it fails again: rm -rf .venv, then once more."


def put_on_path(checkout: Checkout) -> None:
    """Let the venv import the sources: a relative line, so that a moved checkout still works."""
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    found = subprocess.check_output([str(checkout.python), "-I", "-c", ask], text=True, timeout=60)
    site = Path(found.strip())
    line = os.path.relpath((checkout.root / "src").resolve(), site.resolve())
    (site / "browse.pth").write_text(line + "\n", encoding="utf-8")


def sign(checkout: Checkout, kind: str) -> None:
    """Write the stamps, each newer than what it vouches for even if the clock has been set back."""
    for each in ["runtime"] if kind == "runtime" else ["runtime", "dev"]:
        stamp = checkout.stamp(each)
        stamp.write_text(checkout.digest(each) + "\n", encoding="utf-8")
        newest = max(source.stat().st_mtime_ns for source in checkout.sources(each))
        now = max(time.time_ns(), newest + 1_000_000)
        os.utime(stamp, ns=(now, now))


def is_signed(checkout: Checkout, kind: str) -> bool:
    try:
        return checkout.stamp(kind).read_text("utf-8").strip() == checkout.digest(kind)
    except FileNotFoundError:
        return False


def build(checkout: Checkout, kind: str, *, why: str) -> None:
    with step(1, "making .venv" if why else "keeping .venv"):
        if why:
            make_venv(checkout)
    tools = " and the test tools" if kind == "dev" else ""
    with step(2, f"installing what browse needs{tools}"):
        install(checkout, kind)
    with step(3, "putting src on its path"):
        put_on_path(checkout)
        sign(checkout, kind)
    get_display(checkout)


def get_display(checkout: Checkout) -> None:
    """Get what shows the terminal of the side panel, where npm can; nothing else needs it."""
    tool = checkout.root / "tools" / "xterm.py"
    if tool.is_file() and shutil.which("npm"):
        run([sys.executable, "-I", str(tool)], DISPLAY_SECONDS)


def set_up(checkout: Checkout, kind: str) -> None:
    if is_signed(checkout, kind) and not os.access(checkout.venv, os.W_OK):
        # Somebody else's checkout (an image, a shared disk): whole, but its stamp must stay old.
        return
    with only_one(checkout.root) as lock:
        lock.seek(0)
        why = "the last set-up was killed" if lock.read() else fault(checkout)
        if not why and is_signed(checkout, kind):
            sign(checkout, kind)
            return
        if why and checkout.venv.exists():
            say(f"making .venv anew: {why}")
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        try:
            build(checkout, kind, why=why)
        except (Failed, OSError):
            # It failed by itself, so nothing was cut off half-way and the next run may build on it.
            lock.truncate(0)
            raise
        lock.truncate(0)


def explain(exc: OSError, root: Path) -> str:
    wrong = f"{exc.strerror or exc}: {exc.filename or root}"
    if isinstance(exc, FileNotFoundError):
        return f"{wrong}\n  This does not look like a whole checkout; get it again."
    if "space" in wrong:
        return f"{wrong}\n{advice('no space left')}"
    return (
        f"{wrong}\n  The set-up writes .venv into the checkout: {root}\n"
        "  Copy the checkout to a folder of yours, or install it: pipx install <the checkout>"
    )


def main(words: list[str]) -> int:
    kind = words[0] if words else ""
    if kind not in LOCKS or len(words) > 2:
        print("usage: tools/setup runtime|dev [CHECKOUT]", file=sys.stderr)
        return 2
    root = Path(words[1]) if len(words) > 1 else Path(__file__).parent.parent
    root = root.resolve()
    try:
        set_up(Checkout(root), kind)
    except Failed as exc:
        say(str(exc))
    except OSError as exc:
        say(explain(exc, root))
    except KeyboardInterrupt:
        say("interrupted; the next call repairs it")
        return 130
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
