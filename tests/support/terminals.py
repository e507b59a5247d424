"""A viewer of a daemon's terminal, as the side panel is one."""

import json
from types import TracebackType
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from browse.core.extension_id import ORIGIN
from support.cli import HANG_S, Project


def granted(project: Project, path: str = "/pty-session", **sent: str) -> dict[str, Any]:
    """Ask a daemon for a terminal."""
    status, answer = project.ask("POST", path, sent)
    assert status == 200, answer
    return dict(json.loads(answer))


class TerminalPanel:
    """One viewer; `seen` is what was printed, `told` what it was told."""

    def __init__(self, grant: dict[str, Any], **start: object) -> None:
        self.name = grant["sessionId"]
        self.seen = bytearray()
        self.told: list[dict[str, Any]] = []
        self.closed = 0
        opening = connect(
            f"ws://127.0.0.1:{grant['terminalPort']}/ws",
            subprotocols=[Subprotocol(f"gstack-pty.{grant['attachToken']}")],
            origin=Origin(ORIGIN),
            proxy=None,
            max_size=None,
        )
        self._connection = opening.__enter__()
        self.say(type="start", **start)

    def __enter__(self) -> "TerminalPanel":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._connection.close()

    def say(self, **word: object) -> None:
        self._connection.send(json.dumps(word))

    def type(self, words: str) -> None:
        self._connection.send(words.encode())

    def read(self) -> bool:
        """Read one message; False when it was closed."""
        try:
            message = self._connection.recv(HANG_S)
        except ConnectionClosed as ended:
            self.closed = ended.rcvd.code if ended.rcvd else 1006
            return False
        if isinstance(message, bytes):
            self.seen += message
        else:
            self.told.append(json.loads(message))
        return True

    def until(self, wanted: str) -> str:
        """Read until something was printed; return all that was."""
        while wanted.encode() not in self.seen:
            assert self.read(), f"closed with {self.closed}: {self.seen[-2000:]!r}"
        return self.seen.decode("utf-8", "replace")

    def after(self, words: str) -> str:
        """Run a command in a shell; return what it printed."""
        start = len(self.seen)
        self.type(f"{words}; echo do''ne-$?\n")
        while b"done-" not in self.seen[start:]:
            assert self.read(), f"closed with {self.closed}: {self.seen[-2000:]!r}"
        return self.seen[start:].decode("utf-8", "replace")
