"""A browser that is not ours: where it is, what it is, and what does not hold in it."""

from dataclasses import dataclass

from browse.browser.tabs.other_tabs import Outside

# What is kept in our own Chromium by how it is started, and why it is not in another one.
NOT_IN_FORCE = (
    (
        "addresses at the connection",
        "hosts are checked when one of our tabs asks for them; the browser then looks the name up"
        " itself, and WebSockets, WebRTC and service workers are not checked",
    ),
    ("process sandbox", "the browser runs as it was started"),
    ("silent senders", "what a browser sends by itself, such as pages loaded in advance, goes out"),
    ("floods", "a page that logs or fetches without end is not held back"),
    ("downloads", "what a click downloads goes to the browser's own folder; use `browse download`"),
    ("whole-browser changes", "`state load`, clearing cookies and permissions are refused"),
)


@dataclass(frozen=True, slots=True)
class AttachedBrowser:
    """What is known of a browser that we are attached to."""

    endpoint: str  # as it may be shown: host and port
    product: str
    outside: Outside
