"""Turn Playwright's exceptions into errors that say what to type next.

`driver_messages.py` knows what their messages mean.
"""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.async_api import Error as DriverError
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.driver_messages import (
    ABORTED,
    Meaning,
    Obstacle,
    exception,
    is_no_field,
    is_thrown,
    matches,
    means,
    network_error,
    tried,
    unfit,
)
from browse.browser.engine_name import without_name
from browse.core.errors import BrowseError, Code

_NETWORK_REASONS = {
    "ERR_NAME_NOT_RESOLVED": "the host name does not resolve",
    "ERR_CONNECTION_REFUSED": "nothing listens at that address",
    "ERR_CONNECTION_RESET": "the server closed the connection",
    "ERR_EMPTY_RESPONSE": "the server closed the connection without an answer",
    "ERR_CONNECTION_CLOSED": "the server closed the connection",
    "ERR_INTERNET_DISCONNECTED": "this machine is offline",
    "ERR_ADDRESS_UNREACHABLE": "the address cannot be reached",
    "ERR_CONNECTION_TIMED_OUT": "the server does not answer",
    "ERR_TOO_MANY_REDIRECTS": "the server redirects in a circle",
    "ERR_UNSAFE_PORT": "browsers refuse that port",
    "ERR_FILE_NOT_FOUND": "there is no such file",
    "ERR_INVALID_AUTH_CREDENTIALS": "the server asks for a login",
    "ERR_SSL_PROTOCOL_ERROR": "the server does not speak TLS there",
    "ERR_ABORTED": "the server's answer has no page in it",
    "ERR_CONNECTION_FAILED": "the connection could not be made",
    "ERR_SOCKS_CONNECTION_FAILED": "the connection could not be made",
    "ERR_BLOCKED_BY_CLIENT": "`browse route` or `browse har replay` refuses it",
    "ERR_CONTENT_LENGTH_MISMATCH": "it broke off before the length that was announced",
    "ERR_INCOMPLETE_CHUNKED_ENCODING": "it broke off before its end",
    "ERR_CONTENT_DECODING_FAILED": "it is damaged and cannot be unpacked",
}


_ADDRESS = "check the address; `browse url` shows where the tab is now"
_CERTIFICATE = (
    "check the address; for a server of your own, start the daemon with its CA (`browse restart"
    " --ca-cert <file>`) or with --ignore-tls <host>"
)


@contextmanager
def translated(action: str, *, selector: str = "") -> Iterator[None]:
    """Translate exceptions of the driver; `action` describes what was being done."""
    try:
        yield
    except DriverTimeout as exc:
        raise _timed_out(action) from exc
    except DriverError as exc:
        raise _explain(without_name(exc.message), action, selector) from exc


class DocumentLost(BrowseError):
    """A document, a frame or the whole tab is gone.

    The driver's message does not say which one; see `tabs/lost_frames.py`.
    """


class ScriptThrew(BrowseError):
    """The caller's script threw an exception; with `is_syntax_error` it could not run at all."""

    def __init__(self, action: str, thrown: str) -> None:
        super().__init__(
            Code.SCRIPT_FAILED,
            f"The page threw an error while {action}:",
            hint="correct the script and run it again",
            page=thrown,
        )
        self.is_syntax_error = thrown.startswith("SyntaxError")


class NotAPage(BrowseError):
    """An address was to be opened, and is a download."""

    def __init__(self, message: str) -> None:
        super().__init__(
            Code.NAVIGATION_FAILED, message, hint="save it with `browse download <url>`"
        )


class PageUnreachable(BrowseError):
    """A page could not be loaded; `name` is Chromium's name of the error: ERR_…"""

    def __init__(self, name: str, why: str = "") -> None:
        super().__init__(
            Code.NAVIGATION_FAILED,
            f"Page not loaded: {why or network_reason(name)} ({name}).",
            hint=_CERTIFICATE if name.startswith("ERR_CERT") else _ADDRESS,
        )
        self.name = name

    @property
    def leads_to_error_page(self) -> bool:
        """Whether Chromium shows its own error page."""
        return self.name != ABORTED


class ElementCovered(BrowseError):
    """Another element covers the target of an action."""

    def __init__(self, target: str, action: str, markup: str, *, by: str = "") -> None:
        super().__init__(
            Code.NOT_ACTIONABLE,
            f"{target} is covered by another element; {action} was not done.",
            hint=f"close what covers it{f' ({by})' if by else ''}: a dialog, a banner, a menu;"
            " then try again",
            page=f"covered by: {markup}",
        )
        self._what = (target, action, markup)

    def named(self, ref: str, role: str, name: str) -> "ElementCovered":
        """Return the same error with the ref of the covering element."""
        target, action, markup = self._what
        called = f'{ref} [{role}] "{name}"' if name else f"{ref} [{role}]"
        return ElementCovered(target, action, f"{called} {markup}", by=ref)


@contextmanager
def acting(action: str, *, target: str) -> Iterator[None]:
    """Translate exceptions of an action on an element: say what prevented the action."""
    try:
        yield
    except DriverTimeout as exc:
        raise _in_the_way(without_name(exc.message), action, target) from exc
    except DriverError as exc:
        if means(exc.message, Meaning.DETACHED):
            raise _went_away(action, target) from exc
        if is_no_field(without_name(exc.message)):
            raise BrowseError(
                Code.NOT_ACTIONABLE,
                f"{target} is no field that takes text, nor is there just one editor in it.",
                hint=f"`browse snapshot -i -s {shlex.quote(target)}` lists the fields in it",
            ) from exc
        if why := unfit(without_name(exc.message)):
            raise BrowseError(
                Code.NOT_ACTIONABLE,
                f"{target} does not take that: {why[:200]}.",
                hint="look at it with `browse snapshot -i`",
            ) from exc
        raise _explain(without_name(exc.message), action, target) from exc


# What prevents an action, in our words, and what to do about it.
_OBSTACLES = {
    Obstacle.DISABLED: (
        "it is disabled",
        "see what it still needs with `browse snapshot -i`, or wait until it is enabled",
    ),
    Obstacle.INERT: ("a dialog keeps it from use", "close the dialog: `browse snapshot -i`"),
    Obstacle.NOT_EDITABLE: (
        "it cannot be edited",
        "look with `browse snapshot -i`; one that opens a calendar takes a day as 2026-12-24",
    ),
    Obstacle.NOT_VISIBLE: (
        "it cannot be seen",
        "open what hides it, or wait for it: browse wait {target}",
    ),
    Obstacle.OUTSIDE: (
        "it is outside of the window and cannot be scrolled in",
        "press what brings it in, or reach it with the keyboard: browse focus {target}",
    ),
    Obstacle.UNSTABLE: ("it keeps moving", "wait until it is still: `browse wait 1000`"),
}


def _in_the_way(log: str, action: str, target: str) -> BrowseError:
    how_far = tried(log)
    if how_far.performed:
        return too_busy(target, action)
    if how_far.covering:
        return ElementCovered(target, action, how_far.covering)
    if how_far.obstacle:
        return _obstructed(how_far.obstacle, action, target)
    if how_far.began:
        return _too_busy(f"{target} did not get ready in time; {action} was not done.")
    return _went_away(action, target)


def _obstructed(obstacle: Obstacle, action: str, target: str) -> BrowseError:
    reason, hint = _OBSTACLES[obstacle]
    return BrowseError(
        Code.NOT_ACTIONABLE,
        f"{target}: {reason}; {action} was not done.",
        hint=hint.format(target=shlex.quote(target)),
    )


def disabled(target: str, action: str) -> BrowseError:
    """Build the error for a control that is disabled."""
    return _obstructed(Obstacle.DISABLED, action, target)


def not_editable(target: str, action: str) -> BrowseError:
    """Build the error for a field that is read only."""
    return _obstructed(Obstacle.NOT_EDITABLE, action, target)


def too_busy(target: str, action: str) -> BrowseError:
    """Build the error for an action that did not end in time."""
    return _too_busy(f"{target} may have been reached or not: {action} took too long.")


def _too_busy(message: str) -> BrowseError:
    return BrowseError(
        Code.TIMEOUT,
        message,
        hint="the page is busy: look with `browse snapshot -i` before you try again",
    )


def _went_away(action: str, target: str) -> BrowseError:
    return BrowseError(
        Code.REF_STALE if target.startswith("@") else Code.NO_MATCH,
        f"{target} went away or changed before {action}; nothing was done.",
        hint="run `browse snapshot -i` to look again",
    )


def _timed_out(action: str) -> BrowseError:
    return BrowseError(
        Code.TIMEOUT,
        f"Timed out while {action}.",
        hint="the page may be slow: try again, or `browse wait` for what you need",
    )


def _explain(message: str, action: str, selector: str) -> BrowseError:
    if means(message, Meaning.NOT_OURS):
        return not_ours(action)
    if not selector and is_thrown(message):
        return _script_failed(message, action)
    if means(message, Meaning.CRASHED):
        return tab_crashed()
    if means(message, Meaning.CLOSED):
        return DocumentLost(
            Code.TAB_CLOSED,
            f"The tab was closed while {action}.",
            hint="run `browse tabs` to see what is open",
        )
    if name := network_error(message):
        return PageUnreachable(name)
    if means(message, Meaning.DOWNLOAD):
        return NotAPage("The address is a download, not a page; the tab stays where it was.")
    if means(message, Meaning.REPLACED):
        return replaced()
    if selector and means(message, Meaning.BAD_SELECTOR):
        return BrowseError(
            Code.SELECTOR_INVALID,
            f"The selector {selector[:80]!r} cannot be parsed.",
            hint="use CSS ('#id', '.class', 'button[type=submit]'), or text=, role=, xpath=",
        )
    if means(message, Meaning.SEVERAL):
        return _several_match(selector, message)
    return _script_failed(message, action)


def _several_match(selector: str, message: str) -> BrowseError:
    """Build the error for a selector that matches several elements."""
    count, listing = matches(message)
    return BrowseError(
        Code.SEVERAL_MATCH,
        f"{selector[:80]!r} matches {count or 'several'} elements.",
        hint="make the selector narrower, or add ' >> nth=0' for the first",
        page=listing,
    )


def _script_failed(message: str, action: str) -> BrowseError:
    if means(message, Meaning.NAVIGATED):
        return DocumentLost(
            Code.SCRIPT_FAILED,
            f"The page navigated away while {action}.",
            hint="run `browse wait --load`, then try again",
        )
    return ScriptThrew(action, exception(message))


def network_reason(name: str) -> str:
    """Describe a network error of Chromium in words."""
    if name.startswith("ERR_CERT"):
        return "the server's certificate is not valid"
    return _NETWORK_REASONS.get(name, "the browser could not load it")


def replaced() -> BrowseError:
    """Build the error for a navigation that another one replaced."""
    return BrowseError(
        Code.NAVIGATION_FAILED,
        "Another navigation replaced this one before it finished.",
        hint="run `browse url` to see where the tab is now",
    )


def not_ours(action: str) -> BrowseError:
    """Build the error for what would change a whole browser that is not ours."""
    return BrowseError(
        Code.NOT_OURS,
        f"Refused: {action} would change the whole browser that browse is attached to; nothing was"
        " done.",
        hint="do it in a session of browse's own: add `--session <name>`",
    )


def tab_crashed() -> BrowseError:
    """Build the error for a crashed tab, with how to go on using it."""
    return BrowseError(
        Code.TAB_CRASHED,
        "The page in this tab has crashed; other tabs are unharmed.",
        hint="run `browse reload` or `browse goto <url>` to use the tab again",
    )


def not_renewed() -> BrowseError:
    """Build the error for a crashed tab that gets no new page."""
    return BrowseError(
        Code.TAB_CRASHED,
        "The page in this tab has crashed, and Chromium gives it no new one.",
        hint="try again, or `browse newtab`; `browse restart` starts the browser anew",
    )


def loading_stopped(limit_s: float) -> BrowseError:
    """Build the error for a page that took too long to load."""
    return BrowseError(
        Code.NAVIGATION_TIMEOUT,
        f"The page did not load within {limit_s:g} s; loading was stopped.",
        hint="check that the address answers, then try again; `browse url` shows the tab's",
    )


def frame_gone() -> BrowseError:
    """Build the error for a chosen frame that is gone."""
    return BrowseError(
        Code.FRAME_GONE,
        "The frame that was selected is gone; the main document is selected again.",
        hint="run `browse snapshot -i` to look; the command was not run",
    )


def page_flooded() -> BrowseError:
    """Build the error for a page that was closed because it sent too much."""
    return BrowseError(
        Code.TAB_CRASHED,
        "The page in this tab was closed: it logged or fetched without end, and other tabs had to"
        " wait for it. They are unharmed.",
        hint="run `browse goto <url>` to use the tab again; `browse console` has what it logged",
    )
