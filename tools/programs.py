"""Get the programs that tests need and that pip cannot bring: OpenSSH, bubblewrap, zsh, fish.

Installs them on Debian and its kin where that needs no password and starts no service. Elsewhere it
changes nothing and ends well: the tests say what is missing.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SBIN = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")
# The package of Debian that each program comes with.
PROGRAMS = {
    "sshd": "openssh-server",
    "ssh": "openssh-client",
    "ssh-keygen": "openssh-client",
    "bwrap": "bubblewrap",
    "zsh": "zsh",
    "fish": "fish",
}
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
    if shutil.which("sudo") and _run(["sudo", "-n", "true"]):
        return ""
    return "needs root or sudo without a password"


def _run(command: list[str]) -> bool:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def missing() -> list[str]:
    return [program for program in PROGRAMS if not where(program)]


def main() -> int:
    if not (wanted := missing()):
        return 0
    reason = why_not()
    if not reason:
        prefix = [] if os.getuid() == 0 else ["sudo", "-n"]
        apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
        packages = sorted({PROGRAMS[program] for program in wanted})
        install = [*apt, "install", "-y", "--no-install-recommends", *packages]
        if (_run([*apt, "update"]) and _run(install)) or not missing():
            return 0
        reason = "apt-get could not install it"
    print(f"not here, and not installed ({reason}): {', '.join(missing())}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
