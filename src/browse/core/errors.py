"""The one error type, and the catalogue of its codes.

A raise site chooses a code and writes a message and a hint. The HTTP status and the exit code
follow from the code, so they can never disagree between two places.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from browse import _exit


class Code(StrEnum):
    """Stable names of what can go wrong, listed in docs/errors.md."""

    USAGE = "usage"
    UNKNOWN_COMMAND = "unknown-command"
    BAD_REQUEST = "bad-request"
    TOO_LARGE = "too-large"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    UNAUTHENTICATED = "unauthenticated"
    ROOT_REFUSED = "root-refused"
    REVOKED = "revoked"
    RATE_LIMITED = "rate-limited"
    NO_CONSENT = "no-consent"
    CONTENT_BLOCKED = "content-blocked"
    FOREIGN_ORIGIN = "foreign-origin"
    CANARY_LEAKED = "canary-leaked"
    SCOPE = "scope"
    SURFACE = "surface"
    METHOD_REFUSED = "method-refused"
    URL_REFUSED = "url-refused"
    PATH_REFUSED = "path-refused"
    FILE_UNUSABLE = "file-unusable"
    SETTING_INVALID = "setting-invalid"
    STATE_UNUSABLE = "state-unusable"
    PORT_IN_USE = "port-in-use"
    BROWSER_MISSING = "browser-missing"
    BROWSER_START = "browser-start"
    BROWSER_GONE = "browser-gone"
    WINDOW = "window"
    PROFILE = "profile"
    PROXY = "proxy"
    STARTED_OTHERWISE = "started-otherwise"
    NOT_OURS = "not-ours"
    DAEMON_STOPPING = "daemon-stopping"
    TAB_UNKNOWN = "tab-unknown"
    TAB_CLOSED = "tab-closed"
    TAB_CRASHED = "tab-crashed"
    TAB_LIMIT = "tab-limit"
    TAB_BUSY = "tab-busy"
    TAB_NOT_YOURS = "tab-not-yours"
    TAB_HELD = "tab-held"
    HANDED_OVER = "handed-over"
    WATCHING = "watching"
    SESSION_UNKNOWN = "session-unknown"
    SESSION_LIMIT = "session-limit"
    SESSION_EXISTS = "session-exists"
    TERMINAL_GONE = "terminal-gone"
    NAVIGATION_FAILED = "navigation-failed"
    NAVIGATION_TIMEOUT = "navigation-timeout"
    NO_HISTORY = "no-history"
    SELECTOR_INVALID = "selector-invalid"
    NO_MATCH = "no-match"
    SEVERAL_MATCH = "several-match"
    FRAME_GONE = "frame-gone"
    IN_FRAME = "in-frame"
    REF_UNKNOWN = "ref-unknown"
    REF_STALE = "ref-stale"
    REF_CHANGED = "ref-changed"
    NOT_ACTIONABLE = "not-actionable"
    STYLE_INVALID = "style-invalid"
    PAGE_TOO_LARGE = "page-too-large"
    UNMET = "unmet"
    SCRIPT_FAILED = "script-failed"
    SCRIPT_REFUSED = "script-refused"
    COOKIE_REFUSED = "cookie-refused"
    COOKIE_SOURCE = "cookie-source"
    STORAGE = "storage"
    RECORDING = "recording"
    DOWNLOAD_FAILED = "download-failed"
    SAVED_STATE = "saved-state"
    LOGIN = "login"
    LOGIN_REFUSED = "login-refused"
    VAULT = "vault"
    NOTE = "note"
    JOURNAL = "journal"
    REPLAY_DIFFERS = "replay-differs"
    TUNNEL = "tunnel"
    FLEET = "fleet"
    NEEDS_CONFIRMATION = "needs-confirmation"
    NOT_CONFIRMED = "not-confirmed"
    DENIED = "denied"
    STEP_UNKNOWN = "step-unknown"
    STEP_CHANGED = "step-changed"
    SKILL_UNKNOWN = "skill-unknown"
    SKILL_INVALID = "skill-invalid"
    SKILL_EXISTS = "skill-exists"
    SKILL_FAILED = "skill-failed"
    SKILL_DRIFTED = "skill-drifted"
    SKILL_BROKEN = "skill-broken"
    TIMEOUT = "timeout"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """What belongs to a code: HTTP status, exit code, and its line in the documentation."""

    status: int
    exit: int
    meaning: str


CATALOGUE: dict[Code, CodeInfo] = {
    Code.USAGE: CodeInfo(400, _exit.USAGE, "An argument or flag is missing, unknown or malformed."),
    Code.UNKNOWN_COMMAND: CodeInfo(400, _exit.USAGE, "There is no command of that name."),
    Code.BAD_REQUEST: CodeInfo(
        400, _exit.USAGE, "The HTTP request is not what the endpoint takes."
    ),
    Code.TOO_LARGE: CodeInfo(413, _exit.USAGE, "The request is larger than this caller may send."),
    Code.NOT_FOUND: CodeInfo(404, _exit.USAGE, "There is no such endpoint."),
    Code.METHOD_NOT_ALLOWED: CodeInfo(
        405, _exit.USAGE, "The endpoint exists, the method does not."
    ),
    Code.UNAUTHENTICATED: CodeInfo(401, _exit.REFUSED, "No valid bearer token was sent."),
    Code.ROOT_REFUSED: CodeInfo(
        403, _exit.REFUSED, "The owner's token was sent through the tunnel."
    ),
    Code.REVOKED: CodeInfo(
        401, _exit.REFUSED, "The caller's token was revoked while the command ran."
    ),
    Code.RATE_LIMITED: CodeInfo(429, _exit.REFUSED, "The caller asks more often than it may."),
    Code.NO_CONSENT: CodeInfo(403, _exit.REFUSED, "The person has not agreed to remote access."),
    Code.CONTENT_BLOCKED: CodeInfo(
        403, _exit.REFUSED, "The page's words look like an attack and were withheld."
    ),
    Code.FOREIGN_ORIGIN: CodeInfo(
        403, _exit.REFUSED, "The request came from a web page or a foreign host name."
    ),
    Code.CANARY_LEAKED: CodeInfo(
        403, _exit.REFUSED, "The caller was about to give away the reference of its session."
    ),
    Code.SCOPE: CodeInfo(403, _exit.REFUSED, "The caller's token does not cover this invocation."),
    Code.SURFACE: CodeInfo(403, _exit.REFUSED, "The command is not offered on this listener."),
    Code.METHOD_REFUSED: CodeInfo(403, _exit.REFUSED, "The protocol method is not on the list."),
    Code.URL_REFUSED: CodeInfo(403, _exit.REFUSED, "The URL policy forbids this address."),
    Code.PATH_REFUSED: CodeInfo(403, _exit.REFUSED, "The path policy forbids this file."),
    Code.FILE_UNUSABLE: CodeInfo(
        400, _exit.FAILED, "The file is missing, of the wrong kind, or cannot be read or written."
    ),
    Code.SETTING_INVALID: CodeInfo(
        500, _exit.UNREACHABLE, "An environment variable holds a value that cannot be used."
    ),
    Code.STATE_UNUSABLE: CodeInfo(
        500, _exit.UNREACHABLE, "The state folder or file cannot be used."
    ),
    Code.PORT_IN_USE: CodeInfo(500, _exit.UNREACHABLE, "The daemon could not bind its port."),
    Code.BROWSER_MISSING: CodeInfo(
        500, _exit.FAILED, "No usable Chromium was found on this machine."
    ),
    Code.BROWSER_START: CodeInfo(500, _exit.FAILED, "Chromium was found but did not start."),
    Code.BROWSER_GONE: CodeInfo(500, _exit.FAILED, "Chromium ended while the command ran."),
    Code.PROFILE: CodeInfo(
        409, _exit.FAILED, "The Chromium profile cannot be used, or is not the daemon's."
    ),
    Code.WINDOW: CodeInfo(
        409, _exit.FAILED, "There is no window, or none can be opened; the browser is as it was."
    ),
    Code.PROXY: CodeInfo(502, _exit.FAILED, "The proxy that the settings name cannot be used."),
    Code.STARTED_OTHERWISE: CodeInfo(
        409, _exit.REFUSED, "The running daemon was started with other options; nothing was done."
    ),
    Code.NOT_OURS: CodeInfo(
        403, _exit.REFUSED, "It would change all of a browser that browse is only attached to."
    ),
    Code.DAEMON_STOPPING: CodeInfo(503, _exit.UNREACHABLE, "The daemon is shutting down."),
    Code.TAB_UNKNOWN: CodeInfo(404, _exit.TARGET, "There is no tab with that id."),
    Code.TAB_CLOSED: CodeInfo(409, _exit.TARGET, "The tab was closed while the command ran."),
    Code.TAB_CRASHED: CodeInfo(409, _exit.TARGET, "The tab's page has crashed."),
    Code.TAB_LIMIT: CodeInfo(409, _exit.FAILED, "As many tabs are open as the settings allow."),
    Code.TAB_BUSY: CodeInfo(409, _exit.TIMEOUT, "Another command holds the tab for too long."),
    Code.TAB_NOT_YOURS: CodeInfo(403, _exit.REFUSED, "The tab belongs to somebody else."),
    Code.TAB_HELD: CodeInfo(409, _exit.FAILED, "Another of the owner's agents works in the tab."),
    Code.HANDED_OVER: CodeInfo(
        409, _exit.REFUSED, "A person has the tab: only commands that read run in it."
    ),
    Code.WATCHING: CodeInfo(409, _exit.REFUSED, "`watch` is on: only commands that read run."),
    Code.SESSION_UNKNOWN: CodeInfo(404, _exit.TARGET, "There is no session of that name."),
    Code.SESSION_LIMIT: CodeInfo(409, _exit.FAILED, "As many sessions are open as there may be."),
    Code.SESSION_EXISTS: CodeInfo(409, _exit.FAILED, "There is a session of that name already."),
    Code.TERMINAL_GONE: CodeInfo(410, _exit.TARGET, "The terminal has ended, or its lease has."),
    Code.NAVIGATION_FAILED: CodeInfo(502, _exit.FAILED, "The page could not be reached."),
    Code.NAVIGATION_TIMEOUT: CodeInfo(504, _exit.TIMEOUT, "The page did not load in time."),
    Code.NO_HISTORY: CodeInfo(409, _exit.FAILED, "There is no page to go back or forward to."),
    Code.SELECTOR_INVALID: CodeInfo(400, _exit.USAGE, "The selector cannot be parsed."),
    Code.NO_MATCH: CodeInfo(404, _exit.TARGET, "No element matches."),
    Code.SEVERAL_MATCH: CodeInfo(409, _exit.TARGET, "More than one element matches."),
    Code.FRAME_GONE: CodeInfo(409, _exit.TARGET, "The frame that was selected is no longer there."),
    Code.IN_FRAME: CodeInfo(409, _exit.FAILED, "The command cannot run while a frame is selected."),
    Code.REF_UNKNOWN: CodeInfo(404, _exit.TARGET, "No snapshot of this tab has shown that ref."),
    Code.REF_STALE: CodeInfo(
        409, _exit.TARGET, "The element of that ref is no longer on the page."
    ),
    Code.REF_CHANGED: CodeInfo(
        409, _exit.TARGET, "The element of that ref has another role or name now."
    ),
    Code.NOT_ACTIONABLE: CodeInfo(
        409,
        _exit.FAILED,
        "The element is covered, disabled, cannot be seen, or is not one for the command.",
    ),
    Code.STYLE_INVALID: CodeInfo(
        422, _exit.FAILED, "The property does not exist or does not take that value."
    ),
    Code.PAGE_TOO_LARGE: CodeInfo(
        422, _exit.FAILED, "The page is larger than the command can take."
    ),
    Code.UNMET: CodeInfo(
        422, _exit.UNMET, "The action was done; what was expected did not come true."
    ),
    Code.SCRIPT_FAILED: CodeInfo(
        422, _exit.FAILED, "JavaScript in the page threw or cannot be parsed."
    ),
    Code.SCRIPT_REFUSED: CodeInfo(
        403, _exit.REFUSED, "Cookies were imported, and the page is on none of their domains."
    ),
    Code.COOKIE_REFUSED: CodeInfo(
        422, _exit.FAILED, "A cookie is not fit for this page or browser."
    ),
    Code.COOKIE_SOURCE: CodeInfo(
        422,
        _exit.FAILED,
        "The cookies of another browser are not there or cannot be read; none was imported.",
    ),
    Code.STORAGE: CodeInfo(
        409, _exit.FAILED, "The page has no storage, no such key in it, or no room left."
    ),
    Code.RECORDING: CodeInfo(
        409, _exit.FAILED, "A recording is under way already, or there is none, or it is empty."
    ),
    Code.DOWNLOAD_FAILED: CodeInfo(
        502, _exit.FAILED, "The file could not be fetched, or not whole; nothing was written."
    ),
    Code.SAVED_STATE: CodeInfo(
        422, _exit.FAILED, "The saved state is missing, damaged or not fit; nothing was changed."
    ),
    Code.LOGIN: CodeInfo(422, _exit.FAILED, "A login is missing, damaged or cannot be decrypted."),
    Code.LOGIN_REFUSED: CodeInfo(
        403, _exit.REFUSED, "A login does not belong to this page or field; nothing was typed."
    ),
    Code.VAULT: CodeInfo(
        422, _exit.FAILED, "The program that has a login did not give it; nothing was typed."
    ),
    Code.NOTE: CodeInfo(
        422, _exit.FAILED, "A note on a site is missing, unusable or not fit; nothing was changed."
    ),
    Code.JOURNAL: CodeInfo(
        409, _exit.FAILED, "The journal is off, has no such steps, or does not know a value."
    ),
    Code.REPLAY_DIFFERS: CodeInfo(
        409, _exit.TARGET, "A step of a replay did not find what it had acted on or read."
    ),
    Code.TUNNEL: CodeInfo(502, _exit.FAILED, "The tunnel for paired agents could not be opened."),
    Code.FLEET: CodeInfo(
        503, _exit.UNREACHABLE, "The fleet, its head or a worker is missing or cannot be used."
    ),
    Code.NEEDS_CONFIRMATION: CodeInfo(
        409, _exit.REFUSED, "Automation is on, and the step waits for a person; it has not run."
    ),
    Code.NOT_CONFIRMED: CodeInfo(
        403, _exit.REFUSED, "No person confirmed the step at a terminal, or with the right word."
    ),
    Code.DENIED: CodeInfo(403, _exit.REFUSED, "A person has denied the step."),
    Code.STEP_UNKNOWN: CodeInfo(404, _exit.TARGET, "No step of that name waits for a person."),
    Code.STEP_CHANGED: CodeInfo(
        409, _exit.TARGET, "The page is another than when the step was asked for; nothing was done."
    ),
    Code.SKILL_UNKNOWN: CodeInfo(404, _exit.FAILED, "There is no browser-skill of that name."),
    Code.SKILL_INVALID: CodeInfo(422, _exit.FAILED, "The browser-skill cannot be used as it is."),
    Code.SKILL_EXISTS: CodeInfo(
        409, _exit.FAILED, "A browser-skill of that name is there already."
    ),
    Code.SKILL_FAILED: CodeInfo(
        422, _exit.FAILED, "The browser-skill's script failed; its own exit code is passed on."
    ),
    Code.SKILL_DRIFTED: CodeInfo(
        409,
        _exit.FAILED,
        "The browser-skill's page is built differently than when it was recorded.",
    ),
    Code.SKILL_BROKEN: CodeInfo(
        409, _exit.TARGET, "An element that the browser-skill needs is no longer on its page."
    ),
    Code.TIMEOUT: CodeInfo(504, _exit.TIMEOUT, "The command took longer than it may."),
    Code.INTERNAL: CodeInfo(
        500, _exit.FAILED, "A defect of browse itself; the daemon log has the details."
    ),
}


class BrowseError(Exception):
    """Something the caller can act on: a code, what happened, and what to type next.

    `message` and `hint` are our words. What the page or a server wrote (an exception's text, a
    title) goes into `page`, which egress wraps like all page words. `retry_s` tells a
    caller that came too soon when to try again. `exit` replaces the exit code of the code
    with that of a program that was run. `facts` are further fields for `--json`.
    """

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        hint: str,
        page: str = "",
        retry_s: float = 0.0,
        exit: int | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.page = page
        self.retry_s = retry_s
        self.facts = facts or {}
        self.exit = CATALOGUE[code].exit if exit is None else exit

    @property
    def status(self) -> int:
        return CATALOGUE[self.code].status


class Usage(BrowseError):
    """The words of the command are wrong; the binder and the client's help catch it."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(Code.USAGE, message, hint=hint)
