"""A second Chromium that is a person's own, with a port for programs."""

import json
import os
import re
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.programs import where

from browse.browser.process.chromium import find, find_with_window
from browse.browser.process.chromium_sandbox import why_no_sandbox
from support.cli import HANG_S
from support.devtools import DevtoolsPage

ADDRESS = re.compile(rb"DevTools listening on (ws://(\S+?)/\S+)")


@dataclass
class Everyday:
    """The person's browser: where it listens, and what is open in it."""

    process: subprocess.Popen[bytes]
    profile: Path
    socket: str
    place: str  # host and port

    @property
    def http(self) -> str:
        return f"http://{self.place}"

    def urls(self) -> list[str]:
        """List the addresses of its tabs."""
        with urllib.request.urlopen(f"{self.http}/json/list") as answer:
            return sorted(it["url"] for it in json.load(answer) if it["type"] == "page")

    def open(self, url: str) -> None:
        """Open a tab, as the person does."""
        request = urllib.request.Request(f"{self.http}/json/new?{url}", method="PUT")
        urllib.request.urlopen(request).close()

    def close(self, url: str) -> None:
        """Close all tabs that show an address, as the person does."""
        with urllib.request.urlopen(f"{self.http}/json/list") as answer:
            ids = [it["id"] for it in json.load(answer) if it["url"] == url]
        for id in ids:
            urllib.request.urlopen(f"{self.http}/json/close/{id}").close()

    def page(self, url: str) -> DevtoolsPage:
        """Return one of its tabs, to do what the person does there."""
        found = DevtoolsPage(self.profile, lambda it: it["type"] == "page" and it["url"] == url)
        found.until(f"location.href === {url!r} && document.readyState === 'complete'")
        return found

    def end(self) -> None:
        self.process.kill()
        self.process.wait(HANG_S)


@contextmanager
def virtual_screen() -> Iterator[str]:
    """Start a screen that nobody sees; gives its name."""
    reads, writes = os.pipe()
    words = [str(where("Xvfb")), "-displayfd", str(writes), "-screen", "0", "1300x900x24"]
    process = subprocess.Popen(words, pass_fds=[writes], stderr=subprocess.DEVNULL)
    os.close(writes)
    try:
        with os.fdopen(reads) as told:
            yield f":{told.readline().strip()}"
    finally:
        process.kill()
        process.wait(HANG_S)


@contextmanager
def everyday_browser(
    profile: Path, *urls: str, port: str = "0", screen: str = "", flags: tuple[str, ...] = ()
) -> Iterator[Everyday]:
    """Start a person's browser with some tabs, in a window if a screen is given."""
    chosen = os.environ.get("GSTACK_CHROMIUM_PATH", "")
    program = find_with_window(chosen) if screen else find("")
    sandbox = ["--no-sandbox"] if why_no_sandbox(off=None, contained=True) else []
    process = subprocess.Popen(
        [
            str(program.path),
            "--no-first-run" if screen else "--headless",
            f"--remote-debugging-port={port}",
            f"--user-data-dir={profile}",
            *sandbox,
            *flags,
            *urls[:1],
        ],
        env={**os.environ, "DISPLAY": screen},
        stderr=subprocess.PIPE,
    )
    try:
        browser = Everyday(process, profile, *_listening(process))
        for url in urls[1:]:
            browser.open(url)
        yield browser
    finally:
        process.kill()
        process.wait(HANG_S)
        if process.stderr:
            process.stderr.close()


def _listening(process: Any) -> tuple[str, str]:
    for line in process.stderr:
        if found := ADDRESS.search(line):
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return found[1].decode(), found[2].decode()
    raise AssertionError("the person's browser did not start")
