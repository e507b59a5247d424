"""Logins that servers ask for by HTTP: each goes to the origin that it was given for, and no other.

They come from a file of the owner's. Chromium asks once for each place, and remembers; a login that
the server refuses is not sent again for the same request, and its answer is shown.
"""

import logging
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from playwright.async_api import Browser, CDPSession
from playwright.async_api import Error as DriverError

from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.guard.hosts import PORTS, authority

log = logging.getLogger(__name__)
MAX_BYTES = 256 * 1024
MAX_ASKED = 1_000
Logins = dict[str, tuple[str, str]]
_FORM = "https://user:password@host"


def read_logins(name: str) -> Logins:
    """Read the logins in a file, by origin; raise if others may read it, or a line is wrong."""
    path = Path(name).expanduser()
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise _unusable(f"{path} is not a file")
            if about.st_uid not in (0, os.getuid()) or about.st_mode & 0o077:
                raise _unusable(f"{path} can be read by others", f"chmod 600 {path}")
            lines = file.read(MAX_BYTES).decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "it is not UTF-8"
        raise _unusable(f"{path} cannot be read: {why}") from None
    found: Logins = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            try:
                origin, login = _login(line.strip())
            except ValueError:
                raise _unusable(f"line {number} of {path} is not as `{_FORM}`") from None
            found[origin] = login
    return found


def _login(line: str) -> tuple[str, tuple[str, str]]:
    scheme, colon, rest = line.partition("://")
    place = authority(rest)
    user, other, password = place.login.removesuffix("@").partition(":")
    if scheme not in ("http", "https") or not (colon and user and other) or place.tail not in "/":
        raise ValueError
    return _origin(scheme, place.host, place.port), (unquote(user), unquote(password))


def _origin(scheme: str, host: str, port: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + (f":{port}" if port and port != PORTS[scheme] else "")


def origin_of(url: str) -> str:
    """Return the origin of an address as Chromium spells it, without the port if it is usual."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    return _origin(parts.scheme, parts.hostname, str(parts.port or ""))


def _unusable(what: str, hint: str = "") -> BrowseError:
    return BrowseError(
        Code.SETTING_INVALID,
        f"The logins of --http-logins cannot be used: {what}.",
        hint=hint or "correct it; what came as a flag is forgotten with `browse stop`",
    )


class HttpLogins:
    """Answers the servers of these origins in one Chromium, whichever tab or worker asks."""

    def __init__(self, logins: Logins) -> None:
        self._logins = logins
        self._session: CDPSession | None = None
        self._asked: dict[str, None] = {}

    async def begin(self, browser: Browser) -> None:
        """Hold requests to these origins, and no others, until they are answered."""
        if not self._logins:
            return
        self._session = await browser.new_browser_cdp_session()
        self._session.on("Fetch.requestPaused", self._on_request)
        self._session.on("Fetch.authRequired", self._on_login)
        patterns = list(_patterns(self._logins))
        await self._session.send("Fetch.enable", {"patterns": patterns, "handleAuthRequests": True})

    def answer(self, event: dict[str, Any]) -> dict[str, str]:
        """Return the answer to a question for a login."""
        challenge, id = event["authChallenge"], event["requestId"]
        login = self._logins.get(origin_of(challenge["origin"]))
        same = origin_of(event["request"]["url"]) == origin_of(challenge["origin"])
        if challenge.get("source") == "Proxy" or not login or not same or id in self._asked:
            return {"response": "CancelAuth"}
        while len(self._asked) >= MAX_ASKED:
            del self._asked[next(iter(self._asked))]
        self._asked[id] = None
        user, password = login
        return {"response": "ProvideCredentials", "username": user, "password": password}

    def _on_request(self, event: dict[str, Any]) -> None:
        spawn(self._reply("continueRequest", event), name="a request to an origin with a login")

    def _on_login(self, event: dict[str, Any]) -> None:
        answer = self.answer(event)
        if answer["response"] == "CancelAuth":
            log.info("no login is sent: none for this origin, or the server refused it")
        reply = self._reply("continueWithAuth", event, authChallengeResponse=answer)
        spawn(reply, name="a login by HTTP")

    async def _reply(self, method: str, event: dict[str, Any], **params: object) -> None:
        if self._session:
            with suppress(DriverError):  # who asked may be gone
                params["requestId"] = event["requestId"]
                await self._session.send(f"Fetch.{method}", params)


def _patterns(origins: Iterable[str]) -> Iterable[dict[str, str]]:
    for origin in origins:
        scheme, _, place = origin.partition("://")
        yield {"urlPattern": f"{origin}/*"}
        if ":" not in place.rpartition("]")[2]:
            yield {"urlPattern": f"{origin}:{PORTS[scheme]}/*"}
