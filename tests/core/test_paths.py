"""Where things live."""

import os
from pathlib import Path

import pytest

from browse import _where
from browse.core.paths import Paths, temp_folder, unclaimed
from browse.core.settings import Settings


@pytest.fixture
def paths(tmp_path) -> Paths:
    settings = Settings(
        state_file=str(tmp_path / "project/.gstack/browse.json"), home=str(tmp_path / "home")
    )
    return Paths.of(settings)


def test_everything_of_a_project_lies_beside_its_state_file(paths, tmp_path):
    folder = tmp_path / "project/.gstack"

    assert paths.state_dir == folder
    assert paths.project == tmp_path / "project"
    assert paths.daemon_log == folder / _where.DAEMON_LOG
    assert paths.daemon_lock == folder / _where.DAEMON_LOCK


def test_the_shared_home_holds_the_drivers_cache(paths, tmp_path):
    assert tmp_path / "home" in paths.driver_cache.parents


def test_without_settings_the_project_is_that_of_the_working_folder(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    monkeypatch.delenv("BROWSE_STATE_FILE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))

    paths = Paths.of(Settings())

    assert paths.state_file == tmp_path / ".gstack/browse.json"
    assert paths.home == tmp_path / ".gstack"


def test_the_temporary_folder_is_there(paths):
    assert paths.temp == temp_folder()
    assert temp_folder().is_dir()


def test_a_file_that_another_user_has_is_left_to_them(tmp_path):
    other = os.getuid() + 1
    assert unclaimed(tmp_path, "shot.png", other) == "shot.png"
    (tmp_path / "shot.png").touch()

    assert unclaimed(tmp_path, "shot.png") == "shot.png"
    assert unclaimed(tmp_path, "shot.png", other) == f"shot-{other}.png"


def test_a_tilde_in_the_shared_home_is_the_users_home(monkeypatch):
    monkeypatch.setenv("HOME", "/home/someone")

    paths = Paths.of(Settings(state_file="/p/.gstack/browse.json", home="~/shared"))

    assert paths.home == Path("/home/someone/shared")
