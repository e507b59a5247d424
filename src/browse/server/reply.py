"""The only place that builds HTTP responses, and only from text that passed through egress."""

import math
import mimetypes
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from starlette.background import BackgroundTask
from starlette.responses import Response, StreamingResponse

from browse.core.controls import encode_json
from browse.core.errors import BrowseError
from browse.dispatch.runner import KeptOutput
from browse.egress.pipeline import Outgoing, Wants, joined, render, render_error
from browse.mcp.messages import encode
from browse.registry.results import Text as ResultText

Reply = Response
FRAMES = "application/x-browse-frames"
_PIECE_BYTES = 65_536
_OWN = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_KINDS = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
_QUIET = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def text(output: Sequence[Outgoing]) -> Response:
    """Answer with a command's output."""
    kind = "application/json" if output[-1].is_json else "text/plain; charset=utf-8"
    return Response(joined(output).text.encode(), media_type=kind, headers=_QUIET)


def nothing(status: int) -> Response:
    """Answer with a status and an empty body."""
    return Response(status_code=status)


def nobody() -> Response:
    """Answer a caller that has disconnected; nobody reads it."""
    return Response(status_code=499)


def outcome(problem: BrowseError | None, kept: KeptOutput | None) -> dict[str, Any]:
    """Describe how one command of a batch ended: `status`, and `result` or the error."""
    if problem:
        return {
            "status": problem.status,
            "result": None,
            **render_error(problem, Wants(json=True)).data,
        }
    return {
        "status": 200,
        "result": _result(kept.output) if kept and kept.output else "",
    }


def _result(output: Sequence[Outgoing]) -> Any:
    return output[0].data if output[0].is_json else joined(output).text


def batch(rows: list[dict[str, Any]], seconds: float) -> Response:
    """Answer a batch: a row per command, and how many succeeded."""
    good = sum(row["status"] == 200 for row in rows)
    counts = {
        "total": len(rows),
        "succeeded": good,
        "failed": len(rows) - good,
        "duration": round(seconds * 1000),
    }
    return Response(
        encode_json({"results": rows, **counts}),
        media_type="application/json",
        headers=_QUIET,
    )


def facts(data: Mapping[str, Any], status: int = 200) -> Response:
    """Answer with our own facts (health, counts), never with page words."""
    return Response(encode_json(data), status, media_type="application/json", headers=_QUIET)


def rendered(data: Mapping[str, Any]) -> Response:
    """Answer with facts among which the page's are below `page`; they pass through egress."""
    return text([render(ResultText("", data), Wants(json=True))])


def rpc(message: Mapping[str, Any], status: int = 200) -> Response:
    """Answer with a message of MCP; command output in it has passed through egress."""
    return Response(encode(dict(message)), status, media_type="application/json", headers=_QUIET)


def rpc_event(message: Mapping[str, Any]) -> bytes:
    """Encode a message of MCP as an event of a stream."""
    return b"event: message\ndata: %s\n\n" % encode(dict(message))


def ticket(data: Mapping[str, Any], cookie: str, value: str, life_s: int) -> Response:
    """Answer with facts and a cookie for this daemon only."""
    answer = facts(data)
    answer.set_cookie(cookie, value, max_age=life_s, path="/", httponly=True, samesite="strict")
    return answer


def file(opened: BinaryIO, name: str, size: int) -> Response:
    """Answer with an open file, with headers that keep a browser from running it."""
    headers = {**_QUIET, "Content-Security-Policy": "sandbox; default-src 'none'"}
    headers |= {"Content-Length": str(size), "Content-Disposition": "inline"}
    pieces = iter(lambda: opened.read(_PIECE_BYTES), b"")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    closing = BackgroundTask(opened.close)
    return StreamingResponse(pieces, media_type=kind, headers=headers, background=closing)


def image(data: bytes, kind: str, tag: str) -> Response:
    """Answer with a picture that we took."""
    return Response(data, media_type=kind, headers={**_QUIET, "ETag": f'"{tag}"'})


def page(content: bytes, name: str) -> Response:
    """Answer with a file of our own pages: they run no code but ours, and nobody frames them."""
    headers = {**_QUIET, "Content-Security-Policy": _OWN, "Referrer-Policy": "no-referrer"}
    headers |= {"X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin"}
    headers |= {"Cross-Origin-Resource-Policy": "same-origin"}
    kind = _KINDS[name.rpartition(".")[2]]
    return Response(content, media_type=kind, headers=headers)


def error(problem: BrowseError) -> Response:
    """Answer with an error: `{error, hint, code}` and the status of its code."""
    words = render_error(problem, Wants(json=True))
    headers = dict(_QUIET)
    if problem.retry_s:
        headers["Retry-After"] = str(math.ceil(problem.retry_s))
    return Response(
        words.text.encode(), problem.status, media_type="application/json", headers=headers
    )


def frame(kind: str, words: Outgoing) -> bytes:
    """Encode output for the client: `1` is stdout, `2` is stderr."""
    body = words.text.encode()
    if body and not body.endswith(b"\n"):
        body += b"\n"
    return b"%s %d\n%s" % (kind.encode(), len(body), body)


def last_frame(exit_code: int) -> bytes:
    """Encode the last frame of a reply to the client."""
    return b"x %d\n" % exit_code


def refusal(problem: BrowseError, *, json: bool) -> Response:
    """Answer the client with an error before its command ran, and the exit code."""
    words = render_error(problem, Wants(json=json))
    return Response(frame("2", words) + last_frame(problem.exit), media_type=FRAMES, headers=_QUIET)


HEARTBEAT = b". 0\n"
