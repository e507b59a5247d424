"""Failures in a row: an agent that tries in vain is told that a person could help."""

from browse.auth.caller import Caller
from browse.core.errors import BrowseError, Code, Usage
from browse.registry.bind import Bound
from browse.view.holds import is_acting

SUGGESTED_AFTER = 3
MAX_CALLERS = 100
# These do not mean that the page resists.
OTHERWISE = {
    Code.HANDED_OVER,
    Code.WATCHING,
    Code.NEEDS_CONFIRMATION,
    Code.DENIED,
    Code.DAEMON_STOPPING,
    Code.BROWSER_GONE,
}


class FailureStreaks:
    """Counts, for each of the owner's agents, how often in a row it could not act."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def note(self, caller: Caller, bound: Bound, error: BrowseError | None) -> None:
        """Count how an acting command ended; from the third failure on, the error says more.

        What an agent reads in between neither counts nor ends the row.
        """
        if error is None and caller.holder not in self._counts:
            return
        if not caller.is_owner or not is_acting(bound):
            return
        if error is None:
            self._counts.pop(caller.holder, None)
            return
        if isinstance(error, Usage) or error.code in OTHERWISE:
            return
        count = self._counts[caller.holder] = self._counts.pop(caller.holder, 0) + 1
        for oldest in list(self._counts)[:-MAX_CALLERS]:
            del self._counts[oldest]
        if count >= SUGGESTED_AFTER:
            error.hint += (
                f"\n{count} failures in a row: `browse handoff '<why>'` lets a person help"
            )
