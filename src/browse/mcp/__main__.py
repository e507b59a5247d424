"""`browse mcp`: serve a host that speaks MCP, over stdin and stdout."""

import os
import sys

from browse import _exit
from browse.client import wire
from browse.mcp import stdio


def main(words: list[str]) -> int:
    """Serve until the host closes our stdin."""
    if words:
        wire.say(
            f"mcp: it takes no arguments, not {words[0]!r}.",
            "Set BROWSE_SESSION, BROWSE_AGENT and others in the host's configuration.",
        )
        return _exit.USAGE
    if os.isatty(stdio.STDIN):
        wire.say(
            "This speaks MCP on stdin and stdout, for a program: JSON-RPC, a message a line.",
            "To add it to your agent: browse install --mcp. Ctrl-D ends it.",
        )
    stdio.serve()
    return _exit.OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]))
