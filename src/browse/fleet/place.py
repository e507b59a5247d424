"""Where the fleet of this machine is: its folder, and the note about its head."""

import os
from pathlib import Path

import msgspec

from browse import _where
from browse.core.files import private_folder, write_private
from browse.core.paths import Paths
from browse.core.settings import load
from browse.fleet.extra import fault

NOTE = "head.json"


class FleetProcess(msgspec.Struct, frozen=True):
    """A process that `fleet up` started; a pid counts only together with its start."""

    name: str
    pid: int
    start: str

    @property
    def lives(self) -> bool:
        return _where.daemon_lives({"pid": str(self.pid), "pidStart": self.start})


class HeadNote(msgspec.Struct, frozen=True):
    """The head that runs here, and the workers that were started beside it."""

    address: str
    head: FleetProcess
    workers: tuple[FleetProcess, ...] = ()
    dashboard: str = ""
    listen: str = ""


def folder() -> Path:
    """Return the folder of the fleet, which only its owner can enter."""
    return private_folder(Paths.of(load(os.environ)).fleet)


def project(worker: str) -> Path:
    """Return the folder of a worker's daemon: the same each time, so that logins stay."""
    return Paths.of(load(os.environ)).fleet_worker(worker)


def noted(at: Path) -> HeadNote | None:
    """Return what is noted of the head, whether it lives or not."""
    try:
        return msgspec.json.decode((at / NOTE).read_bytes(), type=HeadNote)
    except (OSError, msgspec.DecodeError):  # none, or a note that a crash of the system cut off
        return None


def note(at: Path, head: HeadNote) -> None:
    write_private(at / NOTE, msgspec.json.encode(head))


def living(at: Path) -> HeadNote:
    """Return the head that runs here; raise if there is none."""
    found = noted(at)
    if found is None or not found.head.lives:
        gone = "Its head has ended." if found else "No head was started on this machine."
        raise fault(f"There is no fleet. {gone}", "start one: browse fleet up --local 2")
    return found
