"""What can be wrong with another browser's cookies, in one form: a word for programs, and ours."""

from typing import Literal

from browse.core.errors import BrowseError, Code

# Their names are those of the original, for programs that know them.
Reason = Literal[
    "not_installed",
    "no_profile",
    "no_cookies",
    "db_missing",
    "db_locked",
    "db_corrupt",
    "db_newer",
    "keychain_not_found",
    "keychain_denied",
    "keychain_timeout",
    "keychain_error",
]


def unreadable(reason: Reason, message: str, hint: str) -> BrowseError:
    """Build the error for cookies that cannot be had; `reason` is among the facts of `--json`."""
    return BrowseError(Code.COOKIE_SOURCE, message, hint=hint, facts={"reason": reason})
