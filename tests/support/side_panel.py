"""The side panel in a window, used as a person does: by shortcut, mouse and keys."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browse.browser.process import chromium
from support.cli import Project
from support.devtools import DevtoolsPage, debuggable, targets
from support.own_pages import THEMES, axe
from support.window import person


def windowed(folder: Path, **env: str) -> Project:
    """Start a daemon with a window that a second program can look into."""
    found = chromium.find_with_window(os.environ.get("GSTACK_CHROMIUM_PATH", ""))
    program = debuggable(folder / "bin", str(found.path))
    made = Project.make(folder, GSTACK_CHROMIUM_PATH=str(program), **env)
    made.ok("connect")
    return made


class Window:
    """The page that the person sees, and the panel beside it."""

    def __init__(self, project: Project, address: str) -> None:
        self.project = project
        self.profile = project.root / ".gstack" / "chromium-profile"
        project.ok("goto", address)
        self.page = DevtoolsPage(self.profile, lambda it: it["url"] == address)
        self.panel = self.opened() if self.panels() else self.open()

    def panels(self) -> list[dict[str, Any]]:
        return [it for it in targets(self.profile) if "/panel/panel.html" in it["url"]]

    def opened(self) -> DevtoolsPage:
        panel = DevtoolsPage(self.profile, lambda it: "/panel/panel.html" in it["url"])
        panel.until("document.body?.dataset.state === 'connected'")
        return panel

    def open(self) -> DevtoolsPage:
        """Open the panel by its shortcut."""
        self.click(400, 300)
        person(self.project, "key", "ctrl+shift+y")
        return self.opened()

    def point(self, x: int, y: int) -> tuple[str, str]:
        """Return a point of the page on the screen."""
        left, top = self.page.js("[screenX, screenY + outerHeight - innerHeight]")
        return str(left + x), str(top + y)

    def click(self, x: int, y: int) -> None:
        person(self.project, "mousemove", *self.point(x, y), "click", "1")

    def choose(self, pane: str) -> None:
        self.panel.js(
            "document.querySelector('#more[aria-pressed=false]')?.click();"
            f"document.querySelector('#tab-{pane}').click()"
        )

    def press(self, button: str) -> None:
        named = (
            f"[...document.querySelectorAll('button')].find((it) => it.innerText === {button!r})"
        )
        self.panel.js(f"{named}.click()")

    def pick(self, button: str, x: int, y: int) -> None:
        """Start the picker with a button of the panel, and click a point of the page."""
        self.press(button)
        self.page.until(f"document.elementFromPoint({x}, {y}).localName === 'browse-layer'")
        self.click(x, y)

    def drawn(self) -> str:
        """Return the words of what the extension draws on the page."""
        return " ".join(it["nodeValue"] for it in self._drawn())

    def drawn_classes(self) -> list[str]:
        """List the classes of what the extension draws on the page."""
        return [it["attributes"][1] for it in self._drawn() if it.get("attributes")]

    def _drawn(self) -> list[dict[str, Any]]:
        tree = self.page.send("DOM.getDocument", depth=-1, pierce=True)["root"]
        layers = [it for it in _nodes(tree) if it.get("localName") == "browse-layer"]
        return [it for layer in layers for it in _nodes(layer)]

    def violations(self) -> list[str]:
        """List what axe-core objects to in the panel, in both themes."""
        self.panel.js(axe().read_text("utf-8"))
        found = []
        for theme in THEMES:
            features = [{"name": "prefers-color-scheme", "value": theme}]
            self.panel.send("Emulation.setEmulatedMedia", features=features)
            report = self.panel.js("axe.run().then((it) => JSON.stringify(it.violations))")
            found += [f"{theme}: {it['id']}: {it['nodes'][0]['html']}" for it in json.loads(report)]
        return found

    def close(self) -> None:
        self.page.close()
        self.panel.close()


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for inner in [*node.get("children", ()), *node.get("shadowRoots", ())]:
        yield from _nodes(inner)
