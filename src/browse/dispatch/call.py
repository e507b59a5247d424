"""One request to run a command, however it arrived."""

from dataclasses import dataclass, replace

from browse.auth.caller import Caller


@dataclass(frozen=True, slots=True)
class Call:
    """The words, the caller, and where it called from."""

    words: tuple[str, ...]
    caller: Caller
    cwd: str
    tab_id: int | None = None
    stdin: bytes = b""
    session: str = ""
    within: tuple[str, ...] = ()
    at_terminal: bool = False  # whether a person's terminal shows the reply
    confirmed: str = ""  # the id of the pending step, once a person has confirmed it

    def inner(self, words: tuple[str, ...], *, within: str, tab_id: int | None = None) -> "Call":
        """Build the call of a step inside another command (`chain`, `tab-each`)."""
        around = (*self.within, within)
        return replace(self, words=words, within=around, stdin=b"", tab_id=tab_id or self.tab_id)
