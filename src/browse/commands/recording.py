"""Record traces and videos."""

import re
from typing import Annotated, Any

from browse.browser.recordings.recording import Recorder, Recording
from browse.browser.recordings.video import Video
from browse.browser.recordings.webm import FrameSize
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.files import WritePath
from browse.registry.params import Doc, Param, Surroundings, WriteFile
from browse.registry.results import Text
from browse.registry.spec import Alias, ChangedTabs, Family, Group, Lane, command

SAVE_S = 120.0
MIN_SIDE_PX, MAX_SIDE_PX = 16, 4096


def _size(raw: str, _: Surroundings) -> FrameSize:
    found = re.fullmatch(r"([0-9]{2,4})x([0-9]{2,4})", raw.strip().lower())
    size = FrameSize(int(found[1]), int(found[2])) if found else FrameSize(0, 0)
    if not all(MIN_SIDE_PX <= side <= MAX_SIDE_PX for side in size):
        raise Usage(
            f"{raw[:40]!r} is not a size from {MIN_SIDE_PX}x{MIN_SIDE_PX} to "
            f"{MAX_SIDE_PX}x{MAX_SIDE_PX} pixels",
            hint="give one such as 1280x720",
        )
    return size


VideoSize = Annotated[FrameSize, Param("WxH", _size)]


TRACE = Family(
    "trace",
    Group.RECORDING,
    "Record a trace of all tabs, with screenshots, for Playwright's trace viewer.",
    """View it with `playwright show-trace trace.zip` or at https://trace.playwright.dev. It
    contains everything in plain text: typed text and passwords, cookies, page contents. Only you
    can read the file (mode 0600). The recording stops by itself after 30 minutes and can then be
    saved.
    """,
    default="status",
)
VIDEO = Family(
    "video",
    Group.RECORDING,
    "Record a tab as a WebM video, across navigations, with up to 10 frames a second.",
    """One video at a time. The recording stops by itself when the tab closes, or after 30 minutes
    or 500 MB, and can then be saved.
    """,
    default="status",
)
File = Annotated[WriteFile, Doc("Where to save it.")]


@command(family=TRACE, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False, changes=ChangedTabs.NONE)
async def trace_status(ctx: Ctx) -> Text:
    """Show whether a trace is being recorded.

    Examples:
        browse trace
    """
    return _state((await ctx.tabs()).trace, "Recording a trace")


@command(
    family=TRACE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    changes=ChangedTabs.NONE,
    deadline=SAVE_S,
    mutates=False,
    aliases=(Alias("tracing-start"),),
)
async def trace_start(ctx: Ctx) -> Text:
    """Start to record a trace.

    Examples:
        browse trace start
    """
    recorder = (await ctx.tabs()).trace
    await recorder.start()
    return _state(recorder, "Recording a trace")


@command(
    family=TRACE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    changes=ChangedTabs.NONE,
    deadline=SAVE_S,
    mutates=False,
    aliases=(Alias("tracing-stop"),),
)
async def trace_stop(ctx: Ctx, file: File) -> Text:
    """Stop the recording and save the trace.

    Examples:
        browse trace stop trace.zip
    """
    note = "It holds what was typed, cookies and page contents in plain text."
    return await _saved((await ctx.tabs()).trace, file, note=note)


@command(family=VIDEO, scope=Scope.READ, lane=Lane.FREE)
async def video_status(ctx: Ctx) -> Text:
    """Show whether a video is being recorded, and of which tab.

    Examples:
        browse video
    """
    return _video_state((await ctx.tabs()).video)


@command(
    family=VIDEO,
    scope=Scope.READ,
    lane=Lane.FREE,
    changes=ChangedTabs.ASIDE,
    deadline=SAVE_S,
    aliases=(Alias("video-start"),),
)
async def video_start(
    ctx: Ctx,
    *,
    size: Annotated[
        VideoSize | None, Doc("Size of the video; default: the window's, up to 800 pixels.")
    ] = None,
) -> Text:
    """Start to record a video of the tab.

    Examples:
        browse video start
        browse video start --size 1280x720
    """
    tabs = await ctx.tabs()
    id = ctx.call.tab_id
    tab = tabs.find(id) if id else await tabs.current(ctx.call.caller)
    _ = tab.frame  # raises if the tab has crashed
    await tabs.video.start(tab, size)
    return _video_state(tabs.video)


@command(
    family=VIDEO, scope=Scope.READ, lane=Lane.FREE, deadline=SAVE_S, aliases=(Alias("video-stop"),)
)
async def video_stop(ctx: Ctx, file: File) -> Text:
    """Stop the recording and save the video.

    Examples:
        browse video stop video.webm
    """
    recorder = (await ctx.tabs()).video
    return await _saved(recorder, file, **_about_video(recorder.current))


def _video_state(recorder: Recorder[Video]) -> Text:
    about = _about_video(recorder.current)
    return _state(recorder, f"Recording a video of tab {about.get('tabId')}", **about)


def _about_video(video: Video | None) -> dict[str, Any]:
    return {"tabId": video.tab_id, "pictures": len(video.captured.frames)} if video else {}


def _state(recorder: Recorder[Any], doing: str, **facts: Any) -> Text:
    recording: Recording | None = recorder.current
    kind = recorder.kind.kind
    if recording is None:
        return Text(f"(no {kind} is being recorded)", {"state": None})
    seconds = f"{recording.seconds:.0f} s"
    text = f"{doing}, for {seconds}; `{recording.stop_with}` saves it"
    if recording.ended_by:
        text = (
            f"A {kind} of {seconds} is ready, ended by {recording.ended_by}; "
            f"`{recording.stop_with}` saves it"
        )
    state = "ended" if recording.ended_by else "recording"
    about = {"state": state, "seconds": round(recording.seconds), "endedBy": recording.ended_by}
    return Text(text, {**about, **facts})


async def _saved(recorder: Recorder[Any], path: WritePath, *, note: str = "", **facts: Any) -> Text:
    recording, size = await recorder.save(lambda _: path)
    length = f"{recording.seconds:.0f} s, {size:,} bytes"
    receipt = f"{recording.kind.capitalize()} saved: {path.real} ({length})"
    if recording.ended_by:
        receipt += f"; it was ended by {recording.ended_by}"
    about = {
        "state": "saved",
        "path": path.real,
        "bytes": size,
        "seconds": round(recording.seconds),
        "endedBy": recording.ended_by,
    }
    return Text("\n".join(filter(None, [receipt, note])), {**about, **facts})
