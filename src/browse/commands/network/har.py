"""Recording what the network answers, and answering from such a recording."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from browse.browser.recordings.har import Har, HarRecording, Replay
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.files import WritePath, check_read, check_write, shown
from browse.registry.params import Doc, Param, Surroundings
from browse.registry.results import Text, from_page
from browse.registry.spec import Group, Lane, command

SAVE_S = 120.0
MISSES_SHOWN = 50
PLAIN = "Warning: cookies and other credentials are in it in plain text; whoever has the file can \
log in with them."
MASKED = (
    "What looks like a credential is masked; a request that had one is not found by a replay, "
    "unless it is recorded --with-secrets."
)


def _later(raw: str, env: Surroundings) -> Callable[..., Any]:
    """Leave open whether the file is read or written: only the action tells."""
    return lambda check: check(raw, cwd=env.cwd, roots=env.roots)


File = Annotated[Callable[..., Any], Param("file", _later, scopes=Scope.WRITE, local_only=True)]


@command(group=Group.NETWORK, scope=Scope.ADMIN, lane=Lane.FREE, deadline=SAVE_S)
async def har(
    ctx: Ctx,
    action: Annotated[
        Literal["record", "replay", "stop"] | None,
        Doc("Without one: what is under way, and what a replay has missed."),
    ] = None,
    file: Annotated[
        File | None, Doc("record: where to save it; stop: save it there instead; replay: what.")
    ] = None,
    *,
    with_secrets: Annotated[bool, Doc("record: keep credentials as they are.")] = False,
    strict: Annotated[bool, Doc("replay: refuse what is not in the file (the default).")] = False,
    fallback: Annotated[bool, Doc("replay: ask the network for what is not in the file.")] = False,
) -> Text:
    """Record all requests and answers into a HAR file, or answer from one instead of the network.

    Both are for all tabs, one at a time, and end with `har stop`: it saves what was recorded (for
    30 minutes at most, with up to 100 MB of bodies), or tells every request that the replayed file
    did not have. A request is found by method, address and body; a file may have 200 MB. Rules of
    `route` come before a replay. WebSockets pass by.

    Examples:
        browse har record shop.har
        browse har stop
        browse har replay shop.har
        browse har replay shop.har --fallback
        browse har --json
    """
    _check(action, file, with_secrets=with_secrets, strict=strict, fallback=fallback)
    known = (await ctx.tabs()).har
    if action == "record" and file:
        return _recording(await known.record(file(check_write), with_secrets=with_secrets))
    if action == "replay" and file:
        return _replaying(await known.replay(file(check_read), strict=not fallback))
    if action == "stop":
        return await _stop(known, file(check_write) if file else None)
    return _state(known)


def _check(
    action: str | None, file: object, *, with_secrets: bool, strict: bool, fallback: bool
) -> None:
    if action in ("record", "replay") and not file:
        raise Usage(f"har {action}: no file is named", hint=f"browse har {action} shop.har")
    if with_secrets and action != "record":
        raise Usage("har: --with-secrets goes with record only", hint="browse har record <file>")
    if (strict or fallback) and action != "replay":
        raise Usage("har: --strict and --fallback go with replay only", hint="browse har --help")
    if strict and fallback:
        raise Usage("har: --strict and --fallback exclude each other", hint="leave out one")


async def _stop(known: Har, elsewhere: WritePath | None) -> Text:
    if known.replaying and (replay := await known.stop_replay()):
        return _told(f"The replay of {shown(replay.name)} has ended", replay, "ended")
    recording, size = await known.recorder.save(lambda recording: elsewhere or recording.path)
    path = (elsewhere or recording.path).real
    saved = recording.saved
    early = f" It ended by itself: {recording.ended_by}." if recording.ended_by else ""
    lines = [
        f"HAR saved: {path} ({saved.entries} requests, {size:,} bytes).{early}",
        PLAIN if recording.with_secrets else MASKED,
    ]
    if saved.bodies_left_out:
        lines.append(f"{saved.bodies_left_out} bodies were too large for it and were left out.")
    facts = {
        "state": "saved",
        "path": path,
        "bytes": size,
        "requests": saved.entries,
        "bodiesLeftOut": saved.bodies_left_out,
        "endedBy": recording.ended_by,
    }
    return Text("\n".join(lines), facts)


def _state(known: Har) -> Text:
    if known.replaying:
        return _replaying(known.replaying)
    if known.recorder.current:
        return _recording(known.recorder.current)
    return Text("(no HAR is being recorded or replayed)", {"state": None})


def _recording(recording: HarRecording) -> Text:
    place = recording.path.real
    begun = f"Recording a HAR for {recording.seconds:.0f} s"
    text = f"{begun}; `browse har stop` saves it to {place}"
    if recording.ended_by:
        text = (
            f"A HAR of {recording.seconds:.0f} s is ready: {recording.ended_by} ended it; "
            f"`browse har stop` saves it to {place}"
        )
    facts = {
        "state": "recording",
        "path": place,
        "seconds": round(recording.seconds),
        "withSecrets": recording.with_secrets,
        "endedBy": recording.ended_by,
    }
    return Text(f"{text}\n{PLAIN}" if recording.with_secrets else text, facts)


def _replaying(replay: Replay) -> Text:
    rest = "is refused" if replay.strict else "comes from the network"
    without = f" ({replay.left_out} without an answer were left out)" if replay.left_out else ""
    text = f"Replaying {shown(replay.name)}: {replay.entries} requests{without}; the rest {rest}"
    return _told(text, replay, "replaying")


def _told(text: str, replay: Replay, state: str) -> Text:
    """Say what the file did not have; the addresses are the page's words."""
    misses = [{"request": asked, "count": count} for asked, count in replay.misses.items()]
    lines = [f"{miss['count']}x {miss['request']}" for miss in misses[:MISSES_SHOWN]]
    more = len(misses) - MISSES_SHOWN
    counted = "Nothing was missing" if not replay.missed else f"Misses: {replay.missed}"
    listed = f" ({more} more with --json)" if more > 0 else ""
    facts = {
        "state": state,
        "file": replay.name,
        "strict": replay.strict,
        "requests": replay.entries,
        "leftOut": replay.left_out,
        "missed": replay.missed,
        **from_page(misses=misses),
    }
    return Text(f"{text}\n{counted}{listed}", facts, page="\n".join(lines), source="har")
