"""Get a Chromium for a machine that has none: Playwright's own, else the system's package."""

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from browse.browser.process.chromium import (
    SHELL,
    FoundChromium,
    System,
    driver_package,
    find,
    package_command,
)
from browse.core.errors import BrowseError, Code
from browse.setup import apt, programs

DOWNLOAD_SECONDS = 900
PACKAGE_SECONDS = 900
ASK_SECONDS = 20
SHELL_PACKAGE = "chromium-headless-shell"
# How Playwright and apt-get tell how far they are.
DOWNLOADED = re.compile(r"(\d+)% of ([\d.]+ \w+)")
APT_STATUS = re.compile(r"^(dl|pm)status:[^:]*:(\d+)")
APT_PHASES = {"dl": "fetched", "pm": "installed"}
STEP_PERCENT = 10
CAUSES = r"\bE[A-Z]{4,}\b|status code|certificate|resolve|[Cc]ould not"

Say = Callable[[str], None]


class Route(msgspec.Struct, frozen=True):
    """One way to get a Chromium: its name, why it is not possible ("" = possible), what to run.

    `downloads`: it leaves what it downloads in the temporary folder if it is interrupted.
    """

    name: str
    closed: str
    commands: tuple[tuple[str, ...], ...]
    seconds: int
    downloads: bool = False


def get(
    say: Say, *, chosen: str = "", system: System | None = None, best: bool = False
) -> FoundChromium:
    """Return a Chromium, installing one by the first route that works if necessary.

    With `best`, a browser with a user interface, which starts more slowly, is used only if no
    headless shell is available.
    """
    system = system or System.here()
    there: FoundChromium | None = None
    try:
        there = find(chosen, system)
    except BrowseError:
        if chosen:
            raise
    if there and (chosen or there.kind == SHELL or not best):
        return there
    refusals = []
    routes = (playwright_route(), apt_route(system, SHELL_PACKAGE), apt_route(system, "chromium"))
    for route in routes[: 2 if there else 3]:
        wrong = route.closed or _take(route, say, system.environ)
        if not wrong:
            return find("", system)
        say(f"{route.name}: {wrong}")
        refusals.append(f"{route.name}: {wrong}")
    if there:
        return there
    raise BrowseError(
        Code.BROWSER_MISSING,
        "No Chromium was found and none could be installed. " + "; ".join(refusals) + ".",
        hint=(
            f"Install one yourself ({package_command(system)}); or fix the network and type "
            "`browse install` again; or name one: GSTACK_CHROMIUM_PATH=/path/to/chrome"
        ),
    )


def playwright_route() -> Route:
    """Download the build that the driver was tested with."""
    package = driver_package()
    node = package.parent / "node"
    closed = "" if node.exists() else "Playwright is not installed"
    words = (str(node), str(package / "cli.js"), "install", "--only-shell", "chromium")
    return Route("Playwright's download", closed, (words,), DOWNLOAD_SECONDS, downloads=True)


def apt_route(system: System, package: str) -> Route:
    """Install a package of Debian's, if we may and if it is a real one."""
    commands = apt.install_commands([package], as_root=system.uid == 0)
    return Route(f"The system's {package}", _why_no_apt(system), commands, PACKAGE_SECONDS)


def _why_no_apt(system: System) -> str:
    if not system.which("apt-get"):
        return "only known for Debian"
    if "ubuntu" in _os_release(system.root):
        # Its chromium package only asks snapd for a snap, which containers and WSL do not have and
        # which may not read files in temporary folders.
        return "Ubuntu has Chromium only as a snap; take Chrome from https://www.google.com/chrome"
    if system.uid == 0:
        return ""
    sudo = system.which("sudo")
    if sudo and programs.run([sudo, "-n", "true"], seconds=ASK_SECONDS).ok:
        return ""
    return "needs root or sudo without a password"


def _os_release(root: Path) -> str:
    try:
        lines = (root / "etc/os-release").read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    return " ".join(line for line in lines if line.startswith(("ID=", "ID_LIKE="))).lower()


def _take(route: Route, say: Say, environ: Mapping[str, str]) -> str:
    """Run a route's commands; return "" when they all worked, else the reason."""
    say(f"{route.name}: getting Chromium (at most {route.seconds // 60} minutes)")
    with tempfile.TemporaryDirectory(prefix="browse-install-", ignore_cleanup_errors=True) as temp:
        # Not for apt-get, which reads its files there as a user of its own.
        own = {**environ, "TMPDIR": temp} if route.downloads else environ
        for command in route.commands:
            if not shutil.which(command[0], path=environ.get("PATH")):
                return f"{command[0]} is missing"
            progress = Progress(say)
            done = apt.run(command, seconds=route.seconds, environ=own, each=progress.line)
            if not done.ok:
                return _reason(done)
    return ""


class Progress:
    """Says how far a download or an installation is, every ten per cent."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._said: dict[str, int] = {}

    def line(self, line: str) -> None:
        """Read one line of the program's output."""
        if found := DOWNLOADED.search(line):
            self._tell(f"of {found[2]}", int(found[1]))
        elif found := APT_STATUS.search(line):
            self._tell(APT_PHASES[found[1]], int(found[2]))

    def _tell(self, what: str, percent: int) -> None:
        reached = percent // STEP_PERCENT * STEP_PERCENT
        if reached > self._said.get(what, 0):
            self._said[what] = reached
            self._say(f"  {reached:3} % {what}")


def _reason(done: programs.ProgramResult) -> str:
    """Return the first cause that Node or apt names: what follows are its consequences."""
    cause = re.search(f"^(?:Error|E): (.*(?:{CAUSES}).*)$", done.output + done.errors, re.MULTILINE)
    return cause.group(1).strip()[:200] if cause else done.reason()
