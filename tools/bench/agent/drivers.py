"""The tools that an agent can drive, behind one interface that counts calls and characters.

Each driver uses its tool as the tool's own guide recommends: looking and acting in as few calls as
it allows, and reading what a call prints before calling again.
"""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

CALL_S = 60
Step = tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """A control as the agent has seen it: how to name it, its role, its name, and hints on it."""

    ref: str
    role: str
    name: str
    rest: str


@dataclass
class Driver:
    """One command-line tool in a folder of its own."""

    argv: list[str]
    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    calls: int = 0
    chars: int = 0
    rows: dict[str, Row] = field(default_factory=dict)
    said: str = ""  # what the last call printed

    def run(self, *steps: Step) -> str:
        """Run steps as one call, as with `&&` in a shell; the agent reads all that they print."""
        self.said = ""
        self.calls += 1
        for words in steps:
            done = subprocess.run(
                [*self.argv, *words],
                cwd=self.folder,
                env={**os.environ, **self.env},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=CALL_S,
                check=False,
            )
            self.said += (done.stdout + done.stderr).decode(errors="replace")
            if done.returncode:
                break
        self.chars += len(self.said)
        return self.said

    def begin(self) -> None:
        self.calls = self.chars = 0
        self.rows = {}

    def find(self, role: str, name: str) -> str:
        """Return the ref of a control that was shown, by its role and a part of its name; or "".

        Of several, the one with the fewest other words.
        """
        found = [
            row
            for row in self.rows.values()
            if re.fullmatch(role, row.role) and name.lower() in row.name.lower()
        ]
        return min(found, key=lambda row: len(row.name)).ref if found else ""

    def hinted(self, word: str) -> str:
        """Return the ref of a control without a name that a hint describes; or ""."""
        found = [row.ref for row in self.rows.values() if f"hint={word}" in row.rest]
        return found[0] if found else ""

    OPEN: ClassVar[str] = "open"
    LOOK: ClassVar[Step] = ("snapshot", "-i")
    TEXT: ClassVar[Step] = ("get", "text")
    HTML: ClassVar[Step] = ("get", "html", "body")
    STOP: ClassVar[Step] = ("close",)

    def see(self, said: str) -> None:
        """Take in the controls that a call has shown."""
        raise NotImplementedError

    def open(self, url: str) -> None:
        """Open a page and look at its controls."""
        self.see(self.run((self.OPEN, url), self.LOOK))

    def look(self) -> None:
        """Look at the controls again."""
        self.see(self.run(self.LOOK))

    def act(self, *steps: Step, look: bool = False) -> None:
        """Take steps; with `look`, see the controls that there are then."""
        said = self.run(*steps, *([self.LOOK] if look else []))
        if look:
            self.see(said)

    def act_and_read(self, *steps: Step, selector: str) -> str:
        """Take steps and read one part of the page, in one call."""
        return self.run(*steps, self.reading(selector))

    def reading(self, selector: str) -> Step:
        return (*self.TEXT, selector)

    def text(self, selector: str = "body") -> str:
        """Read the page, or a part of it."""
        return self.run(self.reading(selector))

    def html(self) -> str:
        """Read the page's source, where nothing else says what a control is."""
        return self.run(self.HTML)

    def stop(self) -> None:
        self.run(self.STOP)


class Browse(Driver):
    """Ours: `chain` for several steps, `--snapshot` for what they changed."""

    OPEN = "goto"
    TEXT = ("text",)
    HTML = ("html",)
    STOP = ("stop",)
    ROW = re.compile(r'^(?:[+~>] )? *(@[ec]\d+) \[([^\]]*)\](?: "((?:[^"\\]|\\.)*)")?(.*)$', re.M)

    def see(self, said: str) -> None:
        for ref, role, name, rest in self.ROW.findall(said):
            self.rows[ref] = Row(ref, "clickable" if ref.startswith("@c") else role, name, rest)

    def run(self, *steps: Step) -> str:
        if len(steps) == 1:
            return super().run(*steps)
        quoted = [" ".join(map(_quoted, step)) for step in steps]
        return super().run(("chain", " | ".join(quoted)))

    def open(self, url: str) -> None:
        self.rows = {}
        super().open(url)

    def act(self, *steps: Step, look: bool = False) -> None:
        last = (*steps[-1], "--snapshot") if look else steps[-1]
        self.see(self.run(*steps[:-1], last))


class AgentBrowser(Driver):
    """agent-browser: steps joined with `&&`, and a snapshot where the page may have changed."""

    ROW = re.compile(r'^ *- (\w+)(?: "((?:[^"\\]|\\.)*)")? ?\[(?:.*, )?ref=(e\d+).*?\](.*)$', re.M)

    def see(self, said: str) -> None:
        self.rows = {}
        for role, name, ref, rest in self.ROW.findall(said):
            pressed = "clickable" if role in ("generic", "clickable") else role
            self.rows[ref] = Row(f"@{ref}", pressed, name, rest)


class PlaywrightCli(Driver):
    """playwright-cli: every step names a file with a snapshot; `snapshot` prints one."""

    OPEN = "goto"
    LOOK = ("snapshot",)
    HTML = ("eval", "() => document.body.innerHTML")
    ROW = re.compile(
        r'^ *- (\w+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*? \[ref=((?:f\d+)?e\d+)\].*)$', re.M
    )

    def see(self, said: str) -> None:
        self.rows = {}
        for role, name, rest, ref in self.ROW.findall(said):
            pressed = "clickable" if "cursor=pointer" in rest and role == "generic" else role
            self.rows[ref] = Row(ref, pressed, name or rest.rpartition(": ")[2], rest)

    def run(self, *steps: Step) -> str:
        """Run steps; what a script returns is printed as JSON, which a reader understands."""
        return super().run(*steps).replace("\\n", "\n").replace("\\t", "\t")

    def reading(self, selector: str) -> Step:
        return ("eval", f"() => document.querySelector('{selector}').innerText")


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w@.:/=#?&-]+", word) else "'" + word.replace("'", r"'\''") + "'"
