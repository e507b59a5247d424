"""Resources: the guide, the help pages, and the last snapshot."""

from urllib.parse import quote, unquote

from browse.mcp._offer import PAGES
from browse.mcp.messages import INTERNAL_ERROR, INVALID_PARAMS, OLD_NOT_FOUND, RpcError, RpcMessage
from browse.mcp.runs import Json, Run, RunOutcome, command_at

GUIDE, SNAPSHOT, HELP = "browse://guide", "browse://snapshot", "browse://help"
_OWN = [
    {
        "uri": GUIDE,
        "name": "guide",
        "description": "The guide for agents",
        "mimeType": "text/markdown",
    },
    {
        "uri": SNAPSHOT,
        "name": "snapshot",
        "description": "The last snapshot taken here; page words are in an envelope",
        "mimeType": "text/plain",
    },
    {"uri": HELP, "name": "help", "description": "All commands", "mimeType": "text/plain"},
]
MAX_KEPT = 50


class Snapshots:
    """The last snapshot of each caller; those that came first are forgotten first."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def note(self, who: str, run: Run, outcome: RunOutcome) -> None:
        """Keep what a command printed if that was a snapshot with its envelope."""
        if (
            run.words[command_at(run.words)] == "snapshot"
            and "--json" not in run.words
            and not outcome.exit
        ):
            self._kept.pop(who, None)
            self._kept[who] = outcome.out
            for oldest in list(self._kept)[:-MAX_KEPT]:
                del self._kept[oldest]

    def last(self, who: str) -> str:
        return self._kept.get(who, "")

    def forget(self, who: str) -> None:
        """Keep it from a later client of the same name."""
        self._kept.pop(who, None)


def listed() -> Json:
    """List all resources."""
    pages = [
        {
            "uri": _address(name),
            "name": f"help {name}",
            "description": summary,
            "mimeType": "text/plain",
        }
        for name, summary in PAGES.items()
    ]
    return {"resources": [*_OWN, *pages]}


def templates() -> Json:
    """List the form of addresses of help pages."""
    form = {
        "uriTemplate": f"{HELP}/{{command}}",
        "name": "help",
        "description": "Help on a command",
    }
    return {"resourceTemplates": [{**form, "mimeType": "text/plain"}]}


def read(message: RpcMessage, snapshots: Snapshots, who: str) -> Run | Json:
    """Return a resource, or the command that prints it."""
    uri = message.params.get("uri")
    if not isinstance(uri, str):
        raise RpcError(INVALID_PARAMS, "uri is a string.", id=message.id)
    if uri == SNAPSHOT and (kept := snapshots.last(who)):
        return _contents(uri, kept)
    words = {GUIDE: ("help", "--agent"), SNAPSHOT: ("snapshot", "-i"), HELP: ("help",)}.get(uri)
    if words is None and uri.startswith(f"{HELP}/"):
        name = unquote(uri.removeprefix(f"{HELP}/"))
        words = ("help", *name.split()) if name in PAGES else None
    if words is None:
        code = INVALID_PARAMS if message.is_new else OLD_NOT_FOUND
        raise RpcError(code, "Resource not found", {"uri": uri[:200]}, message.id)

    def finish(outcome: RunOutcome) -> Json:
        if outcome.exit:
            raise RpcError(INTERNAL_ERROR, outcome.text[:2000], {"uri": uri}, message.id)
        return _contents(uri, outcome.out)

    return Run(words, finish)


def _address(name: str) -> str:
    return f"{HELP}/{quote(name)}"


def _contents(uri: str, text: str) -> Json:
    kind = "text/markdown" if uri == GUIDE else "text/plain"
    return {"contents": [{"uri": uri, "mimeType": kind, "text": text}]}
