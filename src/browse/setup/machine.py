"""Checks of Python and of the machine, independent of project and browser."""

import contextlib
import importlib.metadata
import locale
import math
import re
import shutil
import site
import socket
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import browse
from browse.core.errors import BrowseError
from browse.core.paths import temp_folder
from browse.core.settings import load
from browse.setup import invocation, programs
from browse.setup.check import Check, Scene, is_writable, nearest_folder
from browse.skills import sandbox

DISTRIBUTION = "gstack-browse"
OLDEST_PYTHON = (3, 11)
LOOPBACK_SECONDS = 5
LOW_DISK_MB = 300
SLOW_START_MS = 20
START_ROUNDS = 5
SCRIPT_BYTES = 4_096  # the script of a checkout is shorter
_OF_AN_EXTRA = re.compile(r";.*\bextra\s*==")


def settings(scene: Scene) -> Check:
    try:
        load(scene.environ)
    except BrowseError as exc:
        return Check("settings", False, exc.message, exc.hint)
    return Check("settings", True, "every variable that is set can be used")


def python(_: Scene) -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    fix = "Install Python 3.11 or later, then install browse with it."
    return Check("python", sys.version_info >= OLDEST_PYTHON, f"{version}, {sys.executable}", fix)


def packages(_: Scene) -> Check:
    """Compare the installed versions with the minimum versions that browse declares."""
    seen, wrong = [], []
    for name, floor in floors().items():
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            wrong.append(f"{name} is missing")
            continue
        seen.append(f"{name} {version}")
        if _numbers(version) < _numbers(floor):
            wrong.append(f"{name} {version} is older than {floor}")
    detail = "; ".join(wrong) or f"browse {browse.__version__} with {', '.join(seen)}"
    return Check("packages", not wrong, detail, _reinstall())


def floors() -> dict[str, str]:
    """List the minimum version of each package that browse needs, without those of extras."""
    declared = _checkout_requirements()
    if not declared:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            declared = importlib.metadata.requires(DISTRIBUTION) or []
    needed = (line for line in declared if not _OF_AN_EXTRA.search(line))
    matches = (re.match(r"([\w.-]+)\s*>=\s*([\d.]+)", line) for line in needed)
    return {found.group(1): found.group(2) for found in matches if found}


def temp(_: Scene) -> Check:
    folder = temp_folder()
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"x" * 4096)
    except OSError as exc:
        return Check(
            "temp folder", False, f"{folder}: {exc.strerror}", f"Fix {folder}, or set TMPDIR."
        )
    return Check("temp folder", True, f"{folder} can be written")


def loopback(_: Scene) -> Check:
    """Send a byte to ourselves, as every command does to its daemon."""
    try:
        with (
            socket.create_server(("127.0.0.1", 0)) as server,
            socket.create_connection(server.getsockname(), LOOPBACK_SECONDS) as client,
        ):
            server.settimeout(LOOPBACK_SECONDS)
            peer, _address = server.accept()
            with peer:
                client.sendall(b"?")
                works = peer.recv(1) == b"?"
    except OSError as exc:
        fix = "Allow connections to 127.0.0.1 in the firewall or sandbox that browse runs in."
        return Check("loopback", False, f"127.0.0.1: {exc.strerror or exc}", fix)
    return Check("loopback", works, "127.0.0.1 can be reached", "Look at the firewall's rules.")


def disk(scene: Scene, low_mb: int = LOW_DISK_MB) -> Check:
    """Check the disks of the state folder and of the temporary folder."""
    folders = dict.fromkeys(nearest_folder(path) for path in (scene.paths.state_dir, temp_folder()))
    free = {folder: shutil.disk_usage(folder).free // 1_000_000 for folder in folders}
    short = [folder for folder, left in free.items() if left < low_mb]
    detail = ", ".join(f"{left:,} MB free at {folder}" for folder, left in free.items())
    return Check("disk", not short, detail, f"Free {low_mb} MB at {', '.join(map(str, short))}.")


def start_up(_: Scene, folders: list[Path] | None = None, slow_ms: float = SLOW_START_MS) -> Check:
    """Check for `.pth` files that run code whenever this Python starts, so at every command."""
    if folders is None and invocation.in_checkout():
        return Check("start-up", True, "the program of this checkout loads no site-packages")
    places = [Path(each) for each in site.getsitepackages()] if folders is None else folders
    guilty = [path for place in places for path in sorted(place.glob("*.pth")) if _runs_code(path)]
    if not guilty:
        return Check("start-up", True, "no .pth file runs code when Python starts")
    cost = max(0.0, _site_cost_ms())  # on a noisy machine it can come out negative
    names = ", ".join(path.name for path in guilty)
    detail = f"site-packages add {cost:.0f} ms to every command; run by: {names}"
    fix = "Install browse in an environment of its own: uv tool install, or pipx install."
    return Check("start-up", cost < slow_ms, detail, fix)


def name(scene: Scene) -> Check:
    """Check that `browse` on the PATH is this tool: another one has the same name."""
    found = shutil.which(invocation.NAME, path=scene.environ.get("PATH", ""))
    own = invocation.script()
    if found is None:
        return Check("name", True, f"no browse on the PATH; this one is {own or 'not a program'}")
    if own and Path(found).resolve() == own.resolve():
        return Check("name", True, f"browse on the PATH is this one: {found}")
    if _is_this_tool(Path(found)):
        return Check("name", True, f"browse on the PATH is another installation of it: {found}")
    fix = f"Type {invocation.SECOND}, or put the folder of {own} first on the PATH."
    return Check("name", False, f"browse on the PATH is another program: {found}", fix)


def skills(_: Scene) -> Check:
    """Report which sandbox keeps untrusted skills from the person's files; none is no failure."""
    return Check("skills", True, f"sandbox of untrusted skills: {sandbox.available()}")


def encoding(_: Scene, found: str = "") -> Check:
    found = found or locale.getpreferredencoding(do_setlocale=False)
    well = found.lower().replace("-", "").replace("_", "") == "utf8"
    return Check("locale", well, found, "Choose a UTF-8 locale: export LC_ALL=C.UTF-8")


def _checkout_requirements() -> list[str]:
    root = Path(browse.__file__).parents[2]
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
        return list(project["dependencies"]) if project["name"] == DISTRIBUTION else []
    except (OSError, ValueError, KeyError):
        return []


def _numbers(version: str) -> tuple[int, ...]:
    leading = re.match(r"[\d.]*\d", version)
    return tuple(int(part) for part in leading.group().split(".")) if leading else ()


def _reinstall() -> str:
    root = Path(browse.__file__).parents[2]
    if is_writable(root / ".venv"):
        return f"rm {root}/.venv/.browse-*, then run {root}/browse again."
    return f"Install it anew: pip install --upgrade {DISTRIBUTION}"


def _is_this_tool(program: Path) -> bool:
    """Check whether a program starts our client: that of a checkout, or one that pip wrote."""
    try:
        with program.open("rb") as file:
            begin = file.read(SCRIPT_BYTES)
    except OSError:
        return False
    return b"from browse.client" in begin or b"/browse/client/boot.py" in begin


def _runs_code(path: Path) -> bool:
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    return any(line.startswith(("import ", "import\t")) for line in lines)


def _site_cost_ms() -> float:
    """Measure the cost of `site`: the fastest of a few starts with it, minus one without it.

    In turn, so that what else the machine does meets both.
    """
    kinds = (("-I",), ("-I", "-S"))
    fastest = dict.fromkeys(kinds, math.inf)
    for _round in range(START_ROUNDS):
        for flags in kinds:
            start = time.perf_counter()
            programs.run([sys.executable, *flags, "-c", "pass"], seconds=30)
            fastest[flags] = min(fastest[flags], time.perf_counter() - start)
    return (fastest["-I",] - fastest["-I", "-S"]) * 1000
