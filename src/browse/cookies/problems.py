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


def unreadable(reason: Reason, message: str, hint: str, *, page: str = "") -> BrowseError:
    """Build the error for cookies that cannot be had; `reason` is among the facts of `--json`."""
    said = f"{message} No cookie was imported."
    return BrowseError(Code.COOKIE_SOURCE, said, hint=hint, page=page, facts={"reason": reason})


class NoKey(Exception):
    """The keyring gave no key: a word for programs, what happened, and what to do.

    It is no error yet: cookies that need no key, or were decrypted before, can be had.
    """

    def __init__(self, reason: Reason, message: str, hint: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.message = message
        self.hint = hint

    def error(self, page: str) -> BrowseError:
        """Return the error for an import that needs the key; `page` has the cookies."""
        return unreadable(self.reason, self.message, self.hint, page=page)
