"""A second pair of eyes in a window's Chromium: a page of it over the DevTools protocol.

The side panel is a page that no driver shows. A test starts Chromium through a program that opens
a port for it besides the daemon's own pipe.
"""

import itertools
import json
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from support.cli import until

ANSWER_S = 60.0


def debuggable(folder: Path, program: str) -> Path:
    """Write a program that runs Chromium with a port for tests; the profile says which."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "chromium"
    script.write_text(f'#!/bin/sh\nexec {program} "$@" --remote-debugging-port=0\n')
    script.chmod(0o755)
    return script


def targets(profile: Path) -> list[dict[str, Any]]:
    """List the pages of the Chromium that has a profile."""
    known = profile / "DevToolsActivePort"
    port = until(lambda: known.exists() and known.read_text().split(), what="its port")[0]
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
        return list(json.load(answer))


class DevtoolsPage:
    """One page, whose scripts a test may run."""

    def __init__(self, profile: Path, fits: Callable[[dict[str, Any]], bool]) -> None:
        found = until(lambda: list(filter(fits, targets(profile))), what="a page in the window")
        self._open = ExitStack()
        address = found[0]["webSocketDebuggerUrl"]
        self._socket = self._open.enter_context(connect(address, max_size=None, max_queue=None))
        self._numbers = itertools.count(1)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        ends = time.monotonic() + ANSWER_S
        while (said := json.loads(self._socket.recv(ends - time.monotonic()))).get("id") != number:
            pass
        if "error" in said:
            raise AssertionError(said["error"])
        return dict(said["result"])

    def js(self, expression: str) -> Any:
        """Run a script in the page; return its value."""
        answer = self.send(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, expression: str) -> Any:
        """Wait until a script's value is true; return it."""
        return until(lambda: self.js(expression), what=expression)

    def close(self) -> None:
        self._open.close()
