"""Pair other agents, and create tokens."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import msgspec

from browse.auth.terms import DEFAULT_RATE, DEFAULT_SCOPES, TabPolicy, Terms, client_name
from browse.auth.tokens import SESSION_S, TokenKind
from browse.core.clock import stamp
from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import private_folder, write_private
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.dispatch.access import Access
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService, CanaryService
from browse.guard.domains import parse_lists
from browse.registry.params import Doc, Param, Surroundings, whole
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command
from browse.tunnel import invitation

# Folders of agents on this machine, below the home folder.
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
Control = Annotated[bool, Doc("Also allow commands that affect the whole browser, such as stop.")]
Shared = Annotated[bool, Doc("Allow all tabs, not only those that the agent opens.")]
Rate = Annotated[int, whole(0, 10_000), Doc("Requests per second; 0 = no limit.")]


def _terms(
    client: str,
    domains: tuple[str, ...],
    restrict: Scope | None,
    *,
    control: bool,
    shared: bool,
    rate: int,
) -> Terms:
    scopes = DEFAULT_SCOPES if restrict is None else restrict
    return Terms(
        client,
        scopes | Scope.CONTROL if control else scopes,
        parse_lists(domains),
        TabPolicy.SHARED if shared else TabPolicy.OWN_ONLY,
        rate,
    )


@command(group=Group.PAIRING, scope=Scope.ROOT, lane=Lane.FREE, name="pair-agent", deadline=60.0)
async def pair_agent(
    ctx: Ctx,
    *,
    client: Annotated[Client, Doc("The name of the agent.")] = "remote-agent",
    domain: Domains = (),
    restrict: Restrict = None,
    control: Control = False,
    shared: Shared = False,
    rate: Rate = DEFAULT_RATE,
    local: Annotated[
        str | None,
        Param("host", _host),
        Doc("For an agent on this machine: write the token to ~/.<host>/browse-remote.json."),
    ] = None,
    headless: Annotated[bool, Doc("No effect: pairing opens no window.")] = False,
    access: AccessService,
    canary_guard: CanaryService,
) -> Text:
    """Pair another agent with this browser: print the instructions for it.

    The instructions contain a set-up key that works once, for 5 minutes. A tunnel is opened if you
    have agreed to remote access (`pair_agent: on` in ~/.gstack/config.yaml); otherwise the address
    works on this machine only. Pairing a client again with fewer rights revokes its old token at
    once.

    Examples:
        browse pair-agent --client codex-laptop
        browse pair-agent --client reader --restrict read --domain '*.example.com'
        browse pair-agent --local codex
    """
    terms = _terms(client, domain, restrict, control=control, shared=shared, rate=rate)
    url, why = access.local_url, ""
    if not local:
        url, why = await _tunnel(access)
    issued, revoked = access.tokens.invite(terms)
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
    reference = canary_guard.canary.tell()
    lines = [invitation.block(url, issued.token, terms, expires, reference)]
    if why:
        lines.append(f"NOTE: this address works on this machine only. {why}")
    if revoked:
        lines.append(f"{client} had more rights before: its {revoked} token(s) ended at once.")
    return Text("\n".join(lines), {**facts, "note": why}, whole=True)


async def _tunnel(access: Access) -> tuple[str, str]:
    """Open the tunnel; return its address, or the local address and why there is no tunnel."""
    try:
        url, _ = await access.gateway.start()
    except BrowseError as exc:
        if exc.code is Code.INTERNAL:
            raise
        return access.local_url, f"{exc.message} To change that: {exc.hint}"
    return url, ""


def _write_note(path: Path, facts: dict[str, Any]) -> str:
    kept = {key: facts[key] for key in ("url", "setup_key", "scopes", "expires_at")}
    private_folder(path.parent)
    write_private(path, msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
    return str(path)


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
        int, whole(1, 365 * 86_400), Doc("Seconds until it expires.", metavar="seconds")
    ] = int(SESSION_S),
    access: AccessService,
) -> Text:
    """Create a token for a program on this machine, without a set-up key, and print it.

    It is shown once and not stored. A client has one token: a new one replaces it. One for less
    also ends what the client runs, and takes its tabs.

    Examples:
        browse token my-script --restrict read
        browse token my-script --domain example.com --expires 3600 --json
    """
    terms = _terms(client, domain, restrict, control=control, shared=shared, rate=rate)
    issued = access.tokens.issue(TokenKind.SESSION, terms, life_s=expires)
    facts = {
        "token": issued.token,
        "url": access.local_url,
        "client": client,
        "scopes": terms.scopes.list(),
        "expires": stamp(issued.grant.expires),
    }
    return Text(issued.token, facts)
