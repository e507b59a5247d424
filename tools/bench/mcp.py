"""What a call of MCP costs over the same request: `.venv/bin/python -m tools.bench.mcp`.

In turn: the same words by HTTP, through `browse mcp`, through `/mcp`, and as a command of a shell.
It also prints how many bytes a model reads before the first call, and how long a start takes.
"""

import argparse
import http.client
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from browse.mcp import messages, tools
from browse.mcp._offer import INSTRUCTIONS

COMMAND = str(Path(__file__).resolve().parents[2] / "browse")
CALL = {"name": "read", "arguments": {"args": ["url"]}}


def message(method: str, params: dict[str, Any]) -> bytes:
    return messages.encode({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


class McpBench:
    """A project with a daemon, and a host beside it."""

    def __init__(self, folder: Path) -> None:
        (folder / ".git").mkdir()
        self._folder = folder
        self.shell()
        self._state = json.loads((folder / ".gstack/browse.json").read_text("utf-8"))
        begun = time.perf_counter()
        self._host = subprocess.Popen(
            [COMMAND, "mcp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._ask(message("initialize", {"protocolVersion": messages.OLD[0]}))
        self.start_ms = (time.perf_counter() - begun) * 1000

    def _ask(self, line: bytes) -> None:
        if self._host.stdin and self._host.stdout:  # both are pipes
            self._host.stdin.write(line + b"\n")
            self._host.stdin.flush()
            self._host.stdout.readline()

    def _post(self, path: str, body: bytes) -> None:
        peer = http.client.HTTPConnection("127.0.0.1", self._state["port"])
        peer.request("POST", path, body, {"Authorization": f"Bearer {self._state['token']}"})
        peer.getresponse().read()
        peer.close()

    def post(self) -> None:
        self._post("/command", b'{"command": "url"}')

    def http(self) -> None:
        self._post("/mcp", message("tools/call", CALL))

    def stdio(self) -> None:
        self._ask(message("tools/call", CALL))

    def shell(self) -> None:
        subprocess.run([COMMAND, "url"], cwd=self._folder, check=True, capture_output=True)

    def end(self) -> None:
        self._host.communicate()
        subprocess.run([COMMAND, "stop"], cwd=self._folder, check=True, capture_output=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        bench = McpBench(Path(name))
        ways = {
            "POST /command": bench.post,
            "POST /mcp": bench.http,
            "browse mcp": bench.stdio,
            "browse url in a shell": bench.shell,
        }
        took: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(rounds):
            for way, go in ways.items():
                begun = time.perf_counter()
                go()
                took[way].append((time.perf_counter() - begun) * 1000)
        bench.end()
    sizes = len(messages.encode({"tools": tools.TOOLS})), len(INSTRUCTIONS.encode())
    print(f"{sizes[0]} bytes of tools, {sizes[1]} of instructions")
    print(f"first answer after {bench.start_ms:.0f} ms")
    base = statistics.median(took["POST /command"])
    for way, all_ms in took.items():
        median = statistics.median(all_ms)
        print(f"{way:<24} {median:7.2f} ms  {median - base:+7.2f}")


if __name__ == "__main__":
    main()
