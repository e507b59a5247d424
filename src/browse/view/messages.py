"""What a viewer of the live view may send, each checked before anything is done with it.

Places are fractions of the picture, from 0 to 1: the page may have another size by then.
"""

from typing import Annotated, Literal

import msgspec

Fraction = Annotated[float, msgspec.Meta(ge=0, le=1)]
Modifiers = Annotated[int, msgspec.Meta(ge=0, le=15)]
Word = Annotated[str, msgspec.Meta(max_length=32)]
Button = Literal["none", "left", "middle", "right", "back", "forward"]
MAX_PASTED_CHARS = 100_000
MAX_URL_CHARS = 8_000
MAX_TOUCHES = 10
MAX_PART_BYTES = 256 * 1024


class ViewMessage(msgspec.Struct, tag_field="type", forbid_unknown_fields=True):
    """One message of a viewer."""


class Drawn(ViewMessage, tag="drawn"):
    """The viewer has drawn a frame, and can take another."""

    frame: int


class Show(ViewMessage, tag="show"):
    """Show this tab."""

    tab: int


class Hide(ViewMessage, tag="hide"):
    """Whether the viewer's window is hidden: then it needs no frames."""

    hidden: bool


class Alive(ViewMessage, tag="alive"):
    """The viewer is still there."""


class Take(ViewMessage, tag="take"):
    """Take control of the tab that is shown."""


class Give(ViewMessage, tag="give"):
    """Give the tab back to the agents, with a message for them."""

    message: Annotated[str, msgspec.Meta(max_length=4_000)] = ""


class Go(ViewMessage, tag="go"):
    """Go to an address."""

    url: Annotated[str, msgspec.Meta(max_length=MAX_URL_CHARS)]


class Travel(ViewMessage, tag="travel"):
    """Go back or forward, or load again."""

    to: Literal["back", "forward", "reload"]


class DialogAnswer(ViewMessage, tag="answer"):
    """The person's answer to a dialog of the page."""

    dialog: int
    accept: bool
    text: Annotated[str, msgspec.Meta(max_length=10_000)] = ""


class MouseEvent(ViewMessage, tag="mouse"):
    """The mouse has moved, or a button was pressed or released."""

    event: Literal["move", "down", "up"]
    x: Fraction
    y: Fraction
    button: Button = "none"
    clicks: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    modifiers: Modifiers = 0


class WheelEvent(ViewMessage, tag="wheel"):
    """The wheel was turned, by so many pixels."""

    x: Fraction
    y: Fraction
    dx: Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]
    dy: Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]
    modifiers: Modifiers = 0


class KeyEvent(ViewMessage, tag="key"):
    """A key was pressed or released."""

    event: Literal["down", "up"]
    key: Word
    code: Word
    number: Annotated[int, msgspec.Meta(ge=0, le=255)] = 0  # the `keyCode` of the event
    text: Annotated[str, msgspec.Meta(max_length=4)] = ""
    repeat: bool = False
    location: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    modifiers: Modifiers = 0


class Pasted(ViewMessage, tag="text"):
    """Text that was pasted, or that an input method made."""

    text: Annotated[str, msgspec.Meta(max_length=MAX_PASTED_CHARS)]


class Finger(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One touching finger."""

    x: Fraction
    y: Fraction
    id: Annotated[int, msgspec.Meta(ge=0, le=1_000)]


class TouchEvent(ViewMessage, tag="touch"):
    """Fingers that touch: all of them, after the event."""

    event: Literal["start", "move", "end", "cancel"]
    points: Annotated[list[Finger], msgspec.Meta(max_length=MAX_TOUCHES)]
    modifiers: Modifiers = 0


class FilePart(ViewMessage, tag="file"):
    """A part of a file that the page asked for; it is base64 in JSON."""

    ask: int
    file: Annotated[int, msgspec.Meta(ge=0)]
    name: Annotated[str, msgspec.Meta(max_length=1_000)]
    data: Annotated[bytes, msgspec.Meta(max_length=MAX_PART_BYTES)]


class FilesChosen(ViewMessage, tag="files"):
    """All files were sent, or the person chose none."""

    ask: int
    cancelled: bool = False


class NoteWritten(ViewMessage, tag="note"):
    """A note for the agent, on the page or on what is at a place in it."""

    message: Annotated[str, msgspec.Meta(max_length=10_000)]
    x: Fraction | None = None
    y: Fraction | None = None
    width: Fraction | None = None
    height: Fraction | None = None


Input = MouseEvent | WheelEvent | KeyEvent | Pasted | TouchEvent
Sent = (
    Drawn
    | Show
    | Hide
    | Alive
    | Take
    | Give
    | Go
    | Travel
    | DialogAnswer
    | NoteWritten
    | FilePart
    | FilesChosen
    | MouseEvent
    | WheelEvent
    | KeyEvent
    | Pasted
    | TouchEvent
)
_DECODER: msgspec.json.Decoder[Sent] = msgspec.json.Decoder(Sent)


def decode(raw: str) -> Sent | None:
    """Return a message; None if it is not one."""
    try:
        return _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
