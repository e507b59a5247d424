"""TLS that ends in the daemon: real servers, a real client in Chromium's place."""

import asyncio
import ssl

import pytest

from browse.browser.network.socks_relay import RelayEnd
from browse.browser.network.tls_exceptions import TlsExceptions
from browse.browser.network.tls_identity import TlsIdentity
from browse.core.errors import BrowseError, Code
from browse.core.settings import load
from support.certificates import Authority, secure_site


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("ca"))


@pytest.fixture(scope="module")
def identity(tmp_path_factory):
    return TlsIdentity.load(tmp_path_factory.mktemp("tls") / "identity.pem")


def reaching(port: int):
    async def connect() -> RelayEnd:
        loop = asyncio.get_running_loop()
        return (await loop.create_connection(RelayEnd, "127.0.0.1", port))[1]

    return connect


async def get(end: RelayEnd, host: str) -> tuple[str, bytes]:
    """Speak to the end as Chromium would; return the page, and the certificate that was shown."""
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    loop = asyncio.get_running_loop()
    transport = await loop.start_tls(end.transport, protocol, context, server_hostname=host)
    assert transport
    transport.write(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    page = await reader.read()
    shown = transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
    transport.close()
    return page.decode().rpartition("<p>")[2], shown


def of_daemon(identity: TlsIdentity) -> bytes:
    mark = "-----BEGIN CERTIFICATE"
    return ssl.PEM_cert_to_DER_cert(mark + identity.path.read_text().partition(mark)[2])


HTTP = ("http/1.1",)


async def test_exceptions_hold_for_their_hosts_only(authority, identity):
    ca = authority.file.read_text()
    made = TlsExceptions(identity, ("mine.test",), ca)
    own = of_daemon(identity)

    with (
        secure_site(authority.server("any.test", is_signed=False)) as bad,
        secure_site(authority.server("ca.test")) as good,
    ):
        answers = {
            (host, port == good): await get(await made.open(host, port, HTTP, reaching(port)), host)
            for host, port in (
                ("mine.test", bad),
                ("localhost", bad),
                ("other.test", bad),
                ("ca.test", good),
                ("other.test", good),
            )
        }

    by_us = {place for place, (_, shown) in answers.items() if shown == own}
    assert by_us == {("mine.test", False), ("localhost", False), ("ca.test", True)}
    assert {page for page, _ in answers.values()} == {
        "secure mine.test", "secure localhost", "secure other.test", "secure ca.test"
    }  # fmt: skip
    assert "named by --ignore-tls" in made.warning("mine.test")
    assert "on this machine" in made.warning("localhost")
    assert made.warning("ca.test") == made.warning("other.test") == ""


async def test_what_speaks_no_tls_is_passed_on(identity):
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write((await reader.read(100)).upper())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    end = await TlsExceptions(identity).open("localhost", port, HTTP, reaching(port))
    end.transport.write(b"plain")
    while not end.held:  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0)

    assert end.held == b"PLAIN"
    end.transport.abort()
    server.close()


@pytest.mark.parametrize("content", ["", "nothing", "-----BEGIN CERTIFICATE-----\nx\n", "ü"])
def test_a_ca_that_cannot_be_used_is_refused(tmp_path, content):
    path = tmp_path / "ca.pem"
    path.write_text(content)

    with pytest.raises(BrowseError, match="of --ca-cert cannot be used") as raised:
        TlsExceptions.of(load({"BROWSE_CA_CERT": str(path)}), tmp_path / "identity.pem")

    assert raised.value.code is Code.SETTING_INVALID


@pytest.mark.parametrize("environ", [{"BROWSE_CA_CERT": "/no/such"}, {"BROWSE_IGNORE_TLS": "*"}])
def test_bad_settings_are_refused(tmp_path, environ):
    with pytest.raises(BrowseError):
        TlsExceptions.of(load(environ), tmp_path / "identity.pem")


def test_without_a_place_for_the_key_there_are_no_exceptions(tmp_path):
    (tmp_path / "file").touch()
    nowhere = tmp_path / "file" / "identity.pem"

    assert TlsExceptions.of(load({}), nowhere) is None
    with pytest.raises(BrowseError):
        TlsExceptions.of(load({"BROWSE_IGNORE_TLS": "a.test"}), nowhere)
