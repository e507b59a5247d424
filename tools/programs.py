"""Get the programs that tests need and pip does not bring: OpenSSH, shells, browsers, a keyring …

Installs them on Debian and its kin where that needs no password and starts no service. Elsewhere it
changes nothing and ends well: the tests say what is missing.
"""

import os
import shutil
import sys
from pathlib import Path

from browse.browser.process import chromium
from browse.core.errors import BrowseError
from browse.setup import apt, programs

SBIN = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")
# The package of Debian that each program comes with.
PROGRAMS = {
    "sshd": "openssh-server",
    "ssh": "openssh-client",
    "ssh-keygen": "openssh-client",
    "bwrap": "bubblewrap",
    "zsh": "zsh",
    "fish": "fish",
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
    "dbus-daemon": "dbus-daemon",
    "dbus-run-session": "dbus",
    "gnome-keyring-daemon": "gnome-keyring",
    "firefox-esr": "firefox-esr",
}
# For tests of the window: `browse install` gets a headless shell, which has none.
WINDOW = "chromium"
# Not every relative of Debian has these, and apt-get installs all that it is given, or nothing.
ALONE = (WINDOW, "firefox-esr")
SECONDS = 300


def where(program: str) -> str | None:
    """Find a program, also where only root's PATH leads."""
    return shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", ""), *SBIN]))


def why_not() -> str:
    """Tell why nothing may be installed here; "" when it may."""
    if not shutil.which("apt-get"):
        return "only known for Debian and its kin"
    if Path("/run/systemd/system").exists():
        return "installing it would start a service on this machine"
    if os.getuid() == 0:
        return ""
    if shutil.which("sudo") and programs.run(["sudo", "-n", "true"], seconds=SECONDS).ok:
        return ""
    return "needs root or sudo without a password"


def missing() -> list[str]:
    """List what is not here; any Chrome, Edge or Brave will do for a window."""
    programs_missing = [program for program in PROGRAMS if not where(program)]
    try:
        chromium.find_with_window(os.environ.get("GSTACK_CHROMIUM_PATH", ""))
    except BrowseError:
        programs_missing.append(WINDOW)
    return programs_missing


def install(wanted: list[str]) -> None:
    """Install the packages of these programs, those of browsers by themselves."""
    packages = sorted({PROGRAMS[program] for program in wanted if program not in ALONE})
    for together in (packages, *([program] for program in ALONE if program in wanted)):
        if together:
            for each in apt.install_commands(together, as_root=os.getuid() == 0):
                apt.run(each, seconds=SECONDS)


def main() -> int:
    if not (wanted := missing()):
        return 0
    reason = why_not()
    if not reason:
        install(wanted)
        if not missing():
            return 0
        reason = "apt-get could not install it"
    print(f"not here, and not installed ({reason}): {', '.join(missing())}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
