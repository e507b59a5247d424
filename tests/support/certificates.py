"""Certificates for servers on loopback: of a CA of our own, or of nobody."""

import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright._impl._driver import compute_driver_executable
from websockets.sync.server import ServerConnection, serve


class Authority:
    """A CA; `file` is its certificate."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._made = _certificate("Test CA", self._key, signed_by=None)
        self.file = folder / "ca.pem"
        self.file.write_bytes(self._made.public_bytes(serialization.Encoding.PEM))

    def server(self, *names: str, is_signed: bool = True) -> ssl.SSLContext:
        """Return what a server with these names needs, signed by the CA or by itself."""
        key = ec.generate_private_key(ec.SECP256R1())
        signed_by = (self._key, self._made.subject) if is_signed else None
        made = _certificate(names[0], key, signed_by=signed_by, names=names)
        path = self.pem(names[0], is_signed=is_signed)
        secret = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def pem(self, name: str, *, is_signed: bool = True) -> Path:
        """Return the file with key and certificate of a server that was made."""
        return self._folder / f"{name}-{is_signed}.pem"


@contextmanager
def http2_site(pem: Path) -> Iterator[int]:
    """Serve a page over TLS by HTTP/2, or by 1.1 to who does not offer it; gives its port."""
    node, _ = compute_driver_executable()
    script = Path(__file__).with_name("http2_site.cjs")
    server = subprocess.Popen([node, script, pem], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with server:
        assert server.stdin
        assert server.stdout
        yield int(server.stdout.readline())
        server.stdin.close()  # which ends it


@contextmanager
def secure_echo(context: ssl.SSLContext) -> Iterator[int]:
    """Serve a WebSocket over TLS that says what it hears; gives its port."""

    def answer(link: ServerConnection) -> None:
        while True:
            link.send(f"heard {link.recv(decode=True)}")

    with serve(answer, "127.0.0.1", 0, ssl=context) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.socket.getsockname()[1]
        server.shutdown()
        thread.join()


def _certificate(common, key, *, signed_by, names=()):
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common)])
    signer, issuer = signed_by or (key, name)
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=not names, path_length=None), critical=True)
    )
    if names:
        shown = x509.SubjectAlternativeName([x509.DNSName(it) for it in names])
        made = made.add_extension(shown, critical=False)
    return made.sign(signer, hashes.SHA256())


@contextmanager
def secure_site(context: ssl.SSLContext) -> Iterator[int]:
    """Serve a page over TLS that names the host it was asked under; gives its port."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = f"<p>secure {self.headers['host'].partition(':')[0]}".encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that does not trust us goes away, which is what tests are about."""

        def get_request(self):
            link, address = super().get_request()
            # The handshake is the thread's, so that one client does not hold up the others.
            wrapped = context.wrap_socket(link, server_side=True, do_handshake_on_connect=False)
            return wrapped, address

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
