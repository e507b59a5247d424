"""The tunnel, and the paired agents."""

import asyncio
from pathlib import Path

from browse.auth.tokens import Grant
from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService
from browse.registry.results import Text
from browse.registry.spec import Family, Group, Lane, command
from browse.security.receipts import Receipts

TUNNEL = Family(
    "tunnel",
    Group.PAIRING,
    "Manage remote access: open or close the tunnel, list and revoke paired agents.",
    default="status",
)


@command(family=TUNNEL, scope=Scope.ROOT, lane=Lane.FREE)
async def tunnel_status(ctx: Ctx, *, access: AccessService) -> Text:
    """Show whether the tunnel is open, or why it closed.

    Examples:
        browse tunnel
    """
    status = access.gateway.status()
    if status["open"]:
        line = f"Open since {status['since']}: {status['url']} ({status['provider']})"
    else:
        line = "Closed" + (f": {status['closed']}" if status.get("closed") else "")
    return Text(line, status)


@command(family=TUNNEL, scope=Scope.ROOT, lane=Lane.FREE)
async def tunnel_agents(ctx: Ctx, *, access: AccessService) -> Text:
    """List the paired agents, with their rights.

    Examples:
        browse tunnel agents
    """
    grants = access.tokens.agents()
    return Text(
        "\n".join(map(_line, grants)) or "No paired agents.",
        {"agents": [grant.facts() for grant in grants]},
    )


@command(family=TUNNEL, scope=Scope.ROOT, lane=Lane.FREE, destroys=True)
async def tunnel_revoke(ctx: Ctx, agent: str, *, access: AccessService) -> Text:
    """Revoke an agent's tokens and end its commands at once; its tabs become yours.

    Examples:
        browse tunnel revoke codex-laptop
    """
    count, tabs = access.revoke(agent)
    if not count:
        names = sorted({grant.terms.client for grant in access.tokens.agents()})
        raise BrowseError(
            Code.NOT_FOUND,
            f"No paired agent is named {agent[:64]!r}.",
            hint=f"paired: {', '.join(names) or 'none'}",
        )
    return Text(
        f"Revoked {agent} ({counted(count, 'token')}). Its commands were ended;"
        f" its tabs are yours: {tabs}.",
        {"revoked": agent, "tokens_deleted": count, "tabs_released": tabs},
    )


@command(family=TUNNEL, scope=Scope.ROOT, lane=Lane.FREE, deadline=60.0)
async def tunnel_start(ctx: Ctx, *, access: AccessService) -> Text:
    """Open the tunnel.

    Examples:
        browse tunnel start
    """
    url, already = await access.gateway.start()
    was = " (it was open already)" if already else ""
    return Text(f"The tunnel is open: {url}{was}", {"url": url, "already_active": already})


@command(family=TUNNEL, scope=Scope.ROOT, lane=Lane.FREE, deadline=60.0, destroys=True)
async def tunnel_stop(ctx: Ctx, *, access: AccessService) -> Text:
    """Close the tunnel; agents on this machine stay paired.

    Examples:
        browse tunnel stop
    """
    stopped = await access.gateway.stop()
    said = "The tunnel is closed." if stopped else "No tunnel was open."
    return Text(f"{said} Agents on this machine stay paired.", {"stopped": stopped})


@command(family=TUNNEL, scope=Scope.ROOT, lane=Lane.FREE)
async def tunnel_receipts(ctx: Ctx) -> Text:
    """Check the receipts of opened tunnels: whether any was changed or removed.

    Each receipt has the hash of the previous one.

    Examples:
        browse tunnel receipts
    """
    return await asyncio.to_thread(_receipts, Paths.of(ctx.settings).egress_receipts)


def _receipts(path: Path) -> Text:
    found = Receipts(path).verify()
    if not found.whole:
        raise BrowseError(
            Code.TUNNEL,
            f"Line {found.broken_at} of {path} is not as it was written: {found.why}.",
            hint="look at the file; if you move it away, the next tunnel starts a new one",
        )
    said = f"{found.lines} receipts, none of them changed" if found.lines else "No receipts yet"
    return Text(f"{said}: {path}", {"whole": True, "lines": found.lines, "path": str(path)})


def _line(grant: Grant) -> str:
    row = grant.facts()
    pending = "  (pending setup key)" if row["pending"] else ""
    return (
        f"{row['clientId']}{pending}  scopes={','.join(row['scopes'])}  "
        f"domains={','.join(row['domains']) or 'any'}  expires={row['expiresAt'] or 'never'}  "
        f"commands={row['commandCount']}"
    )
