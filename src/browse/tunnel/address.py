"""Find the public address in what a program prints."""

import re
from urllib.parse import urlsplit

from browse.core.errors import BrowseError, Code
from browse.guard.hosts import host_of

FOUND = "{found}"
MAX_URL_CHARS = 500
# Addresses without a path: programs also print links to their terms and manuals.
_ORIGIN = re.compile(r"""https?://[A-Za-z0-9.-]+(?::\d{1,5})?/?(?=[\s"'`|)\]}>,;]|$)""")
_LOCAL = re.compile(r"localhost|.*\.localhost|127\..*|0\.0\.0\.0|(.*\.)?local")


class AddressFinder:
    """Finds the address of a tunnel: in a line, in the settings, or from both."""

    def __init__(self, url: str = "", pattern: re.Pattern[str] | None = None) -> None:
        if FOUND in url and pattern is None:
            raise BrowseError(
                Code.SETTING_INVALID,
                "BROWSE_TUNNEL_URL has {found} in it, and BROWSE_TUNNEL_URL_PATTERN is not set.",
                hint=r"set both, such as http://example.org:{found} and 'Allocated port (\d+)'",
            )
        self._url = url
        self._pattern = pattern
        if not self.needs_a_line:
            self.fixed = checked(url)

    @property
    def needs_a_line(self) -> bool:
        """Whether the program has to print something before the address is known."""
        return self._pattern is not None or not self._url

    def look(self, line: str) -> str | None:
        """Return the address if this line has it; raise if it is not a valid one."""
        if self._pattern is None:
            return next((checked(url) for url in _ORIGIN.findall(line) if _is_public(url)), None)
        match = self._pattern.search(line)
        if match is None:
            return None
        found = (match[1] or "") if match.re.groups else match[0]
        return checked(self._url.replace(FOUND, found) if self._url else found)


def checked(url: str) -> str:
    """Return the normal form of a tunnel's web address, without a slash at its end."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if not fits or len(url) > MAX_URL_CHARS or not re.fullmatch(r"[!-~]+", url):
        raise BrowseError(
            Code.TUNNEL,
            "What was given or found as the tunnel's address is not an http or https address.",
            hint="correct BROWSE_TUNNEL_URL or BROWSE_TUNNEL_URL_PATTERN, then `browse restart`",
            page=url[:MAX_URL_CHARS],
        )
    return url.rstrip("/")


def _is_public(url: str) -> bool:
    return not _LOCAL.fullmatch(host_of(url) or "localhost")
