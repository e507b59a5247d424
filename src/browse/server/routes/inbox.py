"""The inbox over HTTP: a person's program leaves a message for the agent, and sees what is done."""

import asyncio

import msgspec
from starlette.requests import Request

from browse.auth.caller import Caller
from browse.browser.visual.screenshots import Area
from browse.core.errors import Usage
from browse.inbox import taking
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.routes.refs import find_tab
from browse.server.services import Services
from browse.server.sources import Sources


class MessageBody(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """A message as JSON; points and areas are in CSS pixels from the corner of the tab's window."""

    message: str
    tab_id: int | None = None
    document: float | None = None
    at: tuple[float, float] | None = None
    area: tuple[float, float, float, float] | None = None


def endpoints(services: Services) -> list[Endpoint]:
    """Build the endpoints of the inbox."""

    async def messages(_: Request, __: Caller) -> reply.Reply:
        """List the messages of the inbox, the newest first: `{messages}`.

        What the person and the page wrote is below `page`; `done` says when the agent was done.
        """
        found = await asyncio.to_thread(services.running.runner.parts.inbox.all)
        data = {"messages": [message.facts() for message in found]}
        return reply.rendered(data)

    async def leave(request: Request, _: Caller) -> reply.Reply:
        """Leave a message for the agent: `{message, tabId?, at?: [x, y], area?: [x, y, w, h]}`.

        `document` (its `performance.timeOrigin`) may name the tab by what it shows.
        `at` points at an element, `area` at a part of the window, in CSS pixels from its corner.
        Returns the stored message with the element's `ref` and the path of a `picture`.
        """
        wanted = body.decode(await body.read(request, body.SMALL), MessageBody)
        if wanted.at and wanted.area:
            raise Usage("at and area exclude each other", hint="leave one of them out")
        parts = services.running.runner.parts
        tab = await find_tab(parts.browser, wanted.tab_id, wanted.document)
        area = Area(*wanted.area) if wanted.area else None
        kept = await taking.take(parts.inbox, tab, wanted.message, at=wanted.at, area=area)
        return reply.rendered(kept.facts())

    pages = Sources.OWN_PAGES | Sources.EXTENSION
    return [
        Endpoint("GET", "/inbox", EndpointAccess.VIEW, messages, pages),
        Endpoint("POST", "/inbox", EndpointAccess.VIEW, leave, pages),
    ]
