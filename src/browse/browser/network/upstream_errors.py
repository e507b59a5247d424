"""What can go wrong with a proxy behind ours, in our words and in Chromium's."""

from enum import Enum

from browse.core.launching.proxy_address import ProxyAddress

_PROXY = "ERR_PROXY_CONNECTION_FAILED"


class ProxyTrouble(Enum):
    """Chromium's name for it, and what the proxy does; `is_fatal` if nothing can pass it."""

    DOWN = (_PROXY, "cannot be reached: nothing listens there", True)
    UNKNOWN_HOST = (_PROXY, "cannot be reached: its host name does not resolve", True)
    UNREACHABLE_PROXY = (_PROXY, "cannot be reached from this machine", True)
    HANGS = (_PROXY, "does not answer", True)
    CLOSED = (_PROXY, "closes the connection without an answer", True)
    SPEECH = (_PROXY, "answers, but not as a proxy of this kind does", True)
    CERTIFICATE = (_PROXY, "has a TLS certificate that is not trusted", True)
    LOGIN = ("ERR_PROXY_AUTH_REQUESTED", "does not accept the user name and password", True)
    NEEDS_LOGIN = ("ERR_PROXY_AUTH_REQUESTED", "asks for a user name and a password", True)
    NOT_ALLOWED = ("ERR_TUNNEL_CONNECTION_FAILED", "does not allow this connection", False)
    NOT_CONNECTED = ("ERR_TUNNEL_CONNECTION_FAILED", "could not connect to the host", False)
    REFUSED = ("ERR_CONNECTION_REFUSED", "reports that nothing listens there", False)
    UNREACHABLE = ("ERR_ADDRESS_UNREACHABLE", "cannot reach the host", False)
    TIMED_OUT = ("ERR_CONNECTION_TIMED_OUT", "got no answer from the host", False)

    def __init__(self, net: str, words: str, is_fatal: bool) -> None:
        self.net = net
        self.words = words
        self.is_fatal = is_fatal

    def about(self, proxy: ProxyAddress) -> str:
        """Say it of a proxy; its login is not shown."""
        return f"the proxy {proxy} {self.words}"


class UpstreamFailed(Exception):
    """A proxy did not make a connection."""

    def __init__(self, trouble: ProxyTrouble) -> None:
        super().__init__(trouble.words)
        self.trouble = trouble


SOCKS_REPLIES = {
    2: ProxyTrouble.NOT_ALLOWED,
    3: ProxyTrouble.UNREACHABLE,
    4: ProxyTrouble.UNREACHABLE,
    5: ProxyTrouble.REFUSED,
    6: ProxyTrouble.TIMED_OUT,
}
HTTP_STATUSES = {
    403: ProxyTrouble.NOT_ALLOWED,
    405: ProxyTrouble.SPEECH,
    501: ProxyTrouble.SPEECH,
    504: ProxyTrouble.TIMED_OUT,
}
