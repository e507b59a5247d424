"""The headers of MCP over HTTP: they repeat what the message says, and must not contradict it."""

import base64
import binascii
from collections.abc import Mapping

from browse.mcp.messages import (
    CAPABILITIES,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    NEW,
    OLD,
    REVISION,
    UNKNOWN_REVISION,
    RpcError,
    RpcMessage,
)

VERSION, _METHOD, _NAME = "mcp-protocol-version", "mcp-method", "mcp-name"
# What `Mcp-Name` repeats.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_BEGIN, _END = "=?base64?", "?="


def check(message: RpcMessage, headers: Mapping[str, str]) -> None:
    """Raise if headers and message disagree, or if a header names an unknown revision."""
    said = headers.get(VERSION)
    if not message.is_new:
        _check_old(message, said)
        return
    key = _NAMED.get(message.method, "")
    pairs = [
        (VERSION, said, message.meta[REVISION]),
        (_METHOD, headers.get(_METHOD), message.method),
    ]
    if key and message.params.get(key) is not None:
        pairs.append((_NAME, _decoded(headers.get(_NAME)), message.params[key]))
    for header, one, other in pairs:
        if message.id is not None and one != other:
            text = f"The header {header} does not say what the message says."
            raise RpcError(HEADER_MISMATCH, text, id=message.id)


def _check_old(message: RpcMessage, said: str | None) -> None:
    if said in NEW and message.id is not None:
        text = f"params._meta needs {REVISION!r} and {CAPABILITIES!r}."
        raise RpcError(INVALID_PARAMS, text, id=message.id)
    if said is not None and said not in (*OLD, *NEW):
        data = {"supported": [*NEW, *OLD], "requested": said[:40]}
        raise RpcError(UNKNOWN_REVISION, "Unsupported protocol version", data, message.id)


def _decoded(value: str | None) -> str | None:
    """Return the value of a header; one that is no plain ASCII comes as base64."""
    if value is None or not (value.startswith(_BEGIN) and value.endswith(_END)):
        return value
    try:
        return base64.b64decode(value[len(_BEGIN) : -len(_END)], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
