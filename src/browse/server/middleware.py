"""Checks on every request to the local listener, before its route."""

import logging

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from browse.core.errors import BrowseError, Code
from browse.server import reply

log = logging.getLogger(__name__)
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_ROUTING = {
    404: (Code.NOT_FOUND, "There is no such endpoint."),
    405: (Code.METHOD_NOT_ALLOWED, "The endpoint does not take this method."),
}


class LocalMiddleware:
    """Refuses web pages and foreign host names (DNS rebinding); answers every error as JSON."""

    def __init__(self, app: ASGIApp, *, port: int) -> None:
        self._app = app
        self._port = str(port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self._app  # makes the router raise instead of answering itself
        try:
            self._check(Headers(scope=scope))
            await self._app(scope, receive, send)
        except BrowseError as problem:
            await reply.error(problem)(scope, receive, send)
        except HTTPException as exc:
            code, message = _ROUTING.get(
                exc.status_code, (Code.BAD_REQUEST, "The request cannot be read.")
            )
            await reply.error(BrowseError(code, message, hint="docs/http.md lists the endpoints"))(
                scope, receive, send
            )
        except Exception:  # a defect in a route: answer without a traceback
            log.exception("request %s %s failed", scope["method"], scope["path"])
            defect = BrowseError(
                Code.INTERNAL, "The request failed inside the daemon.", hint="see browse-daemon.log"
            )
            await reply.error(defect)(scope, receive, send)

    def _check(self, headers: Headers) -> None:
        name, _, port = headers.get("host", "").rpartition(":")
        if name.lower() not in LOOPBACK_NAMES or port != self._port:
            raise _foreign("the Host header is not this daemon's loopback address")
        if "origin" in headers or headers.get("sec-fetch-site", "none") != "none":
            raise _foreign("it was sent by a web page")


def _foreign(reason: str) -> BrowseError:
    return BrowseError(
        Code.FOREIGN_ORIGIN,
        f"Refused: {reason}.",
        hint="use the `browse` command, or call http://127.0.0.1:<port>",
    )
