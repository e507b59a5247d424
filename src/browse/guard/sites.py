"""Which hosts this daemon may connect to: the allowed domains, and the blocklist."""

from typing import Literal

from browse.core.errors import BrowseError, Code, Usage
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.guard import domains
from browse.guard.blocklist import Blocklist

Filter = Literal["off", "warn", "block"]


class Sites:
    """The rules of the settings, checked by host."""

    def __init__(
        self,
        allowed: tuple[str, ...] = (),
        blocklist: Blocklist | None = None,
        filter: Filter = "warn",
    ) -> None:
        self.allowed = allowed
        self.blocklist = blocklist or Blocklist()
        self.filter = filter

    @classmethod
    def of(cls, settings: Settings, paths: Paths) -> "Sites":
        try:
            given = settings.allowed_domains.strip()
            allowed = domains.parse_lists([given] if given else [])
        except Usage as exc:
            message = f"BROWSE_ALLOWED_DOMAINS: {exc.message}"
            raise BrowseError(Code.SETTING_INVALID, message, hint=exc.hint) from exc
        return cls(allowed, Blocklist(paths.blocklist), settings.content_filter)

    def objection(self, host: str) -> str:
        """Return why nothing may be sent to a host; "" when it may."""
        if self.allowed and not domains.covers(self.allowed, host):
            return "not one of the domains in BROWSE_ALLOWED_DOMAINS"
        if self.filter == "block" and self.blocklist.hit(host):
            return "on the blocklist, and BROWSE_CONTENT_FILTER is block"
        return ""

    def check(self, host: str) -> None:
        """Raise if commands must not use this host."""
        if not host:
            return
        if why := self.objection(host):
            hint = "open another address, or let the owner of this daemon change the setting"
            raise BrowseError(Code.URL_REFUSED, f"Blocked: {host} is {why}.", hint=hint)

    def warning(self, host: str) -> str:
        """Return a warning for a host on the blocklist that may be used."""
        entry = self.blocklist.hit(host) if host and self.filter == "warn" else None
        if not entry:
            return ""
        return f"[warning] {entry} is on the blocklist: what is sent there, others can read"
