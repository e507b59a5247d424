"""The keys under which everyday browsers encrypt cookies: from the keyring, once for each browser.

Keys are kept in memory for as long as the daemon lives, and written nowhere.
"""

import asyncio
import sys
from collections.abc import Sequence

import msgspec

from browse.cookies import ask_keyring
from browse.cookies.ask_keyring import KeyringAnswer, KeyringQuestion
from browse.cookies.browsers import EverydayBrowser
from browse.cookies.encryption import EMPTY, WITHOUT_KEYRING, derived
from browse.cookies.problems import NoKey
from browse.core.children import Child, Launch

# A person may have to find the window that asks, and type a password.
ANSWER_S = 60.0
MAX_ANSWER_BYTES = 1024 * 1024
# How `security` ends: the item is not there; the person said no; nobody can be asked.
NOT_FOUND, CANCELLED, NOBODY_ASKED, WRONG = 44, 128, 36, 51


class Keys:
    """The keys of browsers; the keyring is asked for each at most once with success."""

    def __init__(self, platform: str = sys.platform, *, answer_s: float = ANSWER_S) -> None:
        self.platform = platform
        self._answer_s = answer_s
        self._known: dict[str, list[bytes]] = {}
        self._asking = asyncio.Lock()

    def without_keyring(self) -> list[bytes]:
        """Return the keys that need no keyring: those of `v10` on Linux."""
        return [derived(WITHOUT_KEYRING, self.platform)] if self.platform == "linux" else []

    async def from_keyring(self, browser: EverydayBrowser) -> list[bytes]:
        """Return the keys that the keyring has for a browser; raise `NoKey` if there are none."""
        async with self._asking:
            if browser.name not in self._known:
                ask = _ask_macos if self.platform == "darwin" else _ask_linux
                try:
                    async with asyncio.timeout(self._answer_s):
                        passwords = await ask(browser)
                except TimeoutError:
                    raise _timed_out(browser, self._answer_s) from None
                own = [derived(password, self.platform) for password in passwords]
                self._known[browser.name] = [*own, derived(EMPTY, self.platform)]
            return self._known[browser.name]


async def _ask_linux(browser: EverydayBrowser) -> Sequence[bytes]:
    argv = [sys.executable, "-I", "-m", ask_keyring.__name__]
    question = msgspec.json.encode(KeyringQuestion(list(browser.applications), browser.product))
    child = await Child.start(Launch(argv, stdin=True))
    try:
        raw = await child.exchange(question, max_bytes=MAX_ANSWER_BYTES)
    finally:
        await child.kill()
    answer = msgspec.json.decode(raw, type=KeyringAnswer) if raw else KeyringAnswer([], "denied")
    if answer.passwords:
        return answer.passwords
    raise _refused(browser) if answer.problem == "denied" else _not_found(browser, answer.problem)


async def _ask_macos(browser: EverydayBrowser) -> Sequence[bytes]:
    service = f"{browser.product} Safe Storage"
    argv = ["security", "find-generic-password", "-w", "-a", browser.product, "-s", service]
    child = await Child.start(Launch(argv, stdin=True))
    try:
        raw = await child.exchange(b"", max_bytes=MAX_ANSWER_BYTES)
        how = await child.ended
    finally:
        await child.kill()
    if how == "0" and raw.strip():
        return [raw.rstrip(b"\n")]
    raise _not_found(browser, "") if how == str(NOT_FOUND) else _refused(browser)


def _not_found(browser: EverydayBrowser, problem: str) -> NoKey:
    if problem == "no_keyring":
        message = f"No keyring answers that could have the key of {browser.title}'s cookies."
        hint = "run `browse restart` inside the desktop where that browser runs, or import a file"
    else:
        message = f"The keyring has no key of {browser.title}'s cookies."
        hint = "start that browser once in this desktop, or import from a file"
    return NoKey("keychain_not_found", message, f"{hint}: `browse help cookie-import`")


def _refused(browser: EverydayBrowser) -> NoKey:
    return NoKey(
        "keychain_denied",
        f"The keyring did not give out the key of {browser.title}'s cookies: it is locked, or the "
        "person said no.",
        "unlock the keyring, then try again and allow it",
    )


def _timed_out(browser: EverydayBrowser, limit_s: float) -> NoKey:
    return NoKey(
        "keychain_timeout",
        f"The keyring did not answer within {limit_s:.0f} s for the key of {browser.title}'s "
        "cookies.",
        "look for a window that asks for the keyring's password, and try again",
    )
