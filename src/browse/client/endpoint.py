"""The daemon of this call: read from the state file, and only if it lives."""

from browse import __version__, _exit, _where
from browse.client.wire import Failure

_HERE = __file__.rpartition("/client/")[0]


class Daemon:
    """A daemon as its state file describes it; compared by process, not by port."""

    __slots__ = ("_state", "path", "pid", "port", "token", "version")

    def __init__(self, path: str, state: dict[str, str]) -> None:
        self._state = state
        self.path = path
        self.pid = int(state["pid"])
        self.port = int(state["port"])
        self.token = state["token"]
        self.version = state.get("binaryVersion", "")

    def lives(self) -> bool:
        """Check whether its pid still belongs to the process that wrote the state."""
        return _where.daemon_lives(self._state)

    @property
    def outdated(self) -> bool:
        """Whether it runs other code than there is now."""
        return self.version not in ("", "null", __version__) or self.reinstalled

    @property
    def headed(self) -> bool:
        """Whether its browser is in a window."""
        return self._state.get("mode") == "headed"

    @property
    def reinstalled(self) -> bool:
        """Whether the code that it was started from was replaced since, under the same version.

        Another installation of the same version is none of our business.
        """
        was = self._state.get("binaryInstalled", "")
        same_place = self._state.get("serverPath", "") == f"{_HERE}/daemon"
        return was != "" and same_place and was != _where.installed()


def recorded(path: str) -> Daemon | None:
    """Return the daemon that wrote the state file, alive or not; None if missing or damaged."""
    try:
        state = _where.read_state(path)
    except _where.Damaged:
        return None  # the daemon's lock shows whether one runs without a state
    except _where.UnusableState as exc:
        raise Failure(
            _exit.UNREACHABLE,
            f"The state file {path} cannot be used: {exc}.",
            f"Type `rm {'-r ' if isinstance(exc, _where.Folder) else ''}{path}`,"
            " or choose another place with BROWSE_STATE_FILE=<path>.",
        ) from exc
    return Daemon(path, state) if state else None


def living(path: str) -> Daemon | None:
    """Return the living daemon. Token and argv must go to no other process than this one."""
    daemon = recorded(path)
    return daemon if daemon is not None and daemon.lives() else None
