"""Requests to a daemon with the owner's token added: for programs that can send no header."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WAIT_S = 90


@contextmanager
def with_token(port: int, token: str) -> Iterator[int]:
    """Pass requests on to a daemon, with its token; yield the port for them."""

    class WithToken(BaseHTTPRequestHandler):
        def pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            sent = {key: value for key, value in self.headers.items() if key != "Connection"}
            peer = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
            peer.request(
                self.command, self.path, body, {**sent, "Authorization": f"Bearer {token}"}
            )
            answer = peer.getresponse()
            data = answer.read()
            peer.close()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.getheader("content-type", "text/plain"))
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_DELETE = pass_on  # as the base class names them

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), WithToken) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()
