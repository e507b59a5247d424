"""Which cookies are wanted: those that the hosts of some domains are sent, or all."""

from dataclasses import dataclass

from browse.core.errors import Usage
from browse.guard.hosts import normal_host
from browse.guard.path_errors import shown

MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """Some domains; None for all."""

    domains: frozenset[str] | None = None

    @classmethod
    def of(cls, words: str) -> "Wanted":
        """Parse domains between commas; raise if there is none, or one is no domain."""
        named = [word for word in words.split(",") if word.strip()]
        return cls(frozenset(map(parse_domain, named or [""])))

    def __str__(self) -> str:
        """Name the domains, the first few of many."""
        named = sorted(self.domains or ())
        more = f" and {len(named) - MAX_NAMED} more" if len(named) > MAX_NAMED else ""
        return ", ".join(named[:MAX_NAMED]) + more

    def includes(self, domain: str) -> bool:
        """Check a cookie's domain: a wanted one, one below it, or with a dot, one above it."""
        if self.domains is None:
            return True
        host = domain.removeprefix(".").lower()
        for wanted in self.domains:
            if host == wanted or host.endswith(f".{wanted}"):
                return True
            if domain.startswith(".") and wanted.endswith(f".{host}"):
                return True
        return False


def parse_domain(word: str) -> str:
    """Spell a domain as browsers do; raise if it is none."""
    bare = word.strip().removeprefix(".")
    try:
        host = normal_host(bare).removesuffix(".")
    except ValueError:
        host = ""
    if not host:
        raise Usage(
            f"{shown(word)!r} is not a domain",
            hint="give a name without scheme and path, such as --domain github.com",
        )
    return host
