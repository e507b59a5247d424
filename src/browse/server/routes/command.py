"""POST /command: one command, as argv from the client or as JSON from a program."""

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from browse import _exit
from browse.core.errors import BrowseError
from browse.dispatch.call import Call
from browse.dispatch.runner import Kept
from browse.dispatch.running import Running
from browse.egress.pipeline import Outgoing
from browse.server import body, reply
from browse.server.attend import attend
from browse.server.identify import Identify

ARGV = "application/x-browse-argv"


def command_route(identify: Identify, running: Running, *, project: str) -> Route:
    """Make the route that runs one command."""

    async def command(request: Request) -> reply.Reply | Frames:
        """Run one command: `{command, args?, tabId?}`, or the client's argv form.

        Answers the command's text (JSON with `--json`), or `{error, hint, code}` with the status
        of the code.
        """
        caller = identify.caller(request.headers)
        raw = await body.read(request)
        running.admit()
        if request.headers.get("content-type", "").startswith(ARGV):
            form = body.decode_argv(raw, request.headers.get("x-browse-argv", ""))
            try:
                tab = body.tab_number(form.tab)
            except BrowseError as exc:
                return reply.refusal(exc, json="--json" in form.words)
            return Frames(Call(form.words, caller, form.cwd, tab, form.stdin), running)
        wanted = body.decode(raw, body.CommandBody)
        call = Call((wanted.command, *wanted.args), caller, project, wanted.tab_id)
        return await answer(call, running, request.receive)

    return Route("/command", command, methods=["POST"])


async def answer(call: Call, running: Running, receive: Receive) -> reply.Reply:
    """Run a call and answer in one piece."""
    kept = Kept()
    task = running.start(call, kept)
    if not await attend(task, receive):
        return reply.nobody()
    if error := task.result():
        return reply.error(error)
    return reply.text(kept.output)


class Frames:
    """A reply to the client: output as it comes, a heartbeat meanwhile, the exit code last."""

    def __init__(self, call: Call, running: Running) -> None:
        self._call = call
        self._running = running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._send = send
        headers = [(b"content-type", reply.FRAMES.encode()), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        task = self._running.start(self._call, self)
        if await attend(task, receive, self._beat):
            error = task.result()
            await self._put(reply.last_frame(error.exit if error else _exit.OK), last=True)

    async def out(self, words: Outgoing) -> None:
        await self._put(reply.frame("1", words))

    async def err(self, words: Outgoing) -> None:
        await self._put(reply.frame("2", words))

    async def _beat(self) -> None:
        await self._put(reply.HEARTBEAT)

    async def _put(self, data: bytes, *, last: bool = False) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": not last})
