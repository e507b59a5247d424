"""A daemon for client tests: a real socket on loopback that speaks the frame protocol by script."""

import contextlib
import json
import os
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import browse
from browse import _where

TOKEN = "token-of-the-fake-daemon"  # a word of the tests, no secret
FRAMES_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-browse-frames\r\n\r\n"
WAIT_SECONDS = 20.0


@dataclass(frozen=True)
class Request:
    """One request as it came in, taken apart."""

    line: str
    headers: dict[str, str]
    facts: dict[str, str]
    words: list[str]
    stdin: bytes


Script = Callable[[socket.socket, Request], None]


def frames(out: bytes = b"", err: bytes = b"", code: int = 0) -> bytes:
    """Encode a whole reply body."""
    body = b"1 %d\n%s" % (len(out), out) if out else b""
    body += b"2 %d\n%s" % (len(err), err) if err else b""
    return body + b"x %d\n" % code


def says(out: bytes = b"", err: bytes = b"", code: int = 0) -> Script:
    """Answer with this output and exit code."""
    return sends(FRAMES_HEAD + frames(out, err, code))


def sends(raw: bytes) -> Script:
    """Answer with exactly these bytes, then close."""

    def script(peer: socket.socket, _: Request) -> None:
        peer.sendall(raw)

    return script


def rejects(status: int, **body: str) -> Script:
    """Answer with another status than 200 and a JSON body."""
    text = json.dumps(body).encode()
    return sends(b"HTTP/1.1 %d No\r\nContent-Type: application/json\r\n\r\n%s" % (status, text))


def waits_for(event: threading.Event, first: bytes = b"") -> Script:
    """Send some bytes, then hold the connection open until the test says go."""

    def script(peer: socket.socket, _: Request) -> None:
        peer.sendall(first)
        assert event.wait(WAIT_SECONDS)

    return script


def write_state(path: Path, port: int, **changes: object) -> None:
    """Write a state file as a daemon does: real JSON, one key a line, by rename."""
    pid = int(str(changes.get("pid", os.getpid())))
    state = {
        "pid": pid,
        "port": port,
        "token": TOKEN,
        "startedAt": "2026-01-01T00:00:00Z",
        "serverPath": "/opt/browse/daemon.py",
        "binaryVersion": browse.__version__,
        "mode": "launched",
        "pidStart": _where.pid_start(pid),
        **changes,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp.{os.getpid()}")
    temporary.write_text(json.dumps(state, indent=2))
    temporary.rename(path)


def read_request(peer: socket.socket) -> Request:
    """Read one request to its end."""
    seen = b""
    while b"\r\n\r\n" not in seen:
        seen += _more(peer)
    head, _, body = seen.partition(b"\r\n\r\n")
    line, *rest = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (row.partition(": ") for row in rest)}
    while len(body) < int(headers["content-length"]):
        body += _more(peer)
    size = int(headers["x-browse-argv"])
    return Request(line, headers, *_fields(body[:size]), stdin=body[size:])


def _more(peer: socket.socket) -> bytes:
    data = peer.recv(65_536)
    if not data:
        raise ConnectionError("the client went away in the middle of its request")
    return data


def _fields(block: bytes) -> tuple[dict[str, str], list[str]]:
    assert block.endswith(b"\0")
    fields = [os.fsdecode(field) for field in block[:-1].split(b"\0")]
    cut = fields.index("")
    facts = dict(field.split("=", 1) for field in fields[:cut])
    return facts, fields[cut + 1 :]


class FakeDaemon:
    """Serves in threads of this process; the scripts are used in order, the last one for good."""

    def __init__(self, state: Path, *scripts: Script, **changes: object) -> None:
        self.state = state
        self.requests: list[Request] = []
        self.asked = threading.Event()
        self.gone = threading.Event()
        self._scripts = list(scripts) or [says(b"ok\n")]
        self._changes = changes
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        write_state(self.state, self.port, **self._changes)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(WAIT_SECONDS)

    def watch(self, peer: socket.socket) -> None:
        """Hold the connection open until the client closes its end, then set `gone`."""
        while peer.recv(65_536):
            pass
        self.gone.set()

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer: socket.socket) -> None:
        try:
            with peer:
                request = read_request(peer)
                self.requests.append(request)
                script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
                self.asked.set()
                script(peer, request)
        except ConnectionError:
            self.gone.set()
