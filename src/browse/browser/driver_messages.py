"""The messages of the driver and Chromium, and what each of them means.

They are not a stable interface: an upgrade may change any of them, so only this module reads them.
A message that is not recognised becomes an error that quotes it.
"""

import re
from enum import Enum

import msgspec

ABORTED = "ERR_ABORTED"
# The beginning of our own refusals, which come through the driver.
NOT_OURS = "browse leaves this alone in a browser that is not its own"


class Meaning(Enum):
    """What a message of the driver means."""

    CRASHED = "the page's process ended"
    CLOSED = "the page, its browser or the connection to it is closed"
    DOWNLOAD = "the address is a download"
    REPLACED = "another navigation came in between"
    NAVIGATED = "the document or frame is not there any more"
    UNSETTLED = "the tab is between two documents, and has none that could be asked"
    DETACHED = "the element is not in the document any more"
    BAD_SELECTOR = "the selector cannot be parsed"
    SEVERAL = "several elements match where one was asked for"
    # A locale and a time zone belong to a process, which tabs of one site may share.
    SET_ELSEWHERE = "what should be emulated is so already, through another tab of the same site"
    NO_PICTURE = "Chromium was too busy for a screenshot"
    NOT_OURS = "it would change a browser that is not ours"


_WORDS = {
    Meaning.CRASHED: ("Target crashed", "Page crashed"),
    Meaning.CLOSED: (
        "Target page, context or browser has been closed",
        "Target closed",
        "has been closed",
        "Connection closed",
        "session closed",
        "Session already detached",
    ),
    Meaning.DOWNLOAD: ("Download is starting",),
    Meaning.REPLACED: ("interrupted by another navigation",),
    Meaning.NAVIGATED: (
        "Execution context was destroyed",
        "Cannot find context with specified id",
        "Inspected target navigated or closed",
        # What a promise of the old document ends with, if that is cleared away first.
        "Resulting promise was garbage collected",
        "Frame was detached",
        "frame was detached",
        "Frame has been detached",
        "No frame for given id found",
        "Not attached to an active page",
    ),
    Meaning.UNSETTLED: ("Not attached to an active page",),
    Meaning.DETACHED: ("not attached to the DOM",),
    Meaning.BAD_SELECTOR: (
        "is not a valid selector",
        "Unexpected token",
        "Unknown engine",
        "while parsing",
        "Error while parsing selector",
        "Malformed selector",
        "is not a valid XPath",
        "Unsupported token",
    ),
    Meaning.SEVERAL: ("strict mode violation",),
    Meaning.SET_ELSEWHERE: ("override is already in effect",),
    Meaning.NO_PICTURE: ("Unable to capture screenshot",),
    Meaning.NOT_OURS: (NOT_OURS,),
}
# A script's own exception may use the driver's words ("the stream has been closed").
_THROWN = re.compile(r"(?:\w+\.\w+: )?(?:Uncaught )?\w*Error: ")
_METHOD = re.compile(r"^\w+\.\w+: ")
_NETWORK = re.compile(r"net::(ERR_\w+)")
_COUNT = re.compile(r"resolved to (\d+) elements")
_LISTED = re.compile(r"\s+\d+\) ")
_UNFIT = re.compile(
    r"Error: (Element is not .*|Input of type .*|Malformed value.*|Cannot type text into.*|"
    r".*cannot be filled.*)"
)
_COVERED = re.compile(r"(<[^\n]*>) (?:from (<[^\n]*>) subtree )?intercepts pointer events")
# Lines of a stack that name the driver's own wrapper around the caller's script.
_DRIVER_FRAME = re.compile(r"UtilityScript|eval at evaluate|at eval \(<anonymous>\)")
# Chromium's fatal error, else the first line that it or its start script printed (Debian's prints
# an `unexpected operator` at every start).
_NOT_STARTED = (
    r"\[err\] .*?FATAL:[^\]]*\] (.+)",
    r"\[err\] (?!.*(?:DevTools|unexpected operator))(.+)",
    r"(spawn .+)",
    r"(?:Error|launch): (.+)",
)


class Obstacle(Enum):
    """What the driver's log of an action says about an element that is not ready."""

    DISABLED = "element is not enabled"
    INERT = "element is inert"
    NOT_EDITABLE = "element is not editable"
    NOT_VISIBLE = "element is not visible"
    OUTSIDE = "element is outside of the viewport"
    UNSTABLE = "element is not stable"


class ActionProgress(msgspec.Struct, frozen=True):
    """How far an action got, by the driver's log; the last obstacle is what prevents it."""

    obstacle: Obstacle | None = None
    covering: str = ""  # the markup of the element that covers the target
    began: bool = False  # the element was there, and the action was tried
    performed: bool = False  # the action itself started, and may have been done


def means(message: str, meaning: Meaning) -> bool:
    """Check whether a message of the driver has a meaning."""
    return any(words in message for words in _WORDS[meaning])


def is_thrown(message: str) -> bool:
    """Check whether a message is an exception of a script, which may contain any text."""
    return _THROWN.match(message) is not None


def network_error(message: str) -> str:
    """Return Chromium's name of a network error; "" if the message is about something else."""
    found = _NETWORK.search(message)
    return found[1] if found else ""


def is_replaced(message: str, *, by_page: bool) -> bool:
    """Check whether another navigation replaced ours; `by_page`: no server ended it."""
    lost = means(message, Meaning.REPLACED)
    return lost or (by_page and network_error(message) == ABORTED)


def matches(message: str) -> tuple[int, str]:
    """Return how many elements matched (0: unknown), and the driver's list of them."""
    count = _COUNT.search(message)
    listing = [line.strip() for line in message.splitlines() if _LISTED.match(line)]
    return int(count[1]) if count else 0, "\n".join(listing)


def is_no_field(message: str) -> bool:
    """Check whether an element takes no value at all."""
    return unfit(message).startswith("Element is not an <input>")


def unfit(message: str) -> str:
    """Return why an element does not accept a value; "" if the message does not say."""
    found = _UNFIT.search(message)
    return found[1] if found else ""


def tried(log: str) -> ActionProgress:
    """Parse the driver's log of an action that timed out."""
    obstacle = max(Obstacle, key=lambda each: log.rfind(each.value))
    at = log.rfind(obstacle.value)
    covering = list(_COVERED.finditer(log))
    covered_at = covering[-1].start() if covering else -1
    return ActionProgress(
        obstacle=obstacle if at > covered_at else None,
        covering=" in ".join(filter(None, covering[-1].groups())) if covered_at > at else "",
        began="attempting " in log,
        performed=log.rfind("performing ") > max(at, covered_at),
    )


def exception(message: str) -> str:
    """Return what a script threw, without the driver's own lines."""
    return own_lines(_METHOD.sub("", message).strip())


def own_lines(stack: str) -> str:
    """Remove the driver's own lines from a stack."""
    return "\n".join(line for line in stack.splitlines() if not _DRIVER_FRAME.search(line))


def not_started(message: str) -> str:
    """Return the line of a long report that says why Chromium did not start."""
    for pattern in _NOT_STARTED:
        if found := re.search(pattern, message):
            return found[1].strip()[:300]
    return message.strip().splitlines()[0][:300]
