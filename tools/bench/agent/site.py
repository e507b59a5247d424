"""The web site of the tasks: their pages, and what the pages report when something is done."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SLOW_S = 0.15
# `done(value)` reports what the page believes to have been done; the last report counts.
SCRIPT = (
    "<script>const done = (value) => fetch('/done', {method: 'POST', body: String(value)})</script>"
)


class Site:
    """Pages by path, answers for scripts of theirs, and the last report."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.answers: dict[str, list[str]] = {}
        self.reported = ""
        self.base = ""

    def put(self, pages: dict[str, str], answers: dict[str, list[str]]) -> None:
        """Serve these pages; answers of an address are its items, searched or by page."""
        self.pages = {
            path: f"<!doctype html><meta charset=utf-8>{SCRIPT}{html}"
            for path, html in pages.items()
        }
        self.answers = answers
        self.reported = ""

    def find(self, path: str, query: dict[str, list[str]]) -> list[str]:
        """Answer a script of a page: the items that contain `q`, or those of `page`."""
        items = self.answers[path]
        if "q" in query:
            return [item for item in items if query["q"][0].lower() in item.lower()]
        number = int(query.get("page", ["1"])[0])
        return items[(number - 1) * 3 : number * 3]


class _Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path in self.site.answers:
            time.sleep(SLOW_S)  # what a server takes
            found = self.site.find(address.path, parse_qs(address.query))
            self._answer(json.dumps(found), "application/json")
        else:
            self._answer(self.site.pages.get(address.path, ""), "text/html")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        if urlsplit(self.path).path == "/done":
            self.site.reported = body
            self._answer("", "text/plain")
        else:  # a form that is sent: the page shows what arrived
            fields = parse_qs(body)
            self.site.reported = " ".join(fields[name][0] for name in sorted(fields))
            self._answer("<!doctype html><title>Sent</title><h1>Thank you</h1>", "text/html")

    def _answer(self, text: str, kind: str) -> None:
        raw = text.encode()
        self.send_response(200)
        self.send_header("content-type", f"{kind}; charset=utf-8")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[Site]:
    """Serve a site on loopback."""
    site = Site()
    handler = type("Handler", (_Handler,), {"site": site})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    site.base = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
