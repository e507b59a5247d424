"""Recording what happens, to be looked at afterwards."""

import re
from typing import Annotated, Any, Literal

from browse.browser.recordings.recording import Recorder, Recording
from browse.browser.recordings.video import Video
from browse.browser.recordings.webm import Size
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.files import WritePath
from browse.registry.params import Doc, Param, Surroundings, WriteFile
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command

SAVE_S = 120.0
MIN_SIDE_PX, MAX_SIDE_PX = 16, 4096
Action = Literal["start", "stop"]


def _size(raw: str, _: Surroundings) -> Size:
    found = re.fullmatch(r"([0-9]{2,4})x([0-9]{2,4})", raw.strip().lower())
    size = Size(int(found[1]), int(found[2])) if found else Size(0, 0)
    if not all(MIN_SIDE_PX <= side <= MAX_SIDE_PX for side in size):
        raise Usage(
            f"{raw[:40]!r} is not a size from {MIN_SIDE_PX}x{MIN_SIDE_PX} to "
            f"{MAX_SIDE_PX}x{MAX_SIDE_PX} pixels",
            hint="give one such as 1280x720",
        )
    return size


VideoSize = Annotated[Size, Param("WxH", _size)]


@command(group=Group.RECORDING, scope=Scope.ADMIN, lane=Lane.FREE, deadline=SAVE_S, mutates=False)
async def trace(
    ctx: Ctx,
    action: Annotated[Action | None, Doc("Without one: what is under way.")] = None,
    file: Annotated[WriteFile | None, Doc("stop: where to save it.")] = None,
) -> Text:
    """Record all tabs step by step, with pictures, for Playwright's trace viewer.

    Look at it with `playwright show-trace trace.zip` or at https://trace.playwright.dev. It holds
    everything, in plain text: what was typed, passwords too, cookies, page contents. The file is
    for your eyes only (0600). It ends by itself after 30 minutes and waits to be saved.

    Examples:
        browse trace start
        browse trace stop trace.zip
        browse trace
    """
    _check("trace", action, file)
    recorder = (await ctx.tabs()).trace
    if action == "start":
        await recorder.start()
        return _state(recorder, "Recording a trace")
    if action == "stop" and file:
        note = "It holds what was typed, cookies and page contents in plain text."
        return await _saved(recorder, file, note=note)
    return _state(recorder, "Recording a trace")


@command(group=Group.RECORDING, scope=Scope.READ, lane=Lane.FREE, deadline=SAVE_S)
async def video(
    ctx: Ctx,
    action: Annotated[Action | None, Doc("Without one: what is under way.")] = None,
    file: Annotated[WriteFile | None, Doc("stop: where to save it.")] = None,
    *,
    size: Annotated[
        VideoSize | None, Doc("start: its size; else the window's, up to 800 pixels.")
    ] = None,
) -> Text:
    """Record a tab as a WebM video, through all navigations, up to 10 pictures a second.

    One at a time. It ends by itself when the tab closes, after 30 minutes or 500 MB, and waits to
    be saved.

    Examples:
        browse video start
        browse video start --size 1280x720
        browse video stop video.webm
        browse video
    """
    _check("video", action, file)
    if size and action != "start":
        raise Usage("video: --size goes with start only", hint="browse video start --size 1280x720")
    tabs = await ctx.tabs()
    if action == "start":
        id = ctx.call.tab_id
        tab = tabs.find(id) if id else await tabs.current(ctx.call.caller)
        _ = tab.frame  # a crashed tab says so first
        await tabs.video.start(tab, size)
    if action == "stop" and file:
        return await _saved(tabs.video, file, **_about_video(tabs.video.current))
    about = _about_video(tabs.video.current)
    return _state(tabs.video, f"Recording a video of tab {about.get('tabId')}", **about)


def _about_video(video: Video | None) -> dict[str, Any]:
    return {"tabId": video.tab_id, "pictures": len(video.film.frames)} if video else {}


def _check(name: str, action: Action | None, file: WritePath | None) -> None:
    if action == "stop" and not file:
        end = "zip" if name == "trace" else "webm"
        raise Usage(
            f"{name} stop: no file is named",
            hint=f"browse {name} stop {name}.{end}",
        )
    if action != "stop" and file:
        raise Usage(f"{name}: the file is named when it is stopped", hint=f"browse {name} start")


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
    told = f"{recording.kind.capitalize()} saved: {path.real} ({length})"
    if recording.ended_by:
        told += f"; it was ended by {recording.ended_by}"
    about = {
        "state": "saved",
        "path": path.real,
        "bytes": size,
        "seconds": round(recording.seconds),
        "endedBy": recording.ended_by,
    }
    return Text("\n".join(filter(None, [told, note])), {**about, **facts})
