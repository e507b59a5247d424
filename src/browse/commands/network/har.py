"""Record HAR files, and replay them."""

from typing import Annotated

from browse.browser.recordings.har import Har, HarRecording, HarReplay
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.guard.files import WritePath
from browse.guard.path_errors import shown
from browse.registry.params import Doc, ReadFile, WriteFile
from browse.registry.results import Text, from_page
from browse.registry.spec import ChangedTabs, Family, Group, Lane, command

SAVE_S = 120.0
MISSES_SHOWN = 50
PLAIN = "Warning: cookies and other credentials are in it in plain text; whoever has the file can \
log in with them."
MASKED = (
    "What looks like a credential is masked; a request that had one is not found by a replay, "
    "unless it is recorded --with-secrets."
)


HAR = Family(
    "har",
    Group.NETWORK,
    "Record requests and responses in a HAR file, or replay one instead of the network.",
    """Both apply to all tabs, one at a time, and end with `har stop`. Rules of `route` come before
    a replay. WebSockets are not included.
    """,
    default="status",
)


@command(family=HAR, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False, changes=ChangedTabs.NONE)
async def har_status(ctx: Ctx) -> Text:
    """Show what is being recorded or replayed, and which requests were not in the file.

    Examples:
        browse har
        browse har --json
    """
    known = (await ctx.tabs()).har
    if known.replaying:
        return _replaying(known.replaying)
    if known.recorder.current:
        return _recording(known.recorder.current)
    return Text("(no HAR is being recorded or replayed)", {"state": None})


@command(family=HAR, scope=Scope.ADMIN, lane=Lane.FREE, deadline=SAVE_S, changes=ChangedTabs.NONE)
async def har_record(
    ctx: Ctx,
    file: Annotated[WriteFile, Doc("Where to save it.")],
    *,
    with_secrets: Annotated[bool, Doc("Do not mask credentials.")] = False,
) -> Text:
    """Record requests and responses, for at most 30 minutes and 100 MB of bodies.

    Examples:
        browse har record shop.har
        browse har record shop.har --with-secrets
    """
    return _recording(await (await ctx.tabs()).har.record(file, with_secrets=with_secrets))


@command(family=HAR, scope=Scope.ADMIN, lane=Lane.FREE, deadline=SAVE_S)
async def har_replay(
    ctx: Ctx,
    file: Annotated[ReadFile, Doc("A HAR file, at most 200 MB.")],
    *,
    strict: Annotated[bool, Doc("Refuse requests that are not in the file (the default).")] = False,
    fallback: Annotated[
        bool, Doc("Send requests that are not in the file to the network.")
    ] = False,
) -> Text:
    """Answer requests from a HAR file, matched by method, address and body.

    Examples:
        browse har replay shop.har
        browse har replay shop.har --fallback
    """
    if strict and fallback:
        raise Usage("har replay: --strict and --fallback exclude each other", hint="leave out one")
    return _replaying(await (await ctx.tabs()).har.replay(file, strict=not fallback))


@command(family=HAR, scope=Scope.ADMIN, lane=Lane.FREE, deadline=SAVE_S)
async def har_stop(
    ctx: Ctx,
    file: Annotated[WriteFile | None, Doc("Save the recording here instead.")] = None,
) -> Text:
    """Save the recording, or end the replay and list the requests that were not in the file.

    Examples:
        browse har stop
    """
    return await _stop((await ctx.tabs()).har, file)


async def _stop(known: Har, elsewhere: WritePath | None) -> Text:
    if known.replaying and (replay := await known.stop_replay()):
        return _told(f"The replay of {shown(replay.name)} has ended", replay, "ended")
    recording, size = await known.recorder.save(lambda recording: elsewhere or recording.path)
    path = (elsewhere or recording.path).real
    saved = recording.saved
    early = f" It ended by itself: {recording.ended_by}." if recording.ended_by else ""
    lines = [
        f"HAR saved: {path} ({counted(saved.entries, 'request')}, {size:,} bytes).{early}",
        PLAIN if recording.with_secrets else MASKED,
    ]
    if saved.bodies_left_out:
        lines.append(f"Bodies that were too large for it and left out: {saved.bodies_left_out}.")
    facts = {
        "state": "saved",
        "path": path,
        "bytes": size,
        "requests": saved.entries,
        "bodiesLeftOut": saved.bodies_left_out,
        "endedBy": recording.ended_by,
    }
    return Text("\n".join(lines), facts)


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


def _replaying(replay: HarReplay) -> Text:
    rest = "is refused" if replay.strict else "comes from the network"
    without = f" ({replay.left_out} without an answer were left out)" if replay.left_out else ""
    text = f"Replaying {shown(replay.name)}: {replay.entries} requests{without}; the rest {rest}"
    return _told(text, replay, "replaying")


def _told(text: str, replay: HarReplay, state: str) -> Text:
    """Report the requests that were not in the file; their addresses are page words."""
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
