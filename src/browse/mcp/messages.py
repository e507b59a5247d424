"""JSON-RPC messages of MCP: read one, tell its revision, build what is sent back.

Two kinds of clients are served. Those of 2026-07-28 and later say in each request which revision
they speak; older ones say it once, in `initialize`, and nothing is remembered of it.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from browse import __version__

Json = dict[str, Any]
NEW = ("2026-07-28",)
# By handshake, the newest first: what is offered to a client that asks for an unknown one.
OLD = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
SERVER = {"name": "browse", "version": __version__}
_PREFIX = "io.modelcontextprotocol/"
REVISION, CAPABILITIES = _PREFIX + "protocolVersion", _PREFIX + "clientCapabilities"
_SERVER_INFO = _PREFIX + "serverInfo"

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603
HEADER_MISMATCH, UNKNOWN_REVISION = -32020, -32022
OLD_NOT_FOUND = -32002  # of a resource, for clients of the old kind
# Of answers by HTTP; others are 200.
STATUS = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    UNKNOWN_REVISION: 400,
    METHOD_NOT_FOUND: 404,
}


class RpcError(Exception):
    """A request that gets no result; `id` is None where it could not be read."""

    def __init__(self, code: int, message: str, data: Json | None = None, id: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.id = id

    def reply(self) -> Json:
        error: Json = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return {"jsonrpc": "2.0", "id": self.id, "error": error}


@dataclass(frozen=True, slots=True)
class RpcMessage:
    """A request, or a notification if it has no id."""

    method: str
    params: Json
    id: int | str | None = None
    meta: Json = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        """Whether its client says in each request which revision it speaks."""
        return REVISION in self.meta

    @property
    def progress_token(self) -> int | str | None:
        token = self.meta.get("progressToken")
        return token if isinstance(token, int | str) else None

    def reply(self, result: Json, *, cache: bool = False) -> Json:
        """Build the answer; `cache`: it is of a kind that clients may keep, if we let them."""
        if self.is_new:
            meta = {**result.get("_meta", {}), _SERVER_INFO: SERVER}
            result = {**result, "resultType": "complete", "_meta": meta}
            if cache:
                result |= {"ttlMs": 0, "cacheScope": "private"}
        return {"jsonrpc": "2.0", "id": self.id, "result": result}

    def progress(self, seconds: int) -> Json:
        """Build the notice that the work for this request goes on."""
        params = {
            "progressToken": self.progress_token,
            "progress": seconds,
            "message": f"running for {seconds} s",
        }
        return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def read(raw: bytes) -> RpcMessage | None:
    """Decode a message, or raise; None for what gets no answer in any case."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as exc:
        raise RpcError(PARSE_ERROR, f"This is not JSON: {str(exc)[:200]}") from None
    if not isinstance(found, dict):
        raise RpcError(INVALID_REQUEST, "Send one JSON-RPC message at a time, as an object.")
    given = found.get("id")
    id = given if isinstance(given, int | str) and not isinstance(given, bool) else None
    if "method" not in found and ("result" in found or "error" in found):
        return None
    if found.get("jsonrpc") != "2.0" or not isinstance(found.get("method"), str):
        raise RpcError(INVALID_REQUEST, 'A message has "jsonrpc": "2.0" and a method.', id=id)
    if "id" in found and id is None:
        raise RpcError(INVALID_REQUEST, "The id of a request is a string or a whole number.")
    params = found.get("params", {})
    meta = params.get("_meta", {}) if isinstance(params, dict) else None
    if not isinstance(meta, dict):
        if "id" not in found:
            return None  # nothing is said to a notification
        raise RpcError(INVALID_PARAMS, "params and params._meta are objects.", id=id)
    return RpcMessage(found["method"], params, id, meta)


def check_revision(message: RpcMessage) -> None:
    """Raise if a client of the new kind speaks a revision that we do not."""
    if not message.is_new:
        if message.method == "server/discover":
            raise RpcError(INVALID_PARAMS, f"params._meta needs {REVISION!r}.", id=message.id)
        return
    asked = message.meta[REVISION]
    if not isinstance(asked, str):
        raise RpcError(INVALID_PARAMS, f"{REVISION!r} is a string.", id=message.id)
    if asked not in NEW:
        data = {"supported": list(NEW), "requested": asked[:40]}
        raise RpcError(UNKNOWN_REVISION, "Unsupported protocol version", data, message.id)
    if CAPABILITIES not in message.meta:
        raise RpcError(INVALID_PARAMS, f"params._meta needs {CAPABILITIES!r}.", id=message.id)


def encode(message: Json) -> bytes:
    """Encode a message on one line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "backslashreplace"
    )
