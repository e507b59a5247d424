"""The dashboard: its facts, its news, small pictures of tabs, and the two things it can do."""

import msgspec
from msgspec.structs import replace
from starlette.requests import Request

from browse.auth.caller import Caller
from browse.auth.rates import too_many
from browse.browser.visual.thumbnails import Thumbnails
from browse.core.errors import Usage
from browse.dashboard.facts import DashboardFacts
from browse.dashboard.news import news
from browse.dispatch.call import Call
from browse.egress.pipeline import Wants, render
from browse.registry.results import Text
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.routes.activity import MAX_WATCHERS, number
from browse.server.routes.command import answer
from browse.server.services import Services
from browse.server.sources import Sources
from browse.server.stream import Events

# The name under which the audit log has what a person does at the dashboard.
NAME = "dashboard"


class TabToClose(msgspec.Struct, forbid_unknown_fields=True):
    """The number of a tab, of whichever session."""

    tab: int


class ClientToRevoke(msgspec.Struct, forbid_unknown_fields=True):
    """The name of a paired agent."""

    client: str


def endpoints(services: Services) -> list[Endpoint]:
    """Build the endpoints of the dashboard."""
    board = DashboardFacts(lambda: services.running.runner.parts, services.health)
    return [*_reading(services, board), *_acting(services, board)]


def _reading(services: Services, board: DashboardFacts) -> list[Endpoint]:
    pictures = Thumbnails()

    async def facts(request: Request, _: Caller) -> reply.Reply:
        """Return what the dashboard shows: `?parts=tabs,health` for some of it, else all.

        The parts are `health`, `tabs`, `agents`, `pairings`, `steps`, `handoffs`, `activity`,
        `skills`, `notes`, `security` and `memory`. A part that fails is `{problem, hint}`.
        """
        wanted = request.query_params.get("parts", "")
        found = await board.collect(filter(None, wanted.split(",")))
        return reply.text([render(Text("", found), Wants(json=True))])

    async def events(request: Request, _: Caller) -> Events:
        """Watch what happens: the events of `/activity/stream`, and two more.

        `?after=<id>` replays the events of the feed after it. `tabs_changed`: a page opened or
        closed a tab, or went elsewhere, without a command. `handoffs_changed`: a person got a tab,
        or gave it back.
        """
        if services.activity.watchers >= MAX_WATCHERS:
            raise too_many(f"Max {MAX_WATCHERS} watchers at a time.", 10)
        after = number(request, "after", services.activity.total)
        holds = services.running.runner.parts.holds
        return Events(news(services.activity, holds, board, after), name="activity")

    async def picture(request: Request, _: Caller) -> reply.Reply:
        """Fetch a small JPEG of a tab's window; 204 if there is none, or it is `?known=<hash>`.

        One is taken at a time, at most once a second for each tab, and none while a command uses
        the tab: it keeps the last one. The hash of a picture is its `ETag`.
        """
        raw = request.path_params["tab"]
        if not raw.isdecimal() or len(raw) > 9:
            raise Usage("a tab has a whole number", hint="`browse tabs` lists them")
        taken = await pictures.of(board.find(int(raw))[2])
        if taken is None or taken.hash == request.query_params.get("known"):
            return reply.nothing(204)
        return reply.image(taken.data, "image/jpeg", taken.hash)

    ours, own = EndpointAccess.DASHBOARD, Sources.OWN_PAGES
    return [
        Endpoint("GET", "/dashboard/facts", ours, facts, own),
        Endpoint("GET", "/dashboard/events", ours, events, own),
        Endpoint("GET", "/dashboard/picture/{tab}", ours, picture, own),
    ]


def _acting(services: Services, board: DashboardFacts) -> list[Endpoint]:
    async def close(request: Request, caller: Caller) -> reply.Reply:
        """Close a tab: `{tab}`, even if an agent works in it. Answers as `closetab --json`."""
        sent = body.decode(await body.read(request, body.SMALL), TabToClose)
        session, tabs, tab = board.find(sent.tab)
        services.running.admit()
        tabs.leases.drop(tab=tab.id)
        return await run(request, caller, "closetab", str(tab.id), session=session)

    async def revoke(request: Request, caller: Caller) -> reply.Reply:
        """Revoke a paired agent: `{client}`. Answers as `tunnel revoke --json`."""
        sent = body.decode(await body.read(request, body.SMALL), ClientToRevoke)
        services.running.admit()
        return await run(request, caller, "tunnel", "revoke", "--", sent.client)

    async def run(request: Request, who: Caller, *words: str, session: str = "") -> reply.Reply:
        caller = replace(who, agent=NAME)
        first, *rest = words
        call = Call((first, "--json", *rest), caller, services.project, session=session)
        return await answer(call, services, request)

    ours, own = EndpointAccess.DASHBOARD, Sources.OWN_PAGES
    return [
        Endpoint("POST", "/dashboard/close-tab", ours, close, own),
        Endpoint("POST", "/dashboard/revoke", ours, revoke, own),
    ]
