"""Who did what in the tabs of a session last, to tell a caller what others did meanwhile.

Callers without a name share their current tab. An agent runs each command in a new shell, so who it
is shows only in the processes above: two calls are of one caller if they have a process in common
that is not above the call between them.
"""

from collections import deque

import msgspec

from browse.auth.caller import Caller
from browse.auth.origins import Origin, common

MAX_DEEDS = 200
ALL_TABS = 0
MOVED = "tab"


class _Deed(msgspec.Struct, frozen=True):
    holder: str
    origin: Origin
    command: str
    tab: int
    changes: bool
    was_told: bool  # whether its caller was told then what others had done

    def closeness(self, caller: Caller) -> int:
        """Return how close who did this is to a caller; -1 if they have different names."""
        return common(self.origin, caller.origin) if self.holder == caller.holder else -1

    def may_be_of_another(self, caller: Caller) -> bool:
        """Whether somebody else did this; without knowing from where it came, nobody can tell."""
        return self.holder != caller.holder or bool(self.origin and caller.origin)


class Deeds:
    """The last commands in the tabs of a session."""

    def __init__(self) -> None:
        self._deeds: deque[_Deed] = deque(maxlen=MAX_DEEDS)

    def add(self, caller: Caller, command: str, tab: int, *, changes: bool) -> list[str]:
        """Note what a caller does; return what another did since its last command, if anything."""
        told = self._told(caller, tab)
        self._deeds.append(_Deed(caller.holder, caller.origin, command, tab, changes, True))
        return told

    def add_silent(self, caller: Caller, command: str, tab: int) -> None:
        """Note a change by a command that tells its caller nothing of others."""
        self._deeds.append(_Deed(caller.holder, caller.origin, command, tab, True, False))

    def _told(self, caller: Caller, tab: int) -> list[str]:
        deeds = list(self._deeds)
        closeness = [it.closeness(caller) for it in deeds]
        newer = -1
        for at in range(len(deeds) - 1, -1, -1):
            deed, close = deeds[at], closeness[at]
            if newer > close:
                return []  # the caller has come since, and was told then
            newer = max(newer, close) if deed.was_told else newer
            if not (deed.changes and deed.may_be_of_another(caller)):
                continue
            own = next((n for n in range(at - 1, -1, -1) if closeness[n] > close), None)
            if own is not None and self._concerns(deed, caller, {tab, deeds[own].tab}):
                return [_note(deed, caller)]
        return []

    def _concerns(self, deed: _Deed, caller: Caller, tabs: set[int]) -> bool:
        moved = deed.command == MOVED and deed.holder == caller.holder
        return moved or deed.tab == ALL_TABS or deed.tab in tabs


def _note(deed: _Deed, caller: Caller) -> str:
    if deed.holder != caller.holder:
        who = deed.holder
    else:
        who = f"another program ({deed.origin[common(deed.origin, caller.origin)]})"
    where = "all tabs" if deed.tab == ALL_TABS else f"tab {deed.tab}"
    done = f"made {where} current" if deed.command == MOVED else f"ran `{deed.command}` in {where}"
    apart = "; with BROWSE_AGENT=<name> each has a tab of its own"
    return f"since your last command, {who} {done}{apart if deed.holder == caller.holder else ''}"
