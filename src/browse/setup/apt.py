"""Install Debian's packages, also while another program installs some."""

import time
from collections.abc import Callable, Mapping, Sequence

from browse.setup import programs

# What apt-get says when it gives up because another one runs.
LOCKED = "Could not get lock"
PAUSE_S = 2.0

Command = tuple[str, ...]


def install_commands(packages: Sequence[str], *, as_root: bool) -> tuple[Command, ...]:
    """Return what to run, one after the other, to install packages without a question."""
    prefix: Command = () if as_root else ("sudo", "-n")
    # How far it is goes to stdout: sudo closes descriptors of one's own.
    told = ("-o", "APT::Status-Fd=1")
    apt = (*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", *told)
    return (*apt, "update"), (*apt, "install", "-y", "--no-install-recommends", *packages)


def run(
    command: Sequence[str],
    *,
    seconds: float,
    environ: Mapping[str, str] | None = None,
    each: Callable[[str], None] | None = None,
) -> programs.ProgramResult:
    """Run a command of apt-get; while another program holds its locks, wait and try again.

    `each` gets every line of its output as it comes.
    """
    ends = time.monotonic() + seconds
    while True:
        done = programs.run(command, seconds=seconds, environ=environ, each=each)
        if done.ok or LOCKED not in done.errors or time.monotonic() + PAUSE_S > ends:
            return done
        time.sleep(PAUSE_S)
