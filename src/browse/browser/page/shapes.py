"""The shapes of what page scripts answer."""

from typing import Literal

import msgspec

from browse.security.blocks import Place


class Facts(msgspec.Struct):
    """What an element is and how it stands, as far as acting on it depends on that."""

    tag: str
    type: str
    role: str
    checked: bool | Literal["mixed"] | None
    active: bool
    disabled: bool
    connected: bool
    labelled: bool
    multiple: bool
    folder: bool
    accept: str
    secret: bool


class Identity(msgspec.Struct, frozen=True):
    """Which element of which document, and what it is called; `number` 0 is none."""

    document: str
    host: str = ""
    number: int = 0
    role: str = ""
    name: str = ""
    words: str = ""
    secret: bool = False
    frame: bool = False


class FocusedSecrets(msgspec.Struct, rename="camel"):
    """The fields for secrets that have the focus, and whether a frame has it instead.

    `lost`: what was typed into is gone, and nothing else has the focus.
    """

    in_frame: bool
    secret: bool
    values: list[str]
    lost: bool = False


class Watched(msgspec.Struct):
    """What happened in a document while it was watched (lib/elements/action_watch.js).

    `ticks` are changes where the document changes by itself; `signs` is when signs of a reaction
    were seen, in milliseconds; `acted` is the kind of event that the action was here, if any, and
    `path` the version of its path; `runs`: whether code may run that is no listener on its way;
    `loading`: whether a link was followed or a form sent; `sends`: whether a form may be sent now;
    `alerts` is what live regions and invalid fields say.
    """

    changes: int = 0
    ticks: int = 0
    signs: list[float] = []
    acted: Literal["", "press", "key", "move", "value"] = ""
    path: int = 0
    runs: bool = False
    loading: bool = False
    sends: bool = False
    quiet: bool = True
    alerts: list[str] = []


class Point(msgspec.Struct):
    """A point in the window."""

    x: float
    y: float


class Aim(msgspec.Struct):
    """Where to press an element, where nothing is in doubt."""

    point: Point | None
    disabled: bool


class PreparedField(msgspec.Struct):
    """Whether a field is ready for text; in doubt, the driver fills it."""

    state: Literal["ready", "disabled", "readonly", "doubt"]
    secret: bool


class FilledField(msgspec.Struct):
    """What a field holds after it was filled; `gone`: the page has taken it away since."""

    value: str | None
    disabled: bool
    secret: bool
    gone: bool = False


class Expected(msgspec.Struct):
    """How many elements fit an expectation, and how many of them did not before the action."""

    fresh: int
    all: int


class Next(msgspec.Struct):
    """The numbers that the next new elements will get, by kind of ref, and of which document."""

    doc: int
    e: int
    c: int


class Cover(msgspec.Struct):
    """What lies over an element."""

    number: int
    role: str
    name: str


class Covering(msgspec.Struct):
    """What was found at the point where an element would be pressed."""

    point: tuple[float, float]
    cover: Cover | None
    next: Next


class Scrolled(msgspec.Struct):
    """Where scrolling led: how far from the beginning, and how large what scrolls is."""

    scrolls: bool
    moved: bool
    x: int
    y: int
    size: int


class TreeRow(msgspec.Struct, array_like=True, gc=False):
    """One line of an accessibility tree. A page has thousands, too many to search for cycles."""

    number: int
    depth: int
    role: str
    name: str
    marks: str
    text: str
    flags: int
    context: str = ""  # tells it apart from others of the same name, and is no part of the name


class HiddenLine(msgspec.Struct):
    """Words that a person cannot see, and why."""

    where: str
    reason: str
    text: str


class HiddenWords(msgspec.Struct):
    """Words on a page that a person cannot see: where they stand, why, and whether that alarms."""

    text: str
    place: Place
    why: str
    users: bool
    alarm: bool


class TreePart(msgspec.Struct):
    """The accessibility tree of one document."""

    rows: list[TreeRow]
    next: Next
    hidden: list[HiddenLine]
    misleading: list[HiddenWords] = []  # names that speak to programs and are not what is seen
    waiting: int = 0  # custom elements that must be asked about first; then this is all
    more: int = 0  # rows that do not fit into the reply, and are not built
    whole: int = 0  # the number under which the document keeps all rows, if there are more
    tools: int = 0  # that the document offers to agents; -1 if that is not known yet


class RoleAndName(msgspec.Struct):
    """What an element is called."""

    role: str
    name: str


class Candidate(msgspec.Struct):
    """An element that a caller may have meant, with the number of its ref."""

    number: int
    role: str
    name: str
    hint: str = ""  # if it has no name


class Nearest(msgspec.Struct):
    """The elements that come closest to what a caller looked for."""

    elements: list[Candidate]
    next: Next


class Address(msgspec.Struct):
    """How to find an element again, and whether what is typed into it is a secret."""

    css: str
    secret: bool


class RefStatus(msgspec.Struct):
    """How things stand with a ref."""

    status: Literal["ok", "changed", "stale", "unknown"]
    tag: str = ""
    was: RoleAndName | None = None
    now: RoleAndName | None = None
    address: Address | None = None
    aim: Aim | None = None
    field: PreparedField | None = None


class FoundAgain(msgspec.Struct):
    """What is left of an element of another visit: it, how many are like it, or what is near it."""

    count: int
    found: Candidate | None
    near: Candidate | None
    next: Next


class Sketch(msgspec.Struct):
    """How a document is built, and its markup if it was asked for and is not too long."""

    title: str
    sketch: str
    html: str


class Viewport(msgspec.Struct):
    """The window: its size in CSS pixels, and the pixels of a picture that each of them takes."""

    width: float
    height: float
    scale: float


class Box(msgspec.Struct):
    """Where the element of a ref is, in its document's window."""

    ref: str
    x: float
    y: float
    width: float
    height: float


class FrameBox(msgspec.Struct):
    """Where the document in a frame's host begins, its size, and how large its pixels are drawn."""

    x: float
    y: float
    width: float
    height: float
    scale: float


class ComputedChange(msgspec.Struct):
    """A changed style: its computed values, and whether the property takes such a value at all."""

    before: str
    after: str
    taken: bool


class Link(msgspec.Struct):
    """A link as a person sees it, and where it leads."""

    text: str
    href: str


class VisibleHtml(msgspec.Struct):
    """What a person sees as HTML, and whether that is all of it."""

    html: str
    whole: bool


class Metadata(msgspec.Struct, rename="camel"):
    """What a document says about itself."""

    json_ld: list[str]
    open_graph: list[tuple[str, str]]
    twitter_cards: list[tuple[str, str]]
    meta: dict[str, str]


class FieldValue(msgspec.Struct, rename="camel"):
    """What a field holds; of a secret only its length, of an editor only what it shows."""

    values: list[str]
    labels: list[str]
    checked: bool | Literal["mixed"] | None
    secret: bool
    secret_chars: int
    part: Literal["all", "some", "nothing"]


class Attributes(msgspec.Struct):
    """The attributes of an element, and whether what it holds must not be read."""

    attributes: list[tuple[str, str]]
    secret: bool


class ComputedStyle(msgspec.Struct):
    """A computed value, or the properties that there are."""

    known: bool
    value: str
    others: list[str]


class MediaAddress(msgspec.Struct):
    """A picture, film or sound on a page: which of them, and where its file is."""

    kind: Literal["image", "video", "audio"]
    src: str
    type: str


class SessionStorage(msgspec.Struct):
    """What a document keeps for this tab: whose it is, and whether it was written by hand."""

    origin: str
    items: dict[str, str]
    written: bool
