"""Real proxies on loopback, which ask for a login: SOCKS5, and HTTP with CONNECT.

Both know host names of their own, so that what reaches a site under such a name came through them.
"""

import base64
import select
import socket
import socketserver
import ssl
import threading
from contextlib import suppress

LOGIN = ("ada", "s3cret-pass")
SILENCE_S = 90.0


class ServingProxy:
    """A proxy in threads of its own. `asked` lists what it was asked for: host, port, reached."""

    def __init__(
        self,
        kind: str = "socks5",
        *,
        login: tuple[str, str] | None = LOGIN,
        names: dict[str, str] | None = None,
        hangs: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.kind, self.login, self.names, self.hangs = kind, login, names or {}, hangs
        self.asked: list[tuple[str, int, bool]] = []
        self._closing = threading.Event()
        proxy = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError, EOFError):
                    link = tls.wrap_socket(self.request, server_side=True) if tls else self.request
                    with link:
                        link.settimeout(SILENCE_S)
                        proxy._serve(link)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}
        )
        self._thread.start()

    def url(self, login: tuple[str, str] | None = None, scheme: str = "") -> str:
        user = f"{login[0]}:{login[1]}@" if login else ""
        return f"{scheme or self.kind}://{user}127.0.0.1:{self.port}"

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _serve(self, link: socket.socket) -> None:
        if self.hangs:
            self._closing.wait(SILENCE_S)
            return
        with link.makefile("rb", buffering=0) as stream:
            there = self._socks(link, stream) if self.kind == "socks5" else self._http(link, stream)
        if there:
            with there:
                self._both_ways(link, there)

    def _socks(self, link, stream) -> socket.socket | None:
        def take(count: int) -> bytes:
            data = b""
            while len(data) < count:
                if not (piece := stream.read(count - len(data))):
                    raise EOFError
                data += piece
            return data

        offered = take(take(2)[1])
        wanted = 2 if self.login else 0
        if wanted not in offered:
            link.sendall(b"\x05\xff")
            return None
        link.sendall(bytes([5, wanted]))
        if self.login:
            take(1)
            given = tuple(take(take(1)[0]).decode() for _ in range(2))
            link.sendall(b"\x01\x00" if given == self.login else b"\x01\x01")
            if given != self.login:
                return None
        kind = take(4)[3]
        if kind == 3:
            host = take(take(1)[0]).decode()
        else:
            family, size = (socket.AF_INET, 4) if kind == 1 else (socket.AF_INET6, 16)
            host = socket.inet_ntop(family, take(size))
        there = self._connect(host, int.from_bytes(take(2), "big"))
        link.sendall(bytes([5, 0 if there else 5, 0, 1]) + bytes(6))
        return there

    def _http(self, link, stream) -> socket.socket | None:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            if not (piece := stream.read(1)):
                raise EOFError
            head += piece
        first, *lines = head.decode("latin-1").split("\r\n")
        method, place, *_ = [*first.split(" "), ""]
        headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
        word = base64.b64encode(":".join(self.login or ()).encode()).decode().lower()
        if self.login and headers.get("proxy-authorization", "") != f"basic {word}":
            link.sendall(b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\n\r\n")
            return None
        host, _, port = place.rpartition(":")
        there = self._connect(host.strip("[]"), int(port)) if method == "CONNECT" else None
        # In two pieces: a client must not take the second for the host's words.
        link.sendall(b"HTTP/1.1 200 Connec" if there else b"HTTP/1.1 502 Ba")
        link.sendall(b"tion established\r\nVia: x\r\n\r\n")
        return there

    def _connect(self, host: str, port: int) -> socket.socket | None:
        try:
            there = socket.create_connection((self.names.get(host, host), port), SILENCE_S)
        except OSError:
            there = None
        self.asked.append((host, port, bool(there)))
        return there

    def _both_ways(self, one: socket.socket, other: socket.socket) -> None:
        ends = {one: other, other: one}
        while not self._closing.is_set():
            ready = [it for it in ends if isinstance(it, ssl.SSLSocket) and it.pending()]
            for end in ready or select.select(list(ends), [], [], 0.1)[0]:
                if not (data := end.recv(65_536)):
                    return
                ends[end].sendall(data)
