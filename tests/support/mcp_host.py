"""`browse mcp` as a process, with its messages as Python values."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-I", "-S", str(ROOT / "src/browse/client/boot.py"), "mcp"]


class Host:
    """A host that started `browse mcp` in a folder of its own."""

    def __init__(self, folder: Path, program: str = "") -> None:
        self.folder = folder
        self.state = folder / ".gstack/browse.json"
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "BROWSE_NO_AUTOSTART": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", program] if program else COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=env,
        )
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.stderr = self.process.stderr

    def send(self, method: str, id: int | None = 1, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        if id is None:
            del message["id"]
        self.send_raw(json.dumps(message).encode())

    def send_raw(self, line: bytes) -> None:
        self.stdin.write(line + b"\n")
        self.stdin.flush()

    def take(self) -> dict[str, Any]:
        return json.loads(self.stdout.readline())

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.send(method, **params)
        return self.take()

    def call(self, tool: str, *args: str, **more: Any) -> dict[str, Any]:
        """Call a tool and return its result."""
        return self.ask("tools/call", name=tool, arguments={"args": list(args), **more})["result"]

    def close(self) -> None:
        self.stdin.close()
        self.process.wait(90)
        self.stdout.close()
        self.stderr.close()
