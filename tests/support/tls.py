"""TLS without a server: what a client sends first."""

import ssl

import pytest


def client_hello(*protocols: str) -> bytes:
    """Return the first bytes of a real connection that offers these protocols (ALPN)."""
    context = ssl.create_default_context()
    if protocols:
        context.set_alpn_protocols(list(protocols))
    sent = ssl.MemoryBIO()
    with pytest.raises(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), sent, server_hostname="example.com").do_handshake()
    return sent.read()
