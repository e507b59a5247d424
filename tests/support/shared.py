"""The daemon that tests share: brought back to a known state after each of them, or replaced."""

import contextlib
import json
import os
import signal
from collections.abc import Iterable
from typing import Any

import psutil

from support.cli import Project, lives, until
from support.site import Site

Words = tuple[str, ...]
BLANK = "blank-again"
# What lasts beyond a tab: the words that tell it, and those that take it back.
LASTING: dict[Words, list[Words]] = {
    ("emulate",): [("emulate", "reset")],
    ("viewport",): [("viewport", "1280x720")],
    ("routes",): [("unroute",)],
    ("har",): [("har", "stop")],
    ("trace",): [("trace", "stop", "left-running.zip")],
    ("video",): [("video", "stop", "left-running.webm")],
    ("cookies",): [("state", "load", BLANK), ("state", "rm", BLANK)],
    ("header",): [],
    ("session", "list"): [],
    ("tunnel", "agents"): [],
    ("automate", "status"): [("automate", "end")],
}
# What is cheaper to do than to ask about.
ALWAYS: list[Words] = [
    ("dialog-accept",),
    ("dialog", "--clear"),
    ("console", "--clear"),
    ("network", "--clear"),
    ("downloads", "clear"),
]


class Left(AssertionError):
    """A test left the shared browser in a state from which it cannot be brought back."""


class Shared:
    """Knows how its project was at first, and brings it back to that."""

    def __init__(self, project: Project, site: Site) -> None:
        self.project = project
        self._site = site
        self._start()

    def _start(self) -> None:
        self.project.ok("url")
        self._first = self._told(LASTING)
        self.one_blank_tab()  # what was asked just now is in the journal of the first one

    def one_blank_tab(self) -> None:
        """Open a tab and close all others."""
        self.project.post("newtab")
        for tab in self.tabs():
            if not tab["current"]:
                self.project.post("closetab", str(tab["id"]))
        self.project.touched = False

    def is_plain(self) -> bool:
        """Tell whether there is one tab, whose page answers; be in its main frame then."""
        tabs = self.tabs()
        if len(tabs) != 1 or tabs[0]["crashed"] or "busy" in tabs[0]:
            return False
        status, _ = self.project.ask("POST", "/command", {"command": "frame", "args": ["main"]})
        return status == 200  # else a command still holds the tab

    def tabs(self) -> list[dict[str, Any]]:
        return json.loads(self.project.post("tabs", "--json"))["tabs"]

    def restore(self) -> None:
        """Take back what a test has set; where that cannot be done, start anew and blame it."""
        try:
            self._restore()
        except (AssertionError, OSError, ValueError) as exc:
            told = f"{exc}\n{self.project.log[-2000:]}"
            self._replace()
            raise Left(f"this test left the shared browser unusable: {told}") from exc

    def _restore(self) -> None:
        # A page can set cookies; the rest only a command can.
        told = self._told(LASTING if self.project.setting else [("cookies",)])
        for words in [words for words in told if told[words] != self._first[words]]:
            self._take_back(words, told[words])
        self._empty_storage()
        _expect(self._batch(ALWAYS))
        self.project.touched = True
        self.project.setting = False

    def _empty_storage(self) -> None:
        """Empty the storage of every origin, after a test that has used one: to ask costs more."""
        if self.project.stores or self._site.stores:
            self._shelve_blank()
            for call in LASTING["cookies",]:
                self.project.post(*call)
        self.project.stores = self._site.stores = False

    def _take_back(self, words: Words, now: dict[str, Any]) -> None:
        if words == ("cookies",):
            self._shelve_blank()
        for call in (*LASTING[words], *_each(words, now)):
            self.project.post(*call)
        left = self._told([words])[words]
        assert left == self._first[words], f"`browse {' '.join(words)}` still tells {left}"

    def _told(self, asked: Iterable[Words]) -> dict[Words, dict[str, Any]]:
        asked = list(asked)
        results = _expect(self._batch([(*words, "--json") for words in asked]))
        told = dict(zip(asked, results, strict=True))
        if sessions := told.get(("session", "list")):
            told["session", "list"] = {"open": [row["session"] for row in sessions["sessions"][1:]]}
        return told

    def _batch(self, calls: list[Words]) -> list[dict[str, Any]]:
        commands = [{"command": words[0], "args": words[1:]} for words in calls]
        status, text = self.project.ask("POST", "/batch", {"commands": commands})
        assert status == 200, text
        return json.loads(text)["results"]

    def _shelve_blank(self) -> None:
        """Put a state without anything where `state load` finds it."""
        folder = self.project.state_file.parent / "browse-states"
        folder.mkdir(mode=0o700, exist_ok=True)
        blank = {"version": 1, "savedAt": "", "cookies": [], "pages": [], "origins": []}
        (folder / f"{BLANK}.json").write_text(json.dumps(blank))
        (folder / f"{BLANK}.json").chmod(0o600)

    def _replace(self) -> None:
        # A daemon that was killed may be gone without a trace by now.
        with contextlib.suppress(OSError, ValueError, psutil.NoSuchProcess):
            family = self.project.family()
            os.kill(family[0].pid, signal.SIGKILL)
            until(lambda: not any(map(lives, family)), what=f"the end of {family}")
        self._start()


def _each(words: Words, now: dict[str, Any]) -> list[Words]:
    """Take back what has a name of its own, one by one."""
    if words == ("header",):
        return [("header", "--remove", name) for name in now["headers"]]
    if words == ("session", "list"):
        return [("session", "close", name) for name in now["open"]]
    if words == ("tunnel", "agents"):
        return [("tunnel", "revoke", name) for name in {row["clientId"] for row in now["agents"]}]
    return []


def _expect(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for row in results:
        assert row["status"] == 200, row
    return [row["result"] for row in results]
