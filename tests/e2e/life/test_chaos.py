"""A few sudden ends in the middle of commands; `tools.chaos` does many."""

import shutil
import tempfile
from pathlib import Path

import pytest
from tools.chaos import Chaos

from support.cli import compiled

pytestmark = pytest.mark.e2e
KILLS = 3
SECONDS = 12.0


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_stays_broken_when_things_are_killed(seed, monkeypatch):
    for name, value in compiled().items():
        monkeypatch.setenv(name, value)
    # Not below tmp_path, which is too long for the socket that Chromium makes in it.
    folder = Path(tempfile.mkdtemp(prefix="t-"))
    try:
        report = Chaos(folder, seed, say=lambda _: None).rounds(KILLS, seconds=SECONDS)
    finally:
        shutil.rmtree(folder)

    assert report.wrong == []
    assert report.kills.total() > 0
