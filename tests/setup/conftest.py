from pathlib import Path

import pytest

from browse.browser.process.chromium import System
from browse.setup.check import Scene
from support.checkouts import a_checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return a_checkout(tmp_path / "check out")


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """A machine with nothing on PATH, an empty home, and a project of its own."""
    monkeypatch.delenv("BROWSE_STATE_FILE", raising=False)
    environ = {
        "HOME": str(tmp_path / "home"),
        "PATH": str(tmp_path / "bin"),
        "BROWSE_STATE_FILE": str(tmp_path / "project/.gstack/browse.json"),
    }
    (tmp_path / "project").mkdir()
    return Scene(System(environ, "linux", tmp_path / "root", 1000))
