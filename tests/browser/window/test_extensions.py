"""Which extensions a window loads."""

import json

from browse.browser.window import extensions
from browse.core.extension_id import extension_folder


def test_without_a_panel_there_is_the_companion(tmp_path):
    assert extensions.flags(tmp_path) == [
        f"--disable-extensions-except={extensions.COMPANION}",
        f"--load-extension={extensions.COMPANION}",
    ]


def test_the_panel_is_loaded_beside_it():
    panel = extension_folder()

    assert extensions.flags()[1] == f"--load-extension={extensions.COMPANION},{panel}"


def test_the_companion_is_whole():
    manifest = json.loads((extensions.COMPANION / "manifest.json").read_text())

    named = [manifest["background"]["service_worker"], *manifest["content_scripts"][0]["css"]]
    assert all((extensions.COMPANION / name).is_file() for name in named)
    assert manifest["permissions"] == ["debugger"]


def test_the_line_is_thin_and_at_rest_where_that_is_asked_for():
    style = (extensions.COMPANION / "line.css").read_text()

    assert "height: 2px" in style
    assert "infinite" not in style  # it would keep a core at work
    assert "prefers-reduced-motion: reduce" in style
    assert "pointer-events: none" in style
