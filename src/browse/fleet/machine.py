"""The browser of one worker: an ordinary daemon in a folder of its own, and tabs of it.

Commands go the ways that everybody uses: the client for a command line, the SDK for pages.
"""

import os
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import browse
from browse import _where
from browse.core.files import private_folder, write_private
from browse.fleet.extra import fault
from browse.sdk.browse_client import Browse, BrowseError

CLIENT = Path(browse.__file__).parent / "client" / "boot.py"
START_S = 120.0
# Variables of whoever started the worker, which would lead to another daemon, tab or session.
OWN = ("AUTH_TOKEN", "BROWSE_AGENT", "BROWSE_PORT", "BROWSE_SESSION", "BROWSE_TAB")
# After these, the tab is not used again.
LOST = frozenset(
    {"tab-busy", "tab-closed", "tab-crashed", "tab-unknown", "browser-gone", "session-unknown"}
)
NO_DAEMON = frozenset({"unreachable", "daemon-stopping", "browser-gone", "unauthenticated"})


class Machine:
    """The daemon of a worker and its free tabs, by session."""

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self.folder = private_folder(folder)
        state = folder / _where.STATE_DIR / _where.STATE_NAME
        self._state = str(state)
        kept = {key: value for key, value in environ.items() if key not in OWN}
        self._environ = {**kept, "BROWSE_STATE_FILE": self._state, "BROWSE_AGENT": "fleet"}
        self._free: dict[str, list[int]] = defaultdict(list)
        self._starting = threading.Lock()

    def command(self, words: Sequence[str], session: str = "") -> tuple[list[str], dict[str, str]]:
        """Return what runs a command line here, as it runs in a shell, and its environment."""
        own = {"BROWSE_SESSION": session} if session else {}
        return [sys.executable, "-I", "-S", str(CLIENT), *words], {**self._environ, **own}

    def start(self) -> None:
        """See that the daemon runs; raise if it cannot."""
        with self._starting:
            ran = self._run("tabs", "--json")
        if ran.returncode:
            raise fault(
                f"The worker's browser did not start: {ran.stderr.strip()[:500]}", "browse doctor"
            )

    def stop(self) -> None:
        """End the daemon, with its browser."""
        self._run("stop", "--force")

    def keep(self, scripts: Mapping[str, str]) -> dict[str, str]:
        """Put scripts that came along beside the files of this worker; return where they are."""
        places = {name: self.folder / name for name in scripts}
        for name, path in places.items():
            if not path.exists():
                write_private(path, scripts[name].encode())
        return {name: str(path) for name, path in places.items()}

    @contextmanager
    def tab(self, session: str, timeout: float) -> Iterator[Browse]:
        """Lend a tab; one that is lost, or whose page may still be at work, is not lent again."""
        tab = self._take(session)
        lent = Browse(tab_id=tab, timeout=timeout, state_file=self._state)
        try:
            yield lent
        except BrowseError as exc:
            if exc.code == "timeout" and not exc.status:
                self._close(tab, session)
            elif exc.code not in LOST | NO_DAEMON:
                self._free[session].append(tab)
            elif exc.code in LOST:
                self._close(tab, session)
            raise
        self._free[session].append(tab)

    def _take(self, session: str) -> int:
        with suppress(IndexError):
            return self._free[session].pop()
        try:
            return self._open(session)
        except BrowseError as exc:
            if exc.code not in NO_DAEMON:
                raise
        self._free.clear()
        self.start()
        return self._open(session)

    def _open(self, session: str) -> int:
        daemon = Browse(state_file=self._state)
        return int(daemon.json("newtab", *in_session(session))["tabId"])

    def _close(self, tab: int, session: str) -> None:
        with suppress(BrowseError):  # it may be gone, and all others with it
            Browse(state_file=self._state).command("closetab", tab, *in_session(session))

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command, environ = self.command(words)
        return subprocess.run(
            command,
            cwd=self.folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=START_S,
            check=False,
        )


def in_session(session: str) -> list[str]:
    """Return the words with which a command is for a session."""
    return ["--session", session] if session else []


def environment() -> dict[str, str]:
    return dict(os.environ)
