"""The terms of a token: whose it is, and what its bearer may do."""

import re
import unicodedata
from enum import StrEnum

import msgspec

from browse.core.errors import Usage
from browse.core.scopes import Scope, Surface

MAX_NAME_CHARS = 64
DEFAULT_RATE = 10
DEFAULT_SCOPES = Scope.READ | Scope.WRITE | Scope.ADMIN | Scope.META
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._@-]*")


class TabPolicy(StrEnum):
    """Which tabs a caller may use."""

    OWN_ONLY = "own-only"
    SHARED = "shared"


class Behalf(msgspec.Struct, frozen=True):
    """For whom a script works: whose current tab, whose tabs, and which listener it has."""

    holder: str
    owner: str
    surface: Surface


class Terms(msgspec.Struct, frozen=True):
    """`rate` is in requests a second, 0 for no limit; no `domains` means all.

    `folders` lists those whose files it may name; None means the project and the temporary folder.
    With a `behalf`, its bearer works in the tabs of whoever is named there, as they could.
    """

    client: str
    scopes: Scope = DEFAULT_SCOPES
    domains: tuple[str, ...] = ()
    tabs: TabPolicy = TabPolicy.OWN_ONLY
    rate: int = DEFAULT_RATE
    folders: tuple[str, ...] | None = None
    behalf: Behalf | None = None

    def __post_init__(self) -> None:
        if self.domains and self.tabs is TabPolicy.SHARED:
            raise Usage(
                "a client that may use all tabs cannot be limited to some domains",
                hint="other tabs may be elsewhere: leave out one of the two",
            )

    def reduces(self, old: "Terms") -> bool:
        """Check whether the new terms forbid something that the old ones allowed."""
        fewer_domains = bool(self.domains) and (
            not old.domains or bool(set(old.domains) - set(self.domains))
        )
        slower = self.rate != 0 and (old.rate == 0 or self.rate < old.rate)
        stricter = self.tabs is TabPolicy.OWN_ONLY and old.tabs is TabPolicy.SHARED
        return bool(old.scopes & ~self.scopes) or fewer_domains or slower or stricter


def client_name(raw: str) -> str:
    """Return a client's name if it is valid: short, plain, and not the owner's; else raise."""
    name = unicodedata.normalize("NFKC", raw).strip()
    if name.casefold() == "root":
        raise Usage("the name 'root' is the owner's", hint="choose another name for the client")
    if len(name) > MAX_NAME_CHARS or not _NAME.fullmatch(name):
        raise Usage(
            "a client's name is made of letters, digits, spaces and . _ @ -, "
            f"at most {MAX_NAME_CHARS} of them",
            hint="for instance --client codex-laptop",
        )
    return name
