"""`fleet up`, `keys`, `join`, `status` and `down`: what runs, and where."""

import logging
import os
import signal
import socket
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from browse.core.errors import BrowseError
from browse.core.text import counted
from browse.fleet import extra, keys, launch, place
from browse.fleet.commands import Say
from browse.fleet.place import FleetProcess, HeadNote
from browse.registry.results import Text

LOOPBACK = "127.0.0.1"
END_S = 45.0
LOOK_S = 0.05


async def up(say: Say, local: int, tabs: int, listen: str, port: int, *, dashboard: bool) -> Text:
    """Start a head unless one runs, then the local workers that are missing."""
    extra.require()
    if dashboard and find_spec("bokeh") is None:
        raise extra.fault(
            "Dask's dashboard needs bokeh, which is not installed.",
            "type `pip install bokeh` in the environment of browse, or leave --dashboard out",
        )
    at = place.folder()
    head = place.noted(at)
    if head is None or not head.head.lives:
        head = _start_head(at, listen or LOOPBACK, port, dashboard=dashboard)
        say(f"The head is up: {head.address}")
    elif (listen and listen != head.listen) or (dashboard and not head.dashboard):
        other = "without the dashboard" if listen in ("", head.listen) else f"not on {listen}"
        raise extra.fault(
            f"The fleet is up already, at {head.address}, {other}.",
            "end it first: browse fleet down",
        )
    head = _start_workers(say, at, head, local, tabs)
    return Text(_next(head), {"ok": True, **_facts(head)})


def _start_head(at: Path, listen: str, port: int, *, dashboard: bool) -> HeadNote:
    from browse.fleet.head import HeadOptions

    options = HeadOptions(listen, port, str(keys.own(at)), dashboard)
    started = launch.start("head", "browse.fleet.head", options, at / "head.log")()
    said = started.facts
    head = HeadNote(said["address"], started.process, (), said["dashboard"], listen)
    place.note(at, head)
    return head


def _start_workers(say: Say, at: Path, head: HeadNote, local: int, tabs: int) -> HeadNote:
    from browse.fleet.worker import WorkerOptions

    kept = [it for it in head.workers if it.lives]
    taken = {it.name for it in kept}
    missing = [f"local-{n}" for n in range(1, local + 1) if f"local-{n}" not in taken]
    file = str(keys.own(at))
    starting = [
        launch.start(
            name,
            "browse.fleet.worker",
            WorkerOptions(head.address, name, tabs, str(place.project(name)), file, LOOPBACK),
            at / f"{name}.log",
        )
        for name in missing
    ]
    try:
        for wait in starting:
            kept.append(wait().process)
            say(f"Worker {kept[-1].name} has joined, with {counted(tabs, 'tab')}.")
    finally:
        head = replace(head, workers=tuple(kept))
        place.note(at, head)
    return head


def make_keys(name: str, *, renew: bool) -> Text:
    """Make keys, and say where they are."""
    at = place.folder()
    if renew:
        if (head := place.noted(at)) and head.head.lives:
            raise extra.fault("A fleet is up with the keys that there are.", "browse fleet down")
        keys.renew(at)
    path = keys.issue(at, name) if name else keys.own(at)
    until = keys.ends(path)
    data = {"ok": True, "file": str(path), "until": f"{until:%Y-%m-%d}"}
    text = f"Keys: {path} (private, until {until:%Y-%m-%d})"
    if name:
        text += f"\nCopy them: scp {path} {name}:.gstack/fleet/{keys.OWN}"
    return Text(text, data)


async def join(say: Say, address: str, name: str, tabs: int, file: str, listen: str) -> Text:
    """Be a worker in this process."""
    extra.require()
    from browse.fleet import connect, worker

    logging.disable(logging.INFO)  # of Dask, only what is wrong
    at = place.folder()
    own = keys.usable(_path(file) if file else at / keys.OWN)
    chosen = name or socket.gethostname().partition(".")[0]
    options = worker.WorkerOptions(
        connect.address(address),
        chosen,
        tabs,
        str(place.project(chosen)),
        str(own),
        listen,
        stays=True,
    )
    await worker.serve(options, lambda **_: say(f"Worker {chosen} has joined {address}."))
    return Text(f"Worker {chosen} has left.", {"ok": True, "worker": chosen})


def _path(file: str) -> Path:
    return Path(file).expanduser().absolute()


async def status() -> Text:
    """List the workers of the fleet of this machine."""
    extra.require()
    from browse.fleet import connect

    head = place.living(place.folder())
    async with connect.client() as client:
        rows = await client.scheduler.browse_workers()
    lines = [f"Head: {head.address}"]
    if head.dashboard:
        lines.append(f"Dask's dashboard: {head.dashboard}")
    lines += [_row(row) for row in rows] or ["No worker has joined yet."]
    return Text("\n".join(lines), {"ok": True, **_facts(head), "workers": rows})


def _row(row: dict[str, Any]) -> str:
    megabytes = row["memory"] >> 20
    return (
        f"  {row['name']:<16} {row['host']:<16} {row['busy']} under way, {row['tabs']} tabs,"
        f" {megabytes} MB, {row['state']}"
    )


async def down() -> Text:
    """End the fleet; what does not end in time is ended by the system."""
    extra.require()
    from browse.fleet import connect

    at = place.folder()
    head = place.noted(at)
    if head is None:
        return Text("No fleet is up.", {"ok": True, "ended": 0})
    if head.head.lives:
        with suppress(BrowseError, OSError):  # it ended meanwhile, or answers nobody
            async with connect.client() as client:
                await client.scheduler.browse_down()
    processes = [head.head, *head.workers]
    running = [it for it in processes if it.lives]
    _see_ended(running)
    (at / place.NOTE).unlink(missing_ok=True)
    return Text("The fleet is down.", {"ok": True, "ended": len(running)})


def _see_ended(processes: list[FleetProcess]) -> None:
    limit = time.monotonic() + END_S
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            if number and process.lives:
                with suppress(ProcessLookupError):  # just now
                    os.kill(process.pid, number)
        while any(it.lives for it in processes) and time.monotonic() < limit:
            time.sleep(LOOK_S)
        limit = time.monotonic() + 5.0


def _facts(head: HeadNote) -> dict[str, Any]:
    workers = [it.name for it in head.workers]
    return {"address": head.address, "dashboard": head.dashboard, "local": workers}


def _next(head: HeadNote) -> str:
    lines = [f"The fleet is up: {head.address}, {counted(len(head.workers), 'local worker')}."]
    if head.dashboard:
        lines.append(f"Dask's dashboard: {head.dashboard}")
    if not head.address.startswith(f"tls://{LOOPBACK}"):
        lines.append(f"On other machines: browse fleet join {head.address}")
    return "\n".join([*lines, "Next: browse fleet map urls.txt --do 'text --main' --out out.jsonl"])
