"""Get the secrets of a login: from our own files, or from a program that has them.

A program gets no stdin and no terminal, a limited time, and its stderr is thrown away: it may have
the secret in it. No shell runs it.
"""

import asyncio
import shlex

import msgspec

from browse.core.children import FAILED, Child, Launch, described
from browse.core.errors import BrowseError, Code
from browse.logins.answers import NotUnderstood, code_of, understood
from browse.logins.login import Credentials, Login

# A vault may ask a person for a fingerprint.
PROGRAM_S = 60.0
MAX_ANSWER_BYTES = 1024 * 1024
IN_VAULT = "op://"


def argv_of(login: Login) -> tuple[str, ...]:
    """Return the words that ask a vault program for a login."""
    if login.source == "op":
        vault, _, item = login.item.removeprefix(IN_VAULT).partition("/")
        if login.item.startswith(IN_VAULT) and item:
            return ("op", "item", "get", "--format=json", f"--vault={vault}", item)
        return ("op", "item", "get", "--format=json", login.item)
    if login.source == "bw":
        return ("bw", "--nointeraction", "get", "item", login.item)
    if login.source == "pass":
        return ("pass", "show", login.item)
    return login.words


async def credentials(login: Login, *, limit_s: float = PROGRAM_S) -> Credentials:
    """Return what is to be typed; raise if a program does not give it in time."""
    try:
        if login.source == "vault":
            return Credentials(login.user, login.password, code_of(login.seed))
        found = understood(login.source, await _asked(login, limit_s))
    except NotUnderstood as exc:
        raise _failed(login, f"gave no login: {exc}") from None
    return msgspec.structs.replace(found, user=login.user or found.user)


async def _asked(login: Login, limit_s: float) -> bytes:
    """Run the program of a login and return what it printed."""
    child = await Child.start(Launch(argv_of(login), stdin=True))
    try:
        async with asyncio.timeout(limit_s):
            raw = await child.exchange(b"", max_bytes=MAX_ANSWER_BYTES)
            how = await child.ended
    except TimeoutError:
        raise _failed(login, f"did not answer within {limit_s:.0f} s and was ended") from None
    except ValueError:
        raise _failed(login, "printed far more than a login, and was ended") from None
    finally:
        await child.kill()
    if how != "0":
        raise _failed(login, described(how), missing=how.startswith(FAILED))
    return raw


def _failed(login: Login, what: str, *, missing: bool = False) -> BrowseError:
    if login.source == "vault":
        hint = "add it again: `browse login add`"
        return BrowseError(Code.LOGIN, f"This login {what}. Nothing was typed.", hint=hint)
    argv = argv_of(login)
    # The words of a command of one's own may have a secret in them.
    typed = "the command of this login" if login.source == "command" else f"`{shlex.join(argv)}`"
    hint = f"unlock your vault, and try {typed} in a terminal"
    if missing:
        hint = f"install `{argv[0]}`, or start the daemon with a PATH that has it: `browse restart`"
    return BrowseError(Code.VAULT, f"`{argv[0]}` {what}. Nothing was typed.", hint=hint)
