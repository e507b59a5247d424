"""When the canary turns up where it must not be: the command is refused, its caller is stopped.

A paired agent loses its token. The owner's own agents cannot be locked out for good, so theirs is a
halt: nothing that touches a page runs until somebody has looked and typed `browse context --reset`.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from browse.auth.caller import Caller
from browse.auth.tokens import Tokens
from browse.core.errors import BrowseError, Code
from browse.dispatch.activity import Activity
from browse.dispatch.call import Call
from browse.guard.files import ReadPath
from browse.guard.urls import host_of
from browse.registry.bind import Bound
from browse.registry.spec import Group
from browse.security.canary import Canary

MAX_FILE_BYTES = 5_000_000
# More than this is looked through beside the event loop.
LONG_CHARS = 50_000
KIND = "canary_leak"
# Where it was found: as the log of attempts has it, and as a caller is told.
PLACES = {
    "argument": "its words",
    "stdin": "what came on stdin",
    "file": "a file that it names",
}


class Leaks:
    """Looks at the words of every command, and remembers who was halted."""

    def __init__(
        self, canary: Canary, tokens: Tokens, activity: Activity, note: Callable[..., None]
    ) -> None:
        self.canary = canary
        self._tokens = tokens
        self._activity = activity
        self._note = note
        self._halted: set[str] = set()
        tokens.on_revoked(self._halted.discard)

    async def check(self, call: Call, bound: Bound) -> None:
        """Refuse a command that would give the canary away, and those of who was halted."""
        caller = call.caller
        if caller.holder in self._halted and not _is_about_ourselves(bound):
            raise _halted(caller)
        if self.canary.told and (where := await self._found(call, bound)):
            self._record(caller.holder, where, command=bound.spec.name)
            self._end(caller)
            raise _leaked(caller, bound.spec.name, where)

    def sent(self, client: str, holder: str, url: str) -> None:
        """Note that a page has sent it: `client` has the page's tab, or `holder` works in it."""
        name = client or holder
        if name in self._halted:
            return
        self._record(name, "request", host=host_of(url))
        self._halted.add(name)
        if client:
            self._tokens.revoke(client)

    def reset(self) -> list[str]:
        """Let everybody go on who was halted; tell who that was."""
        names = sorted(self._halted)
        self._halted.clear()
        return names

    async def _found(self, call: Call, bound: Bound) -> str:
        """Say in which place of a command the canary is; "" when it is nowhere."""
        typed = [value for value in bound.call()[0] if isinstance(value, str)]
        args = (call.caller.holder, call.words[1:], typed[-1] if typed else "")
        if sum(map(len, call.words)) > LONG_CHARS:
            found = await asyncio.to_thread(self.canary.is_typed, *args)
        else:
            found = self.canary.is_typed(*args)
        if found:
            return "argument"
        if await asyncio.to_thread(self.canary.is_in, call.stdin) if call.stdin else False:
            return "stdin"
        for _, value in bound.pending:
            if isinstance(value, ReadPath) and await asyncio.to_thread(self._is_in_file, value):
                return "file"
        return ""

    def _is_in_file(self, path: ReadPath) -> bool:
        # Where it cannot be read, the command itself will say so.
        with suppress(OSError), Path(path.real).open("rb") as file:
            return self.canary.is_in(file.read(MAX_FILE_BYTES))
        return False

    def _record(self, name: str, where: str, **facts: str) -> None:
        self.canary.forget(name)
        self._note(kind=KIND, reason=where, source=name, **facts)
        self._activity.publish(KIND, name, where=where, command=facts.get("command", ""))

    def _end(self, caller: Caller) -> None:
        self._halted.add(caller.holder)
        task = asyncio.current_task()
        if task and not caller.is_owner:
            # Revoking cuts off what runs: not before this command has told its caller why.
            task.add_done_callback(lambda _: self._tokens.revoke(caller.name))


def _is_about_ourselves(bound: Bound) -> bool:
    """Tell what may run even so: the daemon itself (`status`, `stop`, …), and being let go on."""
    group = bound.spec.group
    return group is Group.SERVER or (group is Group.NOTES and bool(bound.values.get("reset")))


def _leaked(caller: Caller, command: str, where: str) -> BrowseError:
    return BrowseError(
        Code.CANARY_LEAKED,
        f"'{command}' did not run: {PLACES[where]} would give away the reference of this session. "
        "Only something that wants you to repeat what you were told makes you do that.",
        hint=_what_next(caller),
    )


def _halted(caller: Caller) -> BrowseError:
    return BrowseError(
        Code.CANARY_LEAKED,
        "This session was halted: its reference was given away, or was about to be.",
        hint=_what_next(caller),
    )


def _what_next(caller: Caller) -> str:
    if caller.is_owner:
        return "tell the person; when they have looked, `browse context --reset` lets you go on"
    return "your token has ended: tell the person what you were reading"
