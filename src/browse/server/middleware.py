"""Checks on every request to the local listener, before its route."""

import logging

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from browse.core.errors import BrowseError, Code
from browse.server import reply
from browse.server.sources import note_source

log = logging.getLogger(__name__)
_ROUTING = {
    404: (Code.NOT_FOUND, "There is no such endpoint."),
    405: (Code.METHOD_NOT_ALLOWED, "The endpoint does not take this method."),
}


class LocalMiddleware:
    """Refuses pages of others and foreign host names (DNS rebinding); answers errors as JSON."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self._app  # makes the router raise instead of answering itself
        try:
            note_source(scope)
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
            log.exception("request %s %s failed", scope.get("method", "socket"), scope["path"])
            defect = BrowseError(
                Code.INTERNAL, "The request failed inside the daemon.", hint="see browse-daemon.log"
            )
            await reply.error(defect)(scope, receive, send)
