"""A web site on loopback whose pages the tests write."""

import re
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Held:
    """A path whose answer is held back: tells when it was asked for, answers when let go."""

    url: str
    arrived: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)

    @property
    def blocking(self) -> str:
        """A script that keeps its page from all else until the answer, and no processor busy."""
        return f"{{ const r = new XMLHttpRequest(); r.open('GET', '{self.url}', false); r.send() }}"


STORES = re.compile("storage|indexeddb", re.IGNORECASE)


class Site:
    """Serves what `page` was given, until it is closed."""

    def __init__(self) -> None:
        self.stores = False  # whether a page may have put something into the storage of its origin
        self._pages: dict[str, Callable[[BaseHTTPRequestHandler], object]] = {}
        self.closing = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer = site._pages.get(self.path.partition("?")[0])
                if answer:
                    answer(self)
                else:
                    self.send_error(404)

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}
        )
        self._thread.start()

    def page(self, path: str, html: str | bytes, *, status: int = 200, **headers: str) -> str:
        """Serve a page; header names are written with underscores."""
        body = html.encode() if isinstance(html, str) else html
        self.stores |= bool(STORES.search(body.decode("utf-8", "replace")))

        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            sent = {"content_type": "text/html; charset=utf-8", **headers}
            for name, value in sent.items():
                request.send_header(name.replace("_", "-"), value)
            request.send_header("content-length", str(len(body)))
            request.end_headers()
            request.wfile.write(body)

        self._pages[path] = answer
        return self.url + path

    def answer(self, path: str, handler: Callable[[BaseHTTPRequestHandler], object]) -> str:
        """Serve a path by a function of the request."""
        self._pages[path] = handler
        return self.url + path

    def never(self, path: str) -> str:
        """Accept requests for a path and never answer them."""
        return self.answer(path, lambda _: self.closing.wait())

    def cut(self, path: str, body: bytes, *, announced: int, **headers: str) -> str:
        """Announce a length, and send another."""

        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            for name, value in headers.items():
                request.send_header(name.replace("_", "-"), value)
            request.send_header("content-length", str(announced))
            request.end_headers()
            request.wfile.write(body)

        return self.answer(path, answer)

    def endless(self, path: str) -> Held:
        """Send without end and without a length; `let_go` tells that the other side had enough."""
        held = Held(self.url + path)

        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.end_headers()
            held.arrived.set()
            with suppress(OSError):
                while not self.closing.is_set():
                    request.wfile.write(b"x" * 262_144)
            held.let_go.set()

        self.answer(path, answer)
        return held

    def hold(self, path: str, html: str = "") -> Held:
        """Answer requests for a path only once they are let go."""
        held = Held(self.url + path)

        def answer(request: BaseHTTPRequestHandler) -> None:
            held.arrived.set()
            while not (held.let_go.wait(0.05) or self.closing.is_set()):
                pass
            request.send_response(200)
            request.send_header("content-type", "text/html; charset=utf-8")
            request.end_headers()
            with suppress(OSError):  # who asked may have gone meanwhile
                request.wfile.write(html.encode())

        self._pages[path] = answer
        return held

    def hold_file(self, path: str, body: bytes) -> Held:
        """Begin to send a download at once, and send the rest of it once it is let go."""
        held = Held(self.url + path)

        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.send_header("content-type", "text/csv")
            request.send_header("content-disposition", 'attachment; filename="held.csv"')
            request.send_header("content-length", str(len(body)))
            request.end_headers()
            request.wfile.write(body[:1])
            request.wfile.flush()
            held.arrived.set()
            while not (held.let_go.wait(0.05) or self.closing.is_set()):
                pass
            with suppress(OSError):  # who asked may have gone meanwhile
                request.wfile.write(body[1:])

        self.answer(path, answer)
        return held

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
