"""The activity feed over HTTP, and the ticket with which a page may watch it."""

from datetime import UTC, datetime, timedelta

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.auth.rates import too_many
from browse.auth.tickets import TicketKind
from browse.core.clock import stamp
from browse.core.errors import Usage
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services
from browse.server.sources import Sources
from browse.server.stream import Events

MAX_WATCHERS = 50


def endpoints(services: Services) -> list[Endpoint]:
    """Build the endpoints of the feed."""
    feed = services.activity

    async def stream(request: Request, _: Caller) -> Events:
        """Watch every command as it begins and ends: server-sent events.

        `?after=<id>` replays the events after it (the newest 1,000 are kept; an event `gap` says
        what was lost); without it, only new events come. A comment every 15 s is the heartbeat.
        """
        if feed.watchers >= MAX_WATCHERS:
            raise too_many(f"Max {MAX_WATCHERS} watchers at a time.", 10)
        after = number(request, "after", feed.total)
        return Events(feed.follow(after), name="activity")

    async def history(request: Request, _: Caller) -> reply.Reply:
        """List the newest events: `?limit=50` returns `{entries, totalAdded, subscribers}`."""
        entries = feed.latest(number(request, "limit", 50))
        return reply.facts(
            {"entries": entries, "totalAdded": feed.total, "subscribers": feed.watchers}
        )

    async def ticket(_: Request, __: Caller) -> reply.Reply:
        """Get a cookie that opens `/activity/stream` for 30 minutes, and nothing else."""
        opens = TicketKind.FEED
        end = datetime.now(UTC) + timedelta(seconds=opens.life_s)
        return reply.ticket(
            {"expiresAt": stamp(end), "cookie": opens.label},
            opens.label,
            services.access.tickets.issue(opens),
            opens.life_s,
        )

    return [
        Endpoint("GET", "/activity/stream", EndpointAccess.VIEWER, stream, Sources.EXTENSION),
        Endpoint("GET", "/activity/history", EndpointAccess.OWNER, history, Sources.EXTENSION),
        Endpoint("POST", "/sse-session", EndpointAccess.OWNER, ticket),
    ]


def number(request: Request, name: str, default: int) -> int:
    """Return a number of the query, or the default."""
    raw = request.query_params.get(name)
    if raw is None:
        return default
    if not raw.isdecimal() or len(raw) > 15:
        raise Usage(f"{name} must be a whole number", hint=f"for instance ?{name}=10")
    return int(raw)
