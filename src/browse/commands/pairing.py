"""Letting other agents in, and out again."""

import asyncio
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from browse.auth.terms import DEFAULT_RATE, DEFAULT_SCOPES, TabPolicy, Terms, client_name
from browse.auth.tokens import SESSION_S, Grant, Kind
from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import private_folder, write_private
from browse.core.journal import stamp
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.domains import parse_list
from browse.registry.params import Doc, Param, Surroundings, whole
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command
from browse.security.receipts import Receipts
from browse.tunnel import invitation

# Where agents of this machine look for what they need, below the home folder.
HOSTS = {
    "claude": ".claude",
    "codex": ".codex",
    "cursor": ".cursor",
    "openclaw": ".openclaw",
    "hermes": ".hermes",
    "opencode": ".opencode",
    "gemini": ".gemini",
}


def _name(raw: str, _: Surroundings) -> str:
    return client_name(raw)


def _scopes(raw: str, _: Surroundings) -> Scope:
    found = Scope.named(raw.split(","))
    if Scope.CONTROL in found:
        raise Usage("control is not among what --restrict takes", hint="add --control instead")
    return found


def _host(raw: str, _: Surroundings) -> str:
    if raw not in HOSTS:
        raise Usage(f"{raw[:40]!r} is not a host", hint=f"choose one of: {', '.join(HOSTS)}")
    return raw


Client = Annotated[str, Param("name", _name)]
Domains = Annotated[
    tuple[str, ...], Doc("Only these sites: example.com,*.example.org.", metavar="domains")
]
Restrict = Annotated[
    Scope | None, Param("scopes", _scopes), Doc("Only these rights of read,write,admin,meta.")
]
Control = Annotated[bool, Doc("Also the right to stop the browser and to change all of it.")]
Shared = Annotated[bool, Doc("All tabs, not only those that it opens.")]
Rate = Annotated[int, whole(0, 10_000), Doc("Requests a second; 0 = no limit.")]


def _terms(
    client: str,
    domains: tuple[str, ...],
    restrict: Scope | None,
    *,
    control: bool,
    shared: bool,
    rate: int,
) -> Terms:
    if shared and domains:
        raise Usage("--shared and --domain do not go together", hint="other tabs may be elsewhere")
    scopes = DEFAULT_SCOPES if restrict is None else restrict
    return Terms(
        client,
        scopes | Scope.CONTROL if control else scopes,
        parse_list(",".join(domains)),
        TabPolicy.SHARED if shared else TabPolicy.OWN_ONLY,
        rate,
    )


@command(group=Group.PAIRING, scope=Scope.ROOT, lane=Lane.FREE, name="pair-agent", deadline=60.0)
async def pair_agent(
    ctx: Ctx,
    *,
    client: Annotated[Client, Doc("What to call the agent.")] = "remote-agent",
    domain: Domains = (),
    restrict: Restrict = None,
    control: Control = False,
    shared: Shared = False,
    rate: Rate = DEFAULT_RATE,
    local: Annotated[
        str | None,
        Param("host", _host),
        Doc("For an agent on this machine: write what it needs to ~/.<host>/browse-remote.json."),
    ] = None,
    headless: Annotated[bool, Doc("Keep the browser without a window.")] = False,
) -> Text:
    """Let another agent drive this browser: print the instructions that it needs.

    The instructions hold a set-up key that works once, for 5 minutes. A tunnel is opened if you
    have agreed to remote access (`pair_agent: on` in ~/.gstack/config.yaml); otherwise the address
    works on this machine only. Pairing a client again with fewer rights ends the old ones at once.

    Examples:
        browse pair-agent --client codex-laptop
        browse pair-agent --client reader --restrict read --domain '*.example.com'
        browse pair-agent --local codex
    """
    terms = _terms(client, domain, restrict, control=control, shared=shared, rate=rate)
    url, why = ctx.parts.doors.local_url, ""
    if not local:
        url, why = await _tunnel(ctx)
    issued, revoked = ctx.parts.doors.tokens.invite(terms)
    expires = stamp(issued.grant.expires)
    facts: dict[str, Any] = {
        "client": client,
        "url": url,
        "setup_key": issued.token,
        "scopes": terms.scopes.list(),
        "domains": list(terms.domains),
        "expires_at": expires,
        "tokens_revoked": revoked or 0,
    }
    if local:
        note = Paths.of(ctx.settings).remote_note(HOSTS[local])
        path = await asyncio.to_thread(_write_note, note, facts)
        return Text(
            f"Wrote {path}. The agent on this machine finds there what it needs, until {expires}.",
            {**facts, "path": path},
            whole=True,
        )
    reference = ctx.parts.leaks.canary.tell()
    lines = [invitation.block(url, issued.token, terms, expires, reference)]
    if why:
        lines.append(f"NOTE: this address works on this machine only. {why}")
    if revoked:
        lines.append(f"{client} had more rights before: its {revoked} token(s) ended at once.")
    return Text("\n".join(lines), {**facts, "note": why}, whole=True)


async def _tunnel(ctx: Ctx) -> tuple[str, str]:
    """Open the way in from outside; where there is none, the local address, and why."""
    try:
        url, _ = await ctx.parts.doors.gateway.start()
    except BrowseError as exc:
        if exc.code is Code.INTERNAL:
            raise
        return ctx.parts.doors.local_url, f"{exc.message} To change that: {exc.hint}"
    return url, ""


def _write_note(path: Path, facts: dict[str, Any]) -> str:
    kept = {key: facts[key] for key in ("url", "setup_key", "scopes", "expires_at")}
    private_folder(path.parent)
    write_private(path, msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
    return str(path)


@command(group=Group.PAIRING, scope=Scope.ROOT, lane=Lane.FREE, deadline=60.0)
async def tunnel(
    ctx: Ctx,
    action: Literal["status", "agents", "revoke", "start", "stop", "receipts"] = "status",
    agent: str | None = None,
) -> Text:
    """Look after the way in from outside: is it open, who is paired, revoke one, close it.

    Revoking ends an agent's tokens and what it has under way at once, and gives its tabs to you.
    `receipts` goes through the records of the tunnels that were opened, each with the hash of the
    one before, and tells whether any was changed or removed since.

    Examples:
        browse tunnel
        browse tunnel agents
        browse tunnel revoke codex-laptop
        browse tunnel stop
        browse tunnel receipts
    """
    if (action == "revoke") != (agent is not None):
        raise Usage(
            "tunnel: revoke takes a name, the others take none", hint="browse tunnel agents"
        )
    match action:
        case "agents":
            return _agents(ctx)
        case "revoke":
            return _revoke(ctx, str(agent))
        case "receipts":
            return await asyncio.to_thread(_receipts, Paths.of(ctx.settings).egress_receipts)
        case "start":
            url, already = await ctx.parts.doors.gateway.start()
            was = " (it was open already)" if already else ""
            return Text(f"The tunnel is open: {url}{was}", {"url": url, "already_active": already})
        case "stop":
            stopped = await ctx.parts.doors.gateway.stop()
            said = "The tunnel is closed." if stopped else "No tunnel was open."
            return Text(f"{said} Agents on this machine stay paired.", {"stopped": stopped})
    status = ctx.parts.doors.gateway.status()
    if status["open"]:
        line = f"Open since {status['since']}: {status['url']} ({status['provider']})"
    else:
        line = "Closed" + (f": {status['closed']}" if status.get("closed") else "")
    return Text(line, status)


def _receipts(path: Path) -> Text:
    found = Receipts(path).verify()
    if not found.whole:
        raise BrowseError(
            Code.TUNNEL,
            f"Line {found.broken_at} of {path} is not as it was written: {found.why}.",
            hint="look at the file; moved away, the next tunnel begins a new one",
        )
    said = f"{found.lines} receipts, none of them changed" if found.lines else "No receipts yet"
    return Text(f"{said}: {path}", {"whole": True, "lines": found.lines, "path": str(path)})


def _revoke(ctx: Ctx, agent: str) -> Text:
    count, tabs = ctx.parts.doors.revoke(agent)
    if not count:
        names = sorted({grant.terms.client for grant in ctx.parts.doors.tokens.agents()})
        raise BrowseError(
            Code.NOT_FOUND,
            f"No paired agent is named {agent[:64]!r}.",
            hint=f"paired: {', '.join(names) or 'none'}",
        )
    return Text(
        f"Revoked {agent} ({count} tokens). Its commands were ended; {tabs} of its tabs are yours.",
        {"revoked": agent, "tokens_deleted": count, "tabs_released": tabs},
    )


def _agents(ctx: Ctx) -> Text:
    grants = ctx.parts.doors.tokens.agents()
    return Text(
        "\n".join(map(_line, grants)) or "No paired agents.",
        {"agents": [grant.facts() for grant in grants]},
    )


def _line(grant: Grant) -> str:
    row = grant.facts()
    pending = "  (pending setup key)" if row["pending"] else ""
    return (
        f"{row['clientId']}{pending}  scopes={','.join(row['scopes'])}  "
        f"domains={','.join(row['domains']) or 'any'}  expires={row['expiresAt'] or 'never'}  "
        f"commands={row['commandCount']}"
    )


@command(group=Group.PAIRING, scope=Scope.ROOT, lane=Lane.FREE)
async def token(
    ctx: Ctx,
    client: Client,
    *,
    domain: Domains = (),
    restrict: Restrict = None,
    control: Control = False,
    shared: Shared = False,
    rate: Rate = DEFAULT_RATE,
    expires: Annotated[
        int, whole(1, 365 * 86_400), Doc("Seconds until it ends.", metavar="seconds")
    ] = int(SESSION_S),
) -> Text:
    """Make a token for a program on this machine, without a set-up key, and print it.

    It is told once and kept nowhere. A client has one token: a new one replaces it.

    Examples:
        browse token my-script --restrict read
        browse token my-script --domain example.com --expires 3600 --json
    """
    terms = _terms(client, domain, restrict, control=control, shared=shared, rate=rate)
    issued = ctx.parts.doors.tokens.issue(Kind.SESSION, terms, life_s=expires)
    facts = {
        "token": issued.token,
        "url": ctx.parts.doors.local_url,
        "client": client,
        "scopes": terms.scopes.list(),
        "expires": stamp(issued.grant.expires),
    }
    return Text(issued.token, facts)
