"""What the table of the guard's rules is made of: channels, cells, rules."""

from dataclasses import dataclass
from enum import StrEnum


class Channel(StrEnum):
    """A way by which a page, a caller or a program can make browse do something."""

    ARGUMENT = "argument"
    REDIRECT = "redirect"
    FRAME = "frame"
    RELOAD = "reload"
    WORKER = "worker"
    CALL = "call"
    PREFETCH = "prefetch"
    FILE = "file"
    UPLOAD = "upload"
    DOWNLOAD = "download"
    SKILL = "skill"
    TUNNEL = "tunnel"
    ATTACHED = "attached"
    PROXY = "proxy"


MEANING = {
    Channel.ARGUMENT: "a word of a command, typed or sent over HTTP",
    Channel.REDIRECT: "a redirect by a server",
    Channel.FRAME: "a frame, an image, a script or another part of a page",
    Channel.RELOAD: "a page that is loaded again after the world changed",
    Channel.WORKER: "a dedicated, shared or service worker, a WebSocket",
    Channel.CALL: "a call between browsers (WebRTC), which is no request",
    Channel.PREFETCH: "what Chromium loads in advance or sends by itself",
    Channel.FILE: "a page opened from a `file:` address",
    Channel.UPLOAD: "a file given to a page",
    Channel.DOWNLOAD: "`download`, `scrape`, and downloads that a page starts",
    Channel.SKILL: "a browser-skill: its process, and the commands that it sends",
    Channel.TUNNEL: "a paired agent at the tunnel",
    Channel.ATTACHED: "a request of our tabs in a browser that is not ours (`--cdp`)",
    Channel.PROXY: "a connection through a proxy of the owner's (`--proxy`)",
}


@dataclass(frozen=True, slots=True)
class Enforced:
    """The rule is enforced by a module of `src/browse`; the test fails if it is not."""

    by: str
    test: str


@dataclass(frozen=True, slots=True)
class Inapplicable:
    """The rule has nothing to decide there."""

    why: str


@dataclass(frozen=True, slots=True)
class Gap:
    """The rule should hold there and does not, or no test shows it."""

    what: str


Cell = Enforced | Inapplicable | Gap


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, the modules of `guard` that hold it, and a cell for every channel."""

    name: str
    meaning: str
    modules: tuple[str, ...]
    cells: dict[Channel, Cell]
