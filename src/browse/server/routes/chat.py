"""POST /sidebar-chat: a remote agent's message to the person. It is shown, never run."""

import msgspec
from starlette.requests import Request

from browse.auth.caller import Caller
from browse.core.errors import Usage
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services

MAX_CHARS = 4_000


class Message(msgspec.Struct, forbid_unknown_fields=True):
    """An agent's message, as JSON."""

    message: str


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint with which agents send messages to the person."""

    async def sidebar_chat(request: Request, caller: Caller) -> reply.Reply:
        """Send a message to the person at the browser: `{message}`, up to 4,000 characters.

        It appears in the activity feed under the agent's name, as untrusted text.
        """
        said = body.decode(await body.read(request, body.SMALL), Message).message
        if not said.strip() or len(said) > MAX_CHARS:
            raise Usage(f"a message has 1 to {MAX_CHARS:,} characters", hint="shorten it")
        services.activity.say(caller.name, said)
        return reply.facts({"shown": True})

    return Endpoint("POST", "/sidebar-chat", EndpointAccess.BEARER, sidebar_chat)
