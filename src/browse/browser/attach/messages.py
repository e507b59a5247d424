"""Messages of the DevTools protocol; what is in them is read only where it matters."""

from typing import Any

import msgspec

NOTHING = msgspec.Raw()
Params = dict[str, Any]


class CdpMessage(msgspec.Struct, omit_defaults=True):
    """A command, its answer, or an event; of the browser itself if `session` is empty."""

    id: int | None = None
    method: str = ""
    params: msgspec.Raw = NOTHING
    session: str = msgspec.field(default="", name="sessionId")
    result: msgspec.Raw = NOTHING
    error: msgspec.Raw = NOTHING

    def read_params(self) -> Params:
        """Read what a command or an event says."""
        return _object(self.params)

    def read_result(self) -> Params:
        """Read what an answer says; nothing if it is an error."""
        return _object(self.result)


_DECODER = msgspec.json.Decoder(CdpMessage)


def read(data: bytes | str) -> CdpMessage:
    """Read a message; raise ValueError if it is none."""
    try:
        return _DECODER.decode(data)
    except msgspec.MsgspecError as exc:
        raise ValueError("no message of the DevTools protocol") from exc


def command(id: int, method: str, params: Params, session: str = "") -> bytes:
    """Write a command."""
    return _written({"id": id, "method": method, "params": params}, session)


def event(method: str, params: Params, session: str = "") -> bytes:
    """Write an event."""
    return _written({"method": method, "params": params}, session)


def answer(to: CdpMessage, result: Params) -> bytes:
    """Write the answer to a command."""
    return _written({"id": to.id, "result": result}, to.session)


def refusal(to: CdpMessage, why: str) -> bytes:
    """Write that a command is refused."""
    return _written({"id": to.id, "error": {"code": -32000, "message": why}}, to.session)


def _written(fields: Params, session: str) -> bytes:
    return msgspec.json.encode({**fields, "sessionId": session} if session else fields)


def _object(raw: msgspec.Raw) -> Params:
    read = msgspec.json.decode(raw) if bytes(raw) else {}
    return read if isinstance(read, dict) else {}


def written(message: CdpMessage) -> bytes:
    """Write a message that was changed."""
    return msgspec.json.encode(message)
