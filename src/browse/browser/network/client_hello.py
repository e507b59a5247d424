"""Tell connections for requests by https from other ones, by the first bytes that Chromium sends.

For a request, the first message of TLS says which version of HTTP is meant (ALPN). Calls between
browsers (WebRTC) come to the same port of the proxy: without TLS, or with a first message that says
nothing of HTTP. A page cannot change what Chromium says there.
"""

MAX_BYTES = 5 + 0xFFFF
_HANDSHAKE, _HELLO, _ALPN = 0x16, 1, 16
_VERSIONS = (b"h2", b"http/1.1")


class _Reader:
    """Takes fields from the front of some bytes; past their end there is nothing."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, count: int) -> bytes:
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def field(self, size: int) -> "_Reader":
        """Take a field that begins with its length, in so many bytes."""
        return _Reader(self.take(self.number(size)))


def speaks_http(first: bytes) -> bool | None:
    """Check whether a connection begins as one for requests does; None if more must come."""
    if not first:
        return None
    if first[0] != _HANDSHAKE:
        return False
    if len(first) < 5 or len(first) < 5 + int.from_bytes(first[3:5], "big"):
        return None
    return any(name in _VERSIONS for name in _protocols(_Reader(first[3:]).field(2)))


def _protocols(message: _Reader) -> list[bytes]:
    """List the protocols that a first message names."""
    if message.number(1) != _HELLO:
        return []
    hello = message.field(3)
    hello.take(2 + 32)  # the version, and the random number
    for size in (1, 2, 1):  # the session, the ciphers, the compressions
        hello.field(size)
    extensions = hello.field(2)
    while extensions.data:
        kind, body = extensions.number(2), extensions.field(2)
        if kind == _ALPN:
            names, found = body.field(2), []
            while names.data:
                found.append(names.field(1).data)
            return found
    return []
