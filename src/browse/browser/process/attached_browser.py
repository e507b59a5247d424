"""A browser that is not ours: where it is, what it is, and what does not hold in it."""

import msgspec

from browse.browser.network.debugging_ports import DebuggingPorts
from browse.browser.tabs.other_tabs import Outside

NotInForce = tuple[tuple[str, str], ...]
# What is kept in our own Chromium by how it is started, and why it is not in another one.
NOT_IN_FORCE: NotInForce = (
    (
        "addresses at the connection",
        "hosts are checked when one of our tabs asks for them; the browser then looks the name up"
        " itself, and WebSockets, WebRTC and service workers are not checked",
    ),
    (
        "process sandbox",
        "the browser runs as it was started: with its own proxy, flags, extensions and CAs",
    ),
    ("silent senders", "what a browser sends by itself, such as pages loaded in advance, goes out"),
    ("floods", "a page that logs or fetches without end is not held back"),
    ("downloads", "what a click downloads goes to the browser's own folder; use `browse download`"),
    ("whole-browser changes", "`state load`, clearing cookies and permissions are refused"),
)


class AttachedBrowser(msgspec.Struct, frozen=True):
    """What is known of a browser that we are attached to, and what is said when it is gone."""

    endpoint: str  # as it may be shown: host and port
    product: str
    outside: Outside | None = None
    ports: DebuggingPorts = DebuggingPorts()
    shared_tabs: object = None  # where an extension connects, if it comes through one
    not_in_force: NotInForce = NOT_IN_FORCE
    gone: str = "The browser at {endpoint} is gone: it was closed, or the connection to it broke."
    hint: str = "`browse connect` attaches again once it runs; `browse stop` gives it up"


# A person's own browser, before it has come.
THROUGH_EXTENSION = AttachedBrowser(
    "your Chrome, through the extension",
    "",
    not_in_force=(
        *NOT_IN_FORCE,
        ("cookies", "only those of what is shown in shared tabs are told, and saved"),
        ("sessions", "`--session` needs a browser of browse's own, or one with a DevTools port"),
        ("routes", "`route` and `har replay` are refused, and `--http-logins` are not sent"),
        ("emulation in frames", "what is emulated does not reach frames of other sites"),
        ("the first moment of popups", "a window that a page opens may send before it is held"),
    ),
    gone="Your Chrome shares no tabs with browse: its side panel is not connected, or ended that.",
    hint="type `browse extension pair`, put the port and the code into the side panel of your"
    " Chrome, and press Share tabs there; `browse stop` gives it up",
)
