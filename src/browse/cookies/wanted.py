"""Which cookies are wanted: those that the hosts of some domains are sent, or all."""

import msgspec

from browse.core.errors import Usage
from browse.guard.hosts import normal_host
from browse.guard.path_errors import shown

MAX_NAMED = 5


class Wanted(msgspec.Struct, frozen=True):
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
        above = domain.lower() if domain.startswith(".") else None
        return self.holds(domain) or any(above and it.endswith(above) for it in self.domains)

    def holds(self, domain: str) -> bool:
        """Check whether a cookie's domain is one of these, or below one."""
        host = f".{domain.removeprefix('.').lower()}"
        return self.domains is None or any(host.endswith(f".{it}") for it in self.domains)


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
