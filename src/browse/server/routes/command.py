"""POST /command: one command, as argv from the client or as JSON from a program."""

from msgspec.structs import replace
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from browse import _exit
from browse.auth.caller import Caller
from browse.auth.origins import origin_of
from browse.core.errors import BrowseError, Code
from browse.core.launching import start_options
from browse.core.scopes import Surface
from browse.dispatch.call import Call
from browse.dispatch.runner import KeptOutput
from browse.dispatch.running import Running
from browse.egress.pipeline import Outgoing, Wants, render
from browse.registry.results import Text
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.attend import attend
from browse.server.notices import Notices
from browse.server.services import Services
from browse.server.sources import Sources

ARGV = "application/x-browse-argv"


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint that runs one command."""
    running = services.running

    async def command(request: Request, caller: Caller) -> reply.Reply | FramedReply:
        """Run one command: `{command, args?, tabId?, session?, stdin?}`, or the client's argv form.

        Returns the command's text (JSON with `--json`), or `{error, hint, code}` with the status
        of the code.
        """
        raw = await body.read_from(caller, request)
        running.admit()
        if request.headers.get("content-type", "").startswith(ARGV):
            form = body.decode_argv(raw, request.headers.get("x-browse-argv", ""))
            try:
                tab = body.tab_number(form.tab)
                if caller.is_owner:  # nobody else learns how the daemon was started
                    start_options.check(form.start_options, running.runner.parts.settings)
            except BrowseError as exc:
                return reply.refusal(exc, json="--json" in form.words)
            if caller.is_owner:
                name = body.agent_name(form, services.project)
                caller = replace(caller, agent=name, origin=origin_of(form.origin))
            caller = replace(caller, only_reads=form.only_reads)
            call = Call(form.words, caller, form.cwd, tab, form.stdin, form.session)
            call = replace(call, at_terminal=form.at_terminal, looks=form.snapshot)
            return FramedReply(call, running, services.notices)
        wanted = body.decode(raw, body.CommandBody)
        call = body.as_call(wanted, caller, services.project)
        return await answer(call, services, request)

    return Endpoint("POST", "/command", EndpointAccess.BEARER, command, Sources.EXTENSION)


async def answer(call: Call, services: Services, request: Request) -> reply.Reply:
    """Run a call and answer in one piece."""
    kept = KeptOutput()
    task = services.running.start(call, kept)
    if not await attend(task, request.receive):
        return reply.nobody()
    if error := task.result():
        note_refusal(call, error, services, request)
        return reply.error(error)
    return reply.text(kept.output)


def note_refusal(call: Call, error: BrowseError, services: Services, request: Request) -> None:
    """Log that a remote caller tried a command that is not offered to it."""
    if error.code is Code.SURFACE and call.caller.surface is Surface.TUNNEL:
        services.denied(request, f"disallowed_command:{call.words[0]}")


def notes_on(call: Call, error: BrowseError | None) -> list[Outgoing]:
    """Say what others did in the caller's tab; in JSON an error is all that is said."""
    if error and "--json" in call.words:
        return []
    return [render(Text(f"[note] {line}"), Wants()) for line in dict.fromkeys(call.notes)]


class FramedReply:
    """A streamed reply to the client: output, heartbeats, and the exit code last."""

    def __init__(self, call: Call, running: Running, notices: Notices) -> None:
        self._call = call
        self._running = running
        self._notices = notices

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._send = send
        headers = [(b"content-type", reply.FRAMES.encode()), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        task = self._running.start(self._call, self)
        if await attend(task, receive, self._beat):
            error = task.result()
            await self._tell_of_others(error)
            await self._tell()
            await self._put(reply.last_frame(error.exit if error else _exit.OK), last=True)

    async def _tell(self) -> None:
        """Tell the owner what the daemon has to say, beside a reply that is not for a program."""
        if self._call.caller.is_owner and "--json" not in self._call.words:
            for line in self._notices.take():
                await self.err(render(Text(f"[browse] {line}"), Wants()))

    async def _tell_of_others(self, error: BrowseError | None) -> None:
        for note in notes_on(self._call, error):
            await self.err(note)

    async def out(self, words: Outgoing) -> None:
        await self._put(reply.frame("1", words))

    async def err(self, words: Outgoing) -> None:
        await self._put(reply.frame("2", words))

    async def _beat(self) -> None:
        await self._put(reply.HEARTBEAT)

    async def _put(self, data: bytes, *, last: bool = False) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": not last})
