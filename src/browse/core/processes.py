"""How much memory processes use, on Linux (`/proc`) and elsewhere (`ps`)."""

import os
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

PS_S = 5.0
_PROC = Path("/proc")


def resident_bytes(pids: Iterable[int]) -> dict[int, int]:
    """Return the resident memory of each process that exists and can be read."""
    wanted = sorted(set(pids))
    return _from_proc(wanted) if (_PROC / "self/statm").exists() else _from_ps(wanted)


def _from_proc(pids: list[int]) -> dict[int, int]:
    page = os.sysconf("SC_PAGESIZE")
    found: dict[int, int] = {}
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):  # it ended meanwhile
            found[pid] = int((_PROC / str(pid) / "statm").read_text().split()[1]) * page
    return found


def _from_ps(pids: list[int]) -> dict[int, int]:
    command = ["ps", "-o", "pid=,rss=", "-p", ",".join(map(str, pids))]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=PS_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    rows = (line.split() for line in ran.stdout.splitlines())
    return {
        int(row[0]): int(row[1]) * 1024
        for row in rows
        if len(row) == 2 and row[0].isdecimal() and row[1].isdecimal()
    }
