"""Answer MCP messages: at once, or with a command that somebody runs.

It remembers nothing of its clients but their last snapshots, so one serves any number of them.
"""

from typing import TYPE_CHECKING

from browse.mcp import prompts, resources, tools
from browse.mcp._offer import INSTRUCTIONS
from browse.mcp.messages import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    NEW,
    OLD,
    SERVER,
    RpcError,
    RpcMessage,
    check_revision,
)
from browse.mcp.runs import Json, Run, RunOutcome

if TYPE_CHECKING:
    from collections.abc import Callable

_OFFER: Json = {"tools": {}, "resources": {}, "prompts": {}}
_CACHEABLE = frozenset(
    {
        "server/discover",
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
    }
)


class Server:
    """The methods of MCP, for clients of both kinds."""

    def __init__(self) -> None:
        self._snapshots = resources.Snapshots()
        self._methods: dict[str, Callable[[RpcMessage, str], Run | Json]] = {
            "initialize": _initialize,
            "ping": lambda *_: {},
            "server/discover": _discover,
            "tools/list": lambda *_: {"tools": tools.TOOLS},
            "tools/call": lambda message, _: tools.run(message.params),
            "resources/list": lambda *_: resources.listed(),
            "resources/templates/list": lambda *_: resources.templates(),
            "resources/read": lambda it, who: resources.read(it, self._snapshots, who),
            "prompts/list": lambda *_: prompts.listed(),
            "prompts/get": lambda message, _: prompts.get(message),
        }

    def answer(self, message: RpcMessage, who: str = "") -> Run | Json:
        """Answer a request of a caller: with the reply, or with a command whose end is told."""
        check_revision(message)
        method = self._methods.get(message.method)
        if method is None or (message.is_new and message.method in ("initialize", "ping")):
            raise RpcError(
                METHOD_NOT_FOUND, f"Method not found: {message.method[:60]}", id=message.id
            )
        try:
            found = method(message, who)
        except RpcError as exc:
            exc.id = message.id
            raise
        return found if isinstance(found, Run) else self._reply(message, found)

    def finish(self, message: RpcMessage, run: Run, outcome: RunOutcome, who: str = "") -> Json:
        """Build the reply of a request whose command has ended."""
        self._snapshots.note(who, run, outcome)
        try:
            return self._reply(message, run.finish(outcome))
        except RpcError as exc:
            return exc.reply()

    def forget(self, who: str) -> None:
        """Forget a caller that has no rights any more."""
        self._snapshots.forget(who)

    def _reply(self, message: RpcMessage, result: Json) -> Json:
        return message.reply(result, cache=message.method in _CACHEABLE)


def _initialize(message: RpcMessage, _: str) -> Json:
    asked = message.params.get("protocolVersion")
    if not isinstance(asked, str):
        raise RpcError(INVALID_PARAMS, "protocolVersion is a string.")
    return {
        "protocolVersion": asked if asked in OLD else OLD[0],
        "capabilities": _OFFER,
        "serverInfo": SERVER,
        "instructions": INSTRUCTIONS,
    }


def _discover(*_: object) -> Json:
    return {
        "supportedVersions": list(NEW),
        "capabilities": _OFFER,
        "instructions": INSTRUCTIONS,
    }
