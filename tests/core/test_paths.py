"""Where things live."""

from pathlib import Path

import pytest

from browse import _where
from browse.core.paths import Paths, temp_folder
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


def test_the_temporary_folder_is_that_of_tmpdir(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    assert temp_folder() == tmp_path


def test_our_own_folders_are_private(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "project" / "kept" / "daemon.json", tmp_path / "home")

    assert {str(tmp_path / "project" / "kept"), str(tmp_path / "home")} <= set(paths.private())


def test_in_a_shared_folder_only_our_files_are_private() -> None:
    paths = Paths(temp_folder() / "mine.json", Path.home())
    temp, home = temp_folder().resolve(), Path.home().resolve()

    private = set(paths.private())

    assert not {str(temp), str(home)} & private
    assert {f"{temp}/mine.json", f"{temp}/browse-audit.jsonl", f"{home}/security"} <= private


def test_a_temporary_folder_inside_ours_is_not_closed(tmp_path: Path, monkeypatch) -> None:
    temp = tmp_path / "temporary files"
    monkeypatch.setattr("tempfile.tempdir", str(temp))

    private = set(Paths(temp / "mine.json", tmp_path).private())

    assert not {str(tmp_path), str(temp)} & private
    assert {f"{temp}/mine.json", f"{tmp_path}/security"} <= private
