"""POST /batch: up to fifty commands in one request; tabs in parallel, each tab in order."""

import asyncio
import time
from collections import defaultdict
from typing import Any

import msgspec
from starlette.requests import Request

from browse.auth.caller import Caller
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.dispatch.call import Call
from browse.dispatch.runner import KeptOutput
from browse.dispatch.running import Running
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.attend import attend
from browse.server.routes.command import note_refusal
from browse.server.services import Services

MAX_COMMANDS = 50


class Item(msgspec.Struct):
    """One command of a batch, and how it ended."""

    index: int
    call: Call | None
    problem: BrowseError | None = None
    kept: KeptOutput | None = None


def endpoints(services: Services) -> list[Endpoint]:
    """Build the endpoints that run several commands: one function under two addresses."""
    running = services.running

    async def batch(request: Request, caller: Caller) -> reply.Reply:
        """Run `{commands: [{command, args?, tabId?}, …]}`, 1 to 50, and return a result for each.

        Commands on different tabs run in parallel; on one tab they run in order. One that fails
        does not stop the others. Together they count as one request towards the caller's rate.
        `POST /batch` and `POST /command/batch` are the same.
        """
        wanted = body.decode(await body.read_from(caller, request), body.BatchBody)
        if not 1 <= len(wanted.commands) <= MAX_COMMANDS:
            raise BrowseError(
                Code.BAD_REQUEST,
                f"A batch has 1 to {MAX_COMMANDS} commands, not {len(wanted.commands)}.",
                hint="split it",
            )
        items = [
            _item(index, raw, caller, services.project) for index, raw in enumerate(wanted.commands)
        ]
        running.admit()
        started = time.monotonic()
        task = spawn(_run_all(items, running), name="batch")
        if not await attend(task, request.receive):
            return reply.nobody()
        task.result()  # a defect must not look like success
        for item in items:
            if item.call and item.problem:
                note_refusal(item.call, item.problem, services, request)
        return reply.batch([_row(item) for item in items], time.monotonic() - started)

    return [
        Endpoint("POST", path, EndpointAccess.BEARER, batch)
        for path in ("/batch", "/command/batch")
    ]


def _item(index: int, raw: msgspec.Raw, caller: Caller, project: str) -> Item:
    try:
        wanted = body.decode(raw, body.CommandBody)
    except BrowseError as exc:
        return Item(index, None, problem=exc)
    return Item(index, body.as_call(wanted, caller, project))


async def _run_all(items: list[Item], running: Running) -> None:
    lines: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        if item.call:
            lines[await running.tab_of(item.call)].append(item)
    async with asyncio.TaskGroup() as group:
        for line in lines.values():
            group.create_task(_run_in_order(line, running))


async def _run_in_order(line: list[Item], running: Running) -> None:
    for item in line:
        if item.call:
            item.kept = KeptOutput()
            item.problem = await running.start(item.call, item.kept)


def _row(item: Item) -> dict[str, Any]:
    name = item.call.words[0] if item.call else None
    return {
        "index": item.index,
        "command": name,
        "tabId": item.call.tab_id if item.call else None,
        **reply.outcome(item.problem, item.kept),
    }
