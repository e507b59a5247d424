"""POST /mcp: the Model Context Protocol over HTTP, for programs that have a token."""

from functools import cache, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from browse import _exit
from browse.auth.caller import Caller
from browse.core.errors import BrowseError
from browse.dispatch.call import Call
from browse.dispatch.runner import KeptOutput
from browse.egress.pipeline import joined
from browse.mcp import headers, messages
from browse.mcp.messages import Json, RpcError, RpcMessage
from browse.mcp.runs import Run, RunOutcome
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.attend import HEARTBEAT_S, attend
from browse.server.routes.command import notes_on
from browse.server.services import Services
from browse.server.sources import Sources
from browse.server.stream import EVENT_HEADERS

if TYPE_CHECKING:
    from browse.mcp.server import Server

# The owner's hosts share a current tab, apart from those of the owner's shells.
AGENT = "mcp"
EVENTS = "text/event-stream"


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint that speaks MCP."""
    server = cache(partial(_server, services))

    async def mcp(request: Request, caller: Caller) -> reply.Reply | Conversation:
        """Speak MCP: one JSON-RPC message in, one out; see `docs/mcp.md`.

        Revision 2026-07-28, and the older ones that begin with `initialize`. With a progress token
        and `Accept: text/event-stream`, the reply is a stream. To cancel, close the connection.
        """
        raw = await body.read_from(caller, request)
        message: RpcMessage | None = None
        try:
            message = messages.read(raw)
            if message is None:
                return reply.nothing(202)
            headers.check(message, request.headers)
            if message.id is None:
                return reply.nothing(202)
            found = server().answer(message, caller.name)
        except RpcError as exc:
            said = request.headers.get(headers.VERSION, "")
            return reply.rpc(exc.reply(), _status(exc, message, said))
        if not isinstance(found, Run):
            return reply.rpc(found)
        services.running.admit()
        work = Conversation(services, server(), message, found, _call(found, caller, services))
        streams = message.progress_token is not None and EVENTS in request.headers.get("accept", "")
        return work if streams else await work.answer(request)

    return Endpoint("POST", "/mcp", EndpointAccess.BEARER, mcp, Sources.OWN_PAGES)


def _server(services: Services) -> "Server":
    from browse.mcp.server import Server  # with all help pages: most daemons need none

    made = Server()
    services.access.tokens.on_revoked(made.forget)
    return made


def _status(error: RpcError, message: RpcMessage | None, said: str) -> int:
    """Return the HTTP status; to older clients, 404 means something else."""
    is_old = message is not None and not message.is_new and said not in messages.NEW
    refused = error.code in (
        messages.PARSE_ERROR,
        messages.INVALID_REQUEST,
        messages.UNKNOWN_REVISION,
    )
    return 200 if is_old and not refused else messages.STATUS.get(error.code, 200)


def _call(run: Run, caller: Caller, services: Services) -> Call:
    caller = replace(caller, only_reads=run.only_reads)
    if caller.is_owner:
        caller = replace(caller, agent=AGENT)
    stdin = run.stdin.encode("utf-8", "replace")
    return Call(run.words, caller, services.project, run.tab, stdin, run.session)


class Conversation:
    """A request whose command runs: answered in one piece, or as a stream with its progress."""

    def __init__(
        self, services: Services, server: "Server", message: RpcMessage, run: Run, call: Call
    ) -> None:
        self._services = services
        self._server = server
        self._message = message
        self._run = run
        self._call = call
        self._kept = KeptOutput()
        self._seconds = 0.0

    async def answer(self, request: Request) -> reply.Reply:
        """Answer in one piece; the command ends if the caller goes."""
        task = self._services.running.start(self._call, self._kept)
        if not await attend(task, request.receive):
            return reply.nobody()
        return reply.rpc(self._finish(task.result()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._send = send
        await send({"type": "http.response.start", "status": 200, "headers": EVENT_HEADERS})
        task = self._services.running.start(self._call, self._kept)
        if await attend(task, receive, self._beat):
            await self._put(self._finish(task.result()), last=True)

    async def _beat(self) -> None:
        self._seconds += HEARTBEAT_S
        await self._put(self._message.progress(round(self._seconds)))

    async def _put(self, message: Json, *, last: bool = False) -> None:
        data = reply.rpc_event(message)
        await self._send({"type": "http.response.body", "body": data, "more_body": not last})

    def _finish(self, error: BrowseError | None) -> Json:
        said = [*self._kept.errors, *notes_on(self._call, error)]
        outcome = RunOutcome(
            error.exit if error else _exit.OK,
            joined(self._kept.output).text if self._kept.output else "",
            joined(said).text if said else "",
            reads_files=self._call.caller.is_owner,
        )
        return self._server.finish(self._message, self._run, outcome, self._call.caller.name)
