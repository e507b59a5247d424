"""One request to run a command, however it arrived."""

import msgspec
from msgspec.structs import replace

from browse.auth.caller import Caller
from browse.core.errors import BrowseError, Code

# A selector of megabytes keeps the driver busy, and with it every tab.
MAX_WORDS_CHARS = 4 * 1024 * 1024
MAX_AGENT_CHARS = 256 * 1024


class Call(msgspec.Struct, frozen=True):
    """The words, the caller, and where it called from."""

    words: tuple[str, ...]
    caller: Caller
    cwd: str
    tab_id: int | None = None
    stdin: bytes = b""
    session: str = ""
    within: tuple[str, ...] = ()
    at_terminal: bool = False  # whether a person's terminal shows the reply
    looks: bool = False  # whether every action adds what changed in the snapshot
    confirmed: str = ""  # the id of the pending step, once a person has confirmed it
    # What others did meanwhile, told at the end.
    notes: list[str] = msgspec.field(default_factory=list)

    def check_size(self) -> None:
        """Raise if the words are longer than this caller may send; of an agent, with its stdin."""
        size, limit = sum(map(len, self.words)), MAX_WORDS_CHARS
        if not self.caller.is_owner:
            size, limit = size + len(self.stdin), MAX_AGENT_CHARS
        if size > limit:
            raise BrowseError(
                Code.TOO_LARGE,
                f"The words of a command are {limit // 1024:,} KiB at most; these have"
                f" {size // 1024:,}.",
                hint="send less at a time",
            )

    def inner(self, words: tuple[str, ...], *, within: str, tab_id: int | None = None) -> "Call":
        """Build the call of a step inside another command (`chain`, `tab-each`)."""
        around = (*self.within, within)
        return replace(self, words=words, within=around, stdin=b"", tab_id=tab_id or self.tab_id)
