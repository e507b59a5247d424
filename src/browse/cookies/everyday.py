"""The person's everyday browsers: which are here, their profiles, and their cookies."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from browse.browser.storage.cookie_import import RefusedCookie
from browse.browser.storage.stored_cookie import StoredCookie
from browse.cookies import chromium_cookies, firefox_cookies, profiles
from browse.cookies.browsers import BROWSERS, NAMES, EverydayBrowser
from browse.cookies.chromium_cookies import Row
from browse.cookies.database import loaded
from browse.cookies.keyrings import Keys
from browse.cookies.problems import NoKey, unreadable
from browse.cookies.profiles import BrowserProfile
from browse.cookies.wanted import Wanted

WITHOUT_KEYRING, WITH_KEYRING = b"v10", b"v11"


class FoundCookies(msgspec.Struct, frozen=True):
    """What a profile has of the wanted cookies, and what could not be read of it.

    `problem` is why the keyring gave no key, if it was asked.
    """

    cookies: Sequence[StoredCookie]
    refused: Sequence[RefusedCookie]
    problem: NoKey | None = None


class EverydayBrowsers:
    """Finds and reads the cookies of the browsers of this machine's user."""

    def __init__(self, home: Path, config: str = "", keys: Keys | None = None) -> None:
        self._home = home
        self._config = config
        self._keys = keys or Keys()

    async def installed(self) -> list[tuple[EverydayBrowser, list[BrowserProfile]]]:
        """List the browsers that have cookies here, with their profiles."""
        found = await asyncio.to_thread(lambda: [(it, self._profiles(it)) for it in BROWSERS])
        return [(browser, its) for browser, its in found if its]

    async def profile(self, browser: EverydayBrowser, wanted: str | None) -> BrowserProfile:
        """Find a profile of a browser; raise if there is none."""
        its = await asyncio.to_thread(self._profiles, browser)
        if not its:
            here = ", ".join(it.name for it, _ in await self.installed())
            raise unreadable(
                "not_installed",
                f"{browser.title} has no cookies on this machine, or is not installed.",
                f"these have: {here}" if here else f"these are looked for: {', '.join(NAMES)}",
            )
        return profiles.choose(browser, its, wanted)

    async def domains(
        self, browser: EverydayBrowser, profile: BrowserProfile, now: float
    ) -> Counter[str]:
        """Count the cookies of each domain that have not expired; no value is decrypted."""
        return await asyncio.to_thread(_count, browser, profile, now)

    async def read(
        self, browser: EverydayBrowser, profile: BrowserProfile, wanted: Wanted
    ) -> FoundCookies:
        """Read the wanted cookies of a profile, decrypted."""
        if browser.engine == "firefox":
            return await asyncio.to_thread(_read_firefox, profile, wanted)
        rows = await asyncio.to_thread(_read_chromium, profile, wanted)
        schemes = {row.scheme for row in rows}
        keys: dict[bytes, Sequence[bytes]] = {WITHOUT_KEYRING: self._keys.without_keyring()}
        problem = None
        if keyed := schemes & ({WITH_KEYRING} if keys[WITHOUT_KEYRING] else {WITHOUT_KEYRING}):
            try:
                keys |= dict.fromkeys(keyed, await self._keys.from_keyring(browser))
            except NoKey as exc:
                problem = exc
                keys |= dict.fromkeys(keyed, ())
        return await asyncio.to_thread(_open, rows, keys, problem)

    def _profiles(self, browser: EverydayBrowser) -> list[BrowserProfile]:
        folders = browser.folders(self._home, self._keys.platform, self._config)
        return profiles.find(browser, folders)


def _read_chromium(profile: BrowserProfile, wanted: Wanted) -> list[Row]:
    with loaded(profile.database) as database:
        return chromium_cookies.read_rows(database, wanted)


def _read_firefox(profile: BrowserProfile, wanted: Wanted) -> FoundCookies:
    with loaded(profile.database) as database:
        return FoundCookies(*firefox_cookies.read_cookies(database, wanted))


def _open(
    rows: Sequence[Row], keys: dict[bytes, Sequence[bytes]], problem: NoKey | None
) -> FoundCookies:
    cookies, refused = [], []
    for row in rows:
        opened = row.opened(keys)
        if isinstance(opened, StoredCookie):
            cookies.append(opened)
        else:
            locked = problem is not None and row.scheme in keys and not keys[row.scheme]
            why = "the keyring gave no key for it" if locked else opened
            refused.append(RefusedCookie(row.name, row.domain, why))
    return FoundCookies(cookies, refused, problem)


def _count(browser: EverydayBrowser, profile: BrowserProfile, now: float) -> Counter[str]:
    if browser.engine == "firefox":
        found = _read_firefox(profile, Wanted()).cookies
        return Counter(it.host for it in found if it.expires is None or it.expires > now)
    rows = _read_chromium(profile, Wanted())
    return Counter(row.domain.removeprefix(".") for row in rows if not row.has_expired(now))
