"""The gates: checks before every command, in order. Each raises or passes."""

from collections.abc import Callable

from browse.auth.caller import Caller
from browse.auth.terms import TabPolicy
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Reach, Scope, Surface
from browse.guard.domains import covers
from browse.registry.bind import Bound

Gate = Callable[[Bound, Caller], None]


def needs_the_daemon(bound: Bound, _: Caller) -> None:
    """Raise if the command is about the machine: it runs in the caller's terminal."""
    if bound.spec.runs_here:
        raise BrowseError(
            Code.SURFACE,
            f"'{bound.spec.name}' does not run in the daemon.",
            hint=f"type `browse {bound.spec.name}` in a terminal",
        )


def offered_here(bound: Bound, caller: Caller) -> None:
    """Raise if this listener does not offer the command, or a remote caller names a file."""
    offered = bound.spec.surfaces & caller.surface
    if not offered or (bound.local_only and caller.surface is not Surface.LOCAL):
        instead = any(arg.name == "base64" for arg in bound.spec.flags) and offered
        raise BrowseError(
            Code.SURFACE,
            f"'{bound.spec.name}' in this form is not offered on this listener.",
            hint="name no file: the reply says where GET /file finds it; or add --base64"
            if instead
            else "run it on the machine where the daemon runs",
        )


def has_scope(bound: Bound, caller: Caller) -> None:
    """Raise if the invocation needs a scope that the caller's token does not have."""
    missing = _needed(bound, caller) & ~caller.scopes
    if missing:
        raise BrowseError(
            Code.SCOPE,
            f"'{bound.spec.name}' in this form needs the scope: {missing.words()}.",
            hint=f"your token has: {caller.scopes.words() or 'none'}; ask the owner for more",
        )


def _needed(bound: Bound, caller: Caller) -> Scope:
    """Return the scopes that an invocation needs; without a tab, nothing could be read."""
    own = caller.tabs is TabPolicy.OWN_ONLY
    if bound.spec.navigates and own and Scope.WRITE not in caller.scopes:
        return bound.scopes & ~Scope.WRITE | Scope.READ
    return bound.scopes


def only_reads(bound: Bound, caller: Caller) -> None:
    """Raise if the command may change something, and the caller asked only to read."""
    if caller.only_reads and not bound.only_reads:
        raise BrowseError(
            Code.SCOPE,
            f"'{bound.spec.name}' in this form may change something, and this call may only read.",
            hint="call the tool `act`, or unset BROWSE_ONLY_READ where it is set",
        )


def within_reach(bound: Bound, caller: Caller) -> None:
    """Raise if the command reaches beyond the caller's own tabs and the caller may not."""
    if caller.confined and bound.reach is Reach.BROWSER:
        raise BrowseError(
            Code.SCOPE,
            f"'{bound.spec.name}' in this form reaches beyond your own tabs.",
            hint="the owner can pair you with --control, or run it",
        )
    if bound.values.get("session") and not caller.is_owner:
        raise BrowseError(
            Code.SCOPE,
            "Only the owner may choose a session; you have the one that you were paired with.",
            hint="leave out --session",
        )


def on_allowed_domains(bound: Bound, caller: Caller) -> None:
    """Raise if an address is outside the domains of the caller's token."""
    for url in bound.urls:
        if url.scheme == "file" and (caller.reads_as_agent or caller.works_for_agent):
            raise BrowseError(
                Code.URL_REFUSED,
                "Only the owner may open files of this machine.",
                hint="use an http or https address",
            )
        blank = url.scheme == "about"
        if caller.domains and not blank and not covers(caller.domains, url.host):
            raise BrowseError(
                Code.URL_REFUSED,
                "Your token does not cover this address.",
                hint=f"it covers: {', '.join(caller.domains)}",
            )


# The surface comes first: a command that is not offered must not report its scope.
GATES: tuple[Gate, ...] = (
    needs_the_daemon,
    offered_here,
    has_scope,
    only_reads,
    within_reach,
    on_allowed_domains,
)
