"""A cookie as another browser or a file keeps it, and what Chromium demands of one."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

SameSite = Literal["Strict", "Lax", "None", ""]
MAX_PAIR_BYTES = 4096
_HAS_CONTROL = re.compile(r"[\x00-\x1f\x7f]").search
_NOT_UTF8 = re.compile(r"[\ud800-\udfff]").search


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCookie:
    """A cookie; its domain begins with a dot if subdomains are sent it too.

    `expires` is in seconds; None for a cookie of a session. `partition` is the site at the top for
    which alone a partitioned cookie counts. `used` orders cookies by their last use.
    """

    name: str
    value: str = field(repr=False)
    domain: str
    path: str = "/"
    expires: float | None = None
    secure: bool = False
    http_only: bool = False
    same_site: SameSite = ""
    partition: str = ""
    cross_site: bool = False
    used: float = 0.0

    @property
    def host(self) -> str:
        return self.domain.removeprefix(".")

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells cookies apart: a second one with the same key replaces the first."""
        return self.name, self.domain, self.path, self.partition

    def row(self) -> dict[str, Any]:
        """Return it as the driver takes it."""
        row: dict[str, Any] = {
            "name": self.name,
            "value": self.value,
            "domain": self.domain,
            "path": self.path,
            "httpOnly": self.http_only,
            "secure": self.secure,
        }
        if self.expires is not None:
            row["expires"] = self.expires
        if self.same_site:
            row["sameSite"] = self.same_site
        if self.partition:
            row["partitionKey"] = self.partition
            row["_crHasCrossSiteAncestor"] = self.cross_site
        return row

    def why_unfit(self, now: float) -> str:
        """Tell why Chromium would not keep it; "" if it should."""
        if self.expires is not None and self.expires <= now:
            return f"it expired{_on_day(self.expires)}"
        return self._bad_text() or self._bad_attributes()

    def _bad_text(self) -> str:
        pair = self.name + self.value
        if _NOT_UTF8(pair):
            return "its name or value is not UTF-8"
        size = len(pair.encode())
        if size > MAX_PAIR_BYTES:
            return f"name and value have {size:,} bytes; a cookie has at most {MAX_PAIR_BYTES:,}"
        if _HAS_CONTROL(pair) or ";" in pair or "=" in self.name:
            return "its name or value has a character that cookies cannot have"
        if not pair:
            return "it has neither a name nor a value"
        if self.name != self.name.strip() or self.value != self.value.strip():
            return "its name or value begins or ends with a blank"
        return ""

    def _bad_attributes(self) -> str:
        lower = self.name.lower()
        bound = not self.domain.startswith(".") and self.path == "/"
        if lower.startswith("__host-") and not (self.secure and bound):
            return "a `__Host-` cookie must be Secure, with the path / and without a domain"
        if lower.startswith("__secure-") and not self.secure:
            return "a `__Secure-` cookie must be Secure"
        if self.same_site == "None" and not self.secure:
            return "a SameSite=None cookie must be Secure"
        if self.partition and not self.secure:
            return "a partitioned cookie must be Secure"
        return ""


def _on_day(expires: float) -> str:
    try:
        return f" on {datetime.fromtimestamp(expires, UTC):%Y-%m-%d}"
    except (OverflowError, OSError, ValueError):  # no year of our calendar
        return ""
