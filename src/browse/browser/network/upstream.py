"""The proxy that the owner set, behind our own: what goes there, and how it is connected to.

Our own proxy asks it only after every rule has let a host pass. Unless it looks up names itself, it
is given the address that was checked.
"""

import asyncio
import socket
import ssl
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from browse.browser.network.socks_relay import RelayEnd
from browse.browser.network.tls_exceptions import owners_ca
from browse.browser.network.upstream_errors import ProxyTrouble, UpstreamFailed
from browse.core.errors import BrowseError, Code, Usage
from browse.core.launching.launch_settings import LaunchSettings
from browse.core.launching.proxy_address import DIRECT, ProxyAddress, checked_login
from browse.guard import domains

# For one connection, with the greeting.
CONNECT_S = 15.0
# For the check at the start: a proxy that hangs is found out before a page is.
CHECK_S = 5.0
_HINT = "correct it (`browse restart --proxy <url>`), or go without: `browse restart --proxy off`"


class Upstream:
    """A proxy, and which hosts are reached without it."""

    def __init__(
        self,
        proxy: ProxyAddress,
        bypass: Iterable[str] = (),
        *,
        looks_up: bool = False,
        ca: str = "",
    ) -> None:
        self.proxy = proxy
        self._tls = _trusting(ca) if proxy.scheme == "https" else None
        self.looks_up = looks_up  # whether it looks up host names, instead of us
        self._domains: list[str] = []
        self._networks: list[IPv4Network | IPv6Network] = []
        for word in bypass:
            try:
                self._networks.append(ip_network(word, strict=False))
            except ValueError:
                self._domains.append(domains.parse(word))

    @classmethod
    def of(cls, settings: LaunchSettings) -> "Upstream | None":
        """Return the proxy that the settings name; raise if they contradict each other."""
        proxy = settings.proxy
        if proxy is None or proxy == DIRECT:
            return None
        if settings.proxy_user or settings.proxy_password:
            proxy = _with_login(proxy, settings.proxy_user, settings.proxy_password)
        words = [word.strip() for word in settings.proxy_bypass.split(",") if word.strip()]
        looks_up = (settings.proxy_dns or _usual_dns(proxy)) == "proxy"
        try:
            return cls(proxy, words, looks_up=looks_up, ca=owners_ca(settings))
        except Usage as exc:
            hint = f"{exc.hint}; `browse stop` forgets what came as a flag"
            raise _invalid(f"--proxy-bypass: {exc.message}", hint) from exc

    def bypasses(self, *places: str) -> bool:
        """Check whether one of these, names or addresses, is reached without the proxy."""
        return any(_is_loopback(it) or self._is_named(it) for it in places)

    def _is_named(self, place: str) -> bool:
        if domains.covers(self._domains, place):
            return True
        with suppress(ValueError):
            address = ip_address(place)
            return any(address in network for network in self._networks)
        return False

    async def connect(self, host: str, port: int) -> RelayEnd:
        """Connect to a host through the proxy; raise `UpstreamFailed` if that fails."""
        from browse.browser.network.upstream_end import UpstreamEnd  # only where there is a proxy

        try:
            async with asyncio.timeout(CONNECT_S):
                _, end = await asyncio.get_running_loop().create_connection(
                    UpstreamEnd, self.proxy.host, self.proxy.port, ssl=self._tls
                )
                try:
                    await end.greet(self.proxy, host, port)
                except BaseException:
                    end.transport.abort()
                    raise
        except OSError as exc:
            raise UpstreamFailed(_trouble(exc)) from exc
        return end

    async def check(self) -> None:
        """Raise if the proxy cannot be used: it is down, hangs, or wants another login.

        It is asked to connect to itself: whatever it says to that, it took the login.
        """
        try:
            async with asyncio.timeout(CHECK_S):
                end = await self.connect(self.proxy.host, self.proxy.port)
            end.transport.abort()
        except TimeoutError:
            raise self._unusable(ProxyTrouble.HANGS) from None
        except UpstreamFailed as exc:
            if exc.trouble.is_fatal:
                raise self._unusable(exc.trouble) from exc

    def _unusable(self, trouble: ProxyTrouble) -> BrowseError:
        within = f" within {CHECK_S:g} s" if trouble is ProxyTrouble.HANGS else ""
        words = trouble.about(self.proxy)
        trust = "name its CA (`browse restart --ca-cert <file>`), or "
        hint = f"{trust if trouble is ProxyTrouble.CERTIFICATE else ''}{_HINT}"
        return BrowseError(
            Code.PROXY, f"{words[0].upper()}{words[1:]}{within}; no page was opened.", hint=hint
        )


def _with_login(proxy: ProxyAddress, user: str, password: str) -> ProxyAddress:
    if proxy.login:
        raise _invalid(
            "Both BROWSE_PROXY_URL and BROWSE_PROXY_USER or BROWSE_PROXY_PASS hold a login.",
            "give it in one place: unset BROWSE_PROXY_USER BROWSE_PROXY_PASS",
        )
    if not (user and password):
        raise _invalid(
            "BROWSE_PROXY_USER and BROWSE_PROXY_PASS belong together, and one is not set.",
            "set both, or neither",
        )
    try:
        login = checked_login(user, password)
    except ValueError:
        raise _invalid(
            "BROWSE_PROXY_USER or BROWSE_PROXY_PASS holds what no proxy takes: control"
            " characters, more than 255 bytes, or a `:` in the user name.",
            "correct them, or unset BROWSE_PROXY_USER BROWSE_PROXY_PASS",
        ) from None
    return ProxyAddress(proxy.scheme, proxy.host, proxy.port, login)


def _invalid(message: str, hint: str) -> BrowseError:
    return BrowseError(Code.SETTING_INVALID, message, hint=hint)


def _usual_dns(proxy: ProxyAddress) -> str:
    return "proxy" if proxy.scheme == "socks5h" else "here"


def _trusting(ca: str) -> ssl.SSLContext:
    """Return what a proxy's certificate is checked with: the system's CAs, and the owner's."""
    made = ssl.create_default_context()
    if ca:
        made.load_verify_locations(cadata=ca)
    return made


def _is_loopback(place: str) -> bool:
    if place == "localhost" or place.endswith(".localhost"):
        return True
    with suppress(ValueError):
        return ip_address(place).is_loopback
    return False


def _trouble(exc: OSError) -> ProxyTrouble:
    """Tell why a proxy was not reached."""
    if isinstance(exc, ssl.SSLCertVerificationError):
        return ProxyTrouble.CERTIFICATE
    if isinstance(exc, ssl.SSLError):
        return ProxyTrouble.SPEECH
    if isinstance(exc, TimeoutError):
        return ProxyTrouble.HANGS
    if isinstance(exc, socket.gaierror):
        return ProxyTrouble.UNKNOWN_HOST
    if isinstance(exc, ConnectionRefusedError):
        return ProxyTrouble.DOWN
    return (
        ProxyTrouble.CLOSED if isinstance(exc, ConnectionError) else ProxyTrouble.UNREACHABLE_PROXY
    )
