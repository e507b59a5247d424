"""Playwright's exceptions stop here: each becomes an error that says what to type next.

The driver's words are matched here, and where one of them matters to one module only: in
`pictures.py` (a screenshot that must be tried again) and `launch.py` (why Chromium did not start).
"""

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.async_api import Error as DriverError
from playwright.async_api import TimeoutError as DriverTimeout

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
# Lines of a stack that name the driver's own wrapper around the caller's script.
_DRIVER_FRAME = re.compile(r"UtilityScript|eval at evaluate|at eval \(<anonymous>\)")
# A script's own exception may use the driver's words ("the stream has been closed").
_THROWN = re.compile(r"(?:\w+\.\w+: )?(?:Uncaught )?\w*Error: ")
_CLOSED = (
    "Target page, context or browser has been closed",
    "Target closed",
    "has been closed",
    "Connection closed",
    "session closed",
    "Session already detached",
)
# A locale and a time zone belong to a process, which tabs of one site may share.
_SET_ELSEWHERE = "override is already in effect"
_REPLACED = "interrupted by another navigation"
# Between two documents of a tab there is none that could be asked.
_UNSETTLED = "Not attached to an active page"
_CRASHED = ("Target crashed", "Page crashed")
_NAVIGATED = (
    "Execution context was destroyed",
    "Cannot find context with specified id",
    "Inspected target navigated or closed",
    "Frame was detached",
    "frame was detached",
    "Frame has been detached",
    "No frame for given id found",
    _UNSETTLED,
)
_BAD_SELECTOR = (
    "is not a valid selector",
    "Unexpected token",
    "Unknown engine",
    "while parsing",
    "Error while parsing selector",
    "Malformed selector",
    "is not a valid XPath",
    "Unsupported token",
)


@contextmanager
def translated(action: str, *, selector: str = "") -> Iterator[None]:
    """Wrap every call into the driver; `action` is our phrase for what was under way."""
    try:
        yield
    except DriverTimeout as exc:
        raise _timed_out(action) from exc
    except DriverError as exc:
        raise _explain(exc.message, action, selector) from exc


class Lost(BrowseError):
    """What was asked is not there any more: a document, a frame or the whole tab.

    Which of them it was, the driver's words do not tell; see `lost.py`.
    """


class Covered(BrowseError):
    """Another element lies over the one that an action is for."""

    def __init__(self, target: str, action: str, markup: str, *, by: str = "") -> None:
        super().__init__(
            Code.NOT_ACTIONABLE,
            f"{target} is covered by another element; {action} was not done.",
            hint=f"close what covers it{f' ({by})' if by else ''}: a dialog, a banner, a menu;"
            " then try again",
            page=f"covered by: {markup}",
        )
        self._what = (target, action, markup)

    def named(self, ref: str, role: str, name: str) -> "Covered":
        """Say the same with a ref to what covers it."""
        target, action, markup = self._what
        called = f'{ref} [{role}] "{name}"' if name else f"{ref} [{role}]"
        return Covered(target, action, f"{called} {markup}", by=ref)


@contextmanager
def acting(action: str, *, target: str) -> Iterator[None]:
    """Wrap an action on an element: when it cannot be done, say what stands in the way."""
    try:
        yield
    except DriverTimeout as exc:
        raise _in_the_way(exc.message, action, target) from exc
    except DriverError as exc:
        if "not attached to the DOM" in exc.message:
            raise _went_away(action, target) from exc
        if found := re.search(
            r"Error: (Element is not .*|Input of type .*|Malformed value.*|.*cannot be filled.*)",
            exc.message,
        ):
            raise BrowseError(
                Code.NOT_ACTIONABLE,
                f"{target} does not take that: {found[1][:200]}.",
                hint="look at it with `browse snapshot -i`",
            ) from exc
        raise _explain(exc.message, action, target) from exc


# What the driver's log says, what it means, and what to do about it.
_OBSTACLES = (
    (
        "element is not enabled",
        "it is disabled",
        "see what it still needs with `browse snapshot -i`, or wait until it is enabled",
    ),
    ("element is inert", "a dialog keeps it from use", "close the dialog: `browse snapshot -i`"),
    ("element is not editable", "it cannot be edited", "look at it with `browse snapshot -i`"),
    (
        "element is not visible",
        "it cannot be seen",
        "open what hides it, or wait for it: browse wait {target}",
    ),
    (
        "element is outside of the viewport",
        "it is outside of the window and cannot be scrolled in",
        "press what brings it in, or reach it with the keyboard: browse focus {target}",
    ),
    ("element is not stable", "it keeps moving", "wait until it is still: `browse wait 1000`"),
)


def leads_to_error_page(problem: BrowseError) -> bool:
    """Tell whether Chromium shows a page of its own about a navigation that failed."""
    return problem.code is Code.NAVIGATION_FAILED and bool(
        re.search(r"\(ERR_(?!ABORTED)", problem.message)
    )


def _in_the_way(log: str, action: str, target: str) -> BrowseError:
    """Read the driver's log: what it met last is what stands in the way."""
    covering = list(
        re.finditer(r"(<[^\n]*>) (?:from (<[^\n]*>) subtree )?intercepts pointer events", log)
    )
    seen = [(log.rfind(words), reason, hint) for words, reason, hint in _OBSTACLES]
    at, reason, hint = max(seen)
    covered_at = covering[-1].start() if covering else -1
    if log.rfind("performing ") > max(at, covered_at):
        return _too_busy(f"{target} may have been reached or not: {action} took too long.")
    if covered_at > at:
        return Covered(target, action, " in ".join(filter(None, covering[-1].groups())))
    if at < 0 and "attempting " in log:
        return _too_busy(f"{target} did not get ready in time; {action} was not done.")
    if at < 0:
        return _went_away(action, target)
    return BrowseError(
        Code.NOT_ACTIONABLE,
        f"{target}: {reason}; {action} was not done.",
        hint=hint.format(target=shlex.quote(target)),
    )


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
    if not selector and _THROWN.match(message):
        return _script_failed(message, action)
    if any(words in message for words in _CRASHED):
        return tab_crashed()
    if any(words in message for words in _CLOSED):
        return Lost(
            Code.TAB_CLOSED,
            f"The tab was closed while {action}.",
            hint="run `browse tabs` to see what is open",
        )
    if found := re.search(r"net::(ERR_\w+)", message):
        return unreachable(found.group(1))
    if "Download is starting" in message:
        return BrowseError(
            Code.NAVIGATION_FAILED,
            "The address is a download, not a page; the tab stays where it was.",
            hint="save it with `browse download <url>`",
        )
    if _REPLACED in message:
        return replaced()
    if selector and any(words in message for words in _BAD_SELECTOR):
        return BrowseError(
            Code.SELECTOR_INVALID,
            f"The selector {selector[:80]!r} cannot be parsed.",
            hint="use CSS ('#id', '.class', 'button[type=submit]'), or text=, role=, xpath=",
        )
    if "strict mode violation" in message:
        return several_match(selector, message)
    return _script_failed(message, action)


def several_match(selector: str, message: str) -> BrowseError:
    """Say how many elements match; the driver's list of them quotes the page."""
    count = re.search(r"resolved to (\d+) elements", message)
    how_many = f"{count.group(1)} elements" if count else "several elements"
    listing = "\n".join(
        line.strip() for line in message.splitlines() if re.match(r"\s+\d+\) ", line)
    )
    return BrowseError(
        Code.SEVERAL_MATCH,
        f"{selector[:80]!r} matches {how_many}.",
        hint="make the selector narrower, or add ' >> nth=0' for the first",
        page=listing,
    )


def network_reason(name: str) -> str:
    """Say in words what an error of Chromium's network means."""
    if name.startswith("ERR_CERT"):
        return "the server's certificate is not valid"
    return _NETWORK_REASONS.get(name, "the browser could not load it")


def download_began(exc: DriverError) -> bool:
    """Tell whether a navigation ended because the address is a download."""
    return "Download is starting" in exc.message


def replaced() -> BrowseError:
    """Say that a page came in the place of the one that was asked for."""
    return BrowseError(
        Code.NAVIGATION_FAILED,
        "Another navigation replaced this one before it finished.",
        hint="run `browse url` to see where the tab is now",
    )


def is_replaced(exc: DriverError, *, by_page: bool) -> bool:
    """Tell whether a navigation lost against another; `by_page`: no server has ended it."""
    return _REPLACED in exc.message or (by_page and "net::ERR_ABORTED" in exc.message)


def is_unsettled(exc: DriverError) -> bool:
    """Tell whether a tab was just between two documents."""
    return _UNSETTLED in exc.message


def unreachable(name: str) -> BrowseError:
    """Say that a page could not be loaded, by Chromium's name for the reason."""
    return BrowseError(
        Code.NAVIGATION_FAILED,
        f"Page not loaded: {network_reason(name)} ({name}).",
        hint="check the address; `browse url` shows where the tab is now",
    )


def _script_failed(message: str, action: str) -> BrowseError:
    if any(words in message for words in _NAVIGATED):
        return Lost(
            Code.SCRIPT_FAILED,
            f"The page navigated away while {action}.",
            hint="run `browse wait --load`, then try again",
        )
    return BrowseError(
        Code.SCRIPT_FAILED,
        f"The page threw an error while {action}:",
        hint="mend the script and run it again",
        page=own_lines(re.sub(r"^\w+\.\w+: ", "", message).strip()),
    )


def set_elsewhere(exc: DriverError) -> bool:
    """Tell whether what should be emulated is so already, through another tab of the same site."""
    return _SET_ELSEWHERE in exc.message


def own_lines(stack: str) -> str:
    """Leave out of a stack the lines that are the driver's, not the page's or the caller's."""
    return "\n".join(line for line in stack.splitlines() if not _DRIVER_FRAME.search(line))


def tab_crashed() -> BrowseError:
    """Say that a tab's page crashed, and how to go on with the same tab."""
    return BrowseError(
        Code.TAB_CRASHED,
        "The page in this tab has crashed; other tabs are unharmed.",
        hint="run `browse reload` or `browse goto <url>` to use the tab again",
    )
