"""The address of a proxy, with its login, which is never shown."""

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import SplitResult, unquote, urlsplit

DIRECT: Literal["off"] = "off"
# The port of each scheme, if none is given.
PORTS = {"socks5": 1080, "socks5h": 1080, "http": 80, "https": 443}
MAX_LOGIN_BYTES = 255  # of a name and of a password, in SOCKS


@dataclass(frozen=True, slots=True)
class ProxyAddress:
    """Where a proxy is. Equal only if the logins are, too."""

    scheme: str
    host: str
    port: int
    login: tuple[str, str] | None = field(default=None, repr=False)

    def __str__(self) -> str:
        place = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{place}:{self.port}"


def proxy_address(raw: str) -> ProxyAddress | Literal["off"]:
    """Read `scheme://[user:password@]host[:port]`, or `off`; the error never quotes it."""
    text = raw.strip()
    if text.lower() == DIRECT:
        return DIRECT
    scheme = text.partition("://")[0].lower()
    if scheme not in PORTS:
        raise ValueError("an address that begins with socks5://, socks5h://, http:// or https://")
    if not text.isprintable() or any(char.isspace() for char in text):
        raise ValueError("an address without spaces and control characters")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError("an address with a host, and a port up to 65535") from None
    if not parts.hostname or port == 0 or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("an address with a host and nothing behind its port")
    return ProxyAddress(scheme, parts.hostname, port or PORTS[scheme], _login(parts))


def _login(parts: SplitResult) -> tuple[str, str] | None:
    if parts.username is None:
        return None
    if not parts.username or parts.password is None:
        raise ValueError("an address with both a user name and a password, or with neither")
    return checked_login(unquote(parts.username), unquote(parts.password))


def checked_login(user: str, password: str) -> tuple[str, str]:
    """Return a login; raise ValueError if no proxy could take it."""
    if max(len(user.encode()), len(password.encode())) > MAX_LOGIN_BYTES:
        raise ValueError(f"an address with a user name and a password of {MAX_LOGIN_BYTES} bytes")
    if not (user + password).isprintable() or ":" in user:
        raise ValueError("an address with a login without control characters and without `:`")
    return user, password
