"""From which process a call came: the client and those above it, as far as the system tells."""

from dataclasses import dataclass, field
from pathlib import Path

MAX_DEPTH = 64
FIRST = 1  # the process above all others
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    """A process; its pid alone may be another's later."""

    pid: int
    started: str = ""
    name: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.name}, pid {self.pid}" if self.name else f"pid {self.pid}"


Origin = tuple[Process, ...]  # the outermost first, the client last


def origin_of(sent: str, proc: Path = PROC) -> Origin:
    """Return where a client runs, from what it says: its session, its parent and itself."""
    words = sent.split()
    if not words or not all(word.isdecimal() and len(word) < 10 for word in words):
        return ()
    pids = [int(word) for word in words]
    return _above(pids[-1], proc) or tuple(Process(pid) for pid in pids)


def common(one: Origin, other: Origin) -> int:
    """Return how many processes two origins have in common, from the outermost."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _above(pid: int, proc: Path) -> Origin:
    found: list[Process] = []
    while pid > FIRST and len(found) < MAX_DEPTH:
        try:
            raw = (proc / str(pid) / "stat").read_bytes()
        except OSError:
            break
        # `pid (name) state ppid …`, where the name may hold anything.
        head, _, rest = raw.decode("utf-8", "replace").rpartition(")")
        fields = rest.split()
        found.append(Process(pid, fields[19], _plain(head.partition("(")[2])))
        pid = int(fields[1])
    return tuple(reversed(found))


def _plain(name: str) -> str:
    return "".join(char for char in name if char.isalnum() or char in "-_.")
