"""The shape of what page scripts answer about the fields of a login."""

from typing import Literal

import msgspec

Part = Literal["user", "password", "code"]
State = Literal[
    "ready", "origin", "written", "framed", "elsewhere", "several", "new", "unseen", "none"
]


class LoginFields(msgspec.Struct):
    """The fields of a login in a document, and whether it may go there.

    `parts` are those that a person can see: "user", "password", "code"; after filling, those that
    were filled. `to` is the origin that a form of theirs is sent to, if that is another one.
    """

    state: State
    origin: str
    parts: list[Part]
    to: str = ""
