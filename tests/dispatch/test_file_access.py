"""Which files are whose."""

import dataclasses
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from browse.auth.caller import ROOT, Caller
from browse.core.paths import Paths
from browse.core.scopes import Scope, Surface
from browse.dispatch import file_access
from browse.dispatch.file_access import KEPT_S, TOLD_S, FileAccess
from browse.guard.files import Roots

AGENT = Caller("codex", Scope.READ | Scope.WRITE, Surface.LOCAL)
OTHER_USER = 65_534


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(file_access, "temp_folder", lambda: folder)
    monkeypatch.setattr(file_access, "USUAL_TEMP", folder)
    return folder


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    for name in ("project/kept", "project/.git", "home"):
        (tmp_path / name).mkdir(parents=True)
    return Paths(tmp_path / "project" / "kept" / "state.json", tmp_path / "home")


def test_the_owner_uses_the_project_and_the_temporary_folder(temp, paths) -> None:
    files = FileAccess(paths).of(ROOT)

    for roots in (files.reads, files.writes):
        for path in (temp / "a", paths.project / "a", paths.project / ".git" / "config"):
            assert roots.hold(str(path)), path


@pytest.mark.parametrize("caller", [ROOT, AGENT, replace(AGENT, name="skill:x")], ids=str)
def test_files_of_browse_are_closed_to_every_caller_under_any_name(temp, paths, caller) -> None:
    files = FileAccess(paths).of(caller)
    paths.state_file.write_text("token")
    os.link(paths.state_file, paths.project / "innocent.json")

    for roots in (files.reads, files.writes):
        for path in (
            paths.state_file,
            paths.state_dir,
            paths.state_dir / "new.json",
            paths.home / "config.yaml",
            paths.project / "innocent.json",
        ):
            assert not roots.hold(str(path)), path


def test_an_agent_reads_the_project_without_dotfiles_and_writes_to_its_own_folder(
    temp, paths
) -> None:
    access = FileAccess(paths)
    files, own = access.of(AGENT), access.own(AGENT)

    assert files.reads.hold(str(paths.project / "src" / "a.py"))
    assert files.reads.hold(f"{own}/a.png")
    assert files.writes.hold(f"{own}/a.png")
    for path in (".git/config", ".env", "src/.hidden/x", ".git"):
        assert not files.reads.hold(str(paths.project / path)), path
        assert not files.writes.hold(str(paths.project / path)), path
    assert not files.writes.hold(str(paths.project / "a.png"))
    assert not files.writes.hold(f"{own}/.profile")
    assert not files.reads.hold(str(temp / "of-the-owner.png"))


def test_callers_and_projects_have_folders_apart(temp, paths) -> None:
    elsewhere = dataclasses.replace(paths, state_file=Path("/x/state.json"))
    access, other = FileAccess(paths), FileAccess(elsewhere)
    remote = replace(AGENT, name="../../etc", surface=Surface.TUNNEL)

    folders = [access.own(ROOT), access.own(AGENT), access.own(remote), other.own(ROOT)]

    assert len(set(folders)) == len(folders)
    for folder in folders:
        assert Path(folder).resolve().is_relative_to(temp)
    assert access.own(AGENT) == folders[1]
    access.forget(AGENT.name)
    assert access.own(AGENT) != folders[1]


def test_a_caller_fetches_only_its_own_files(temp, paths) -> None:
    access = FileAccess(paths)
    mine, theirs = f"{access.own(AGENT)}/a.png", f"{access.own(ROOT)}/a.png"

    assert access.fetchable(AGENT).hold(mine)
    assert not access.fetchable(AGENT).hold(theirs)
    assert access.fetchable(ROOT).hold(mine)
    assert access.fetchable(ROOT).hold(theirs)


def test_the_folder_is_private_even_if_its_name_is_taken(temp, paths) -> None:
    usual = Path(FileAccess(paths).own(ROOT))
    assert usual.stat().st_mode & 0o777 == 0o700
    usual.chmod(0o755)

    another = Path(FileAccess(paths).own(ROOT))

    assert another != usual
    assert another.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_or_link_of_another_user_is_not_used(temp, paths) -> None:
    usual = Path(FileAccess(paths).own(ROOT))
    os.chown(usual, OTHER_USER, OTHER_USER)
    assert Path(FileAccess(paths).own(ROOT)) != usual

    usual.rmdir()
    usual.symlink_to(temp)
    assert Path(FileAccess(paths).own(ROOT)) not in (usual, temp)


def test_a_sandboxed_script_has_its_scratch_folder_only(temp, paths, tmp_path) -> None:
    script = replace(AGENT, name="skill:x", folders=(str(tmp_path / "scratch"),))
    files = FileAccess(paths).of(script)

    for roots in (files.reads, files.writes):
        assert roots.hold(str(tmp_path / "scratch" / "x"))
        assert not roots.hold(str(paths.project / "a"))
        assert not roots.hold(str(temp / "a"))


def test_a_remote_caller_names_no_files(temp, paths) -> None:
    remote = replace(ROOT, surface=Surface.TUNNEL)
    files = FileAccess(paths).of(remote)

    assert (files.reads.folders, files.writes.folders) == ((), ())
    assert FileAccess(paths).journals(remote).folders == ()


@pytest.mark.parametrize("caller", [ROOT, AGENT])
def test_the_journal_is_open_to_replay_and_nothing_else_of_its_folder(temp, paths, caller) -> None:
    access = FileAccess(paths)
    journals, journal = access.journals(caller), str(paths.flow_journal)

    assert journals.hold(journal)
    assert journals.hold(f"{journal}.1")
    assert not journals.hold(str(paths.state_file))
    assert not access.of(caller).reads.hold(journal)


def test_the_oldest_files_of_a_remote_caller_make_room(temp, paths, monkeypatch) -> None:
    monkeypatch.setattr(file_access, "MAX_REMOTE_FILES", 3)
    access = FileAccess(paths)
    for caller, left in ((replace(AGENT, surface=Surface.TUNNEL), {"2", "3"}), (AGENT, None)):
        folder = Path(access.own(caller))
        folder.mkdir(exist_ok=True)
        for number in range(4):
            (folder / f"{number}").write_text("")
            os.utime(folder / f"{number}", (number, number))

        access.make_room(caller)

        assert {it.name for it in folder.iterdir()} == (left or {"0", "1", "2", "3"})


def aged(path: Path, monkeypatch: pytest.MonkeyPatch, **seconds: float) -> None:
    """Pretend that files were written so long ago; the system lets nobody set when they came."""
    known = {str(path / name): age for name, age in seconds.items()}
    monkeypatch.setattr(file_access, "_age_s", lambda it: known.get(str(it), 0.0))


@pytest.mark.issue(15)
def test_old_output_goes_and_the_rest_stays(temp, paths, monkeypatch) -> None:
    files = FileAccess(paths)
    own = Path(files.own(ROOT))
    agents = Path(files.own(AGENT))
    agents.mkdir()
    (own / "scraped").mkdir()
    for name in ("old", "new", "scraped/a.png"):
        (own / name).write_text("x")
    (agents / "theirs").write_text("x")
    aged(
        own,
        monkeypatch,
        old=KEPT_S + 1,
        scraped=KEPT_S + 1,
        **{f"{agents.name}/theirs": KEPT_S + 1},
    )

    files.make_room(ROOT)

    assert sorted(it.name for it in own.iterdir()) == sorted([agents.name, "new"])
    assert list(agents.iterdir()) == []


@pytest.mark.issue(15)
def test_of_too_many_the_oldest_go_but_none_that_was_just_told_of(temp, paths, monkeypatch) -> None:
    monkeypatch.setattr(file_access, "MAX_ENTRIES", 2)
    files = FileAccess(paths)
    own = Path(files.own(ROOT))
    for name in ("a", "b", "c", "d"):
        (own / name).write_text("x")
    aged(own, monkeypatch, a=TOLD_S * 3, b=TOLD_S * 2, c=60.0, d=1.0)

    files.make_room(ROOT)
    (own / "e").write_text("x")
    files.make_room(ROOT)  # not twice within an hour

    assert sorted(it.name for it in own.iterdir()) == ["c", "d", "e"]


@pytest.mark.issue(15)
def test_a_file_with_an_old_date_came_just_now(temp, paths) -> None:
    files = FileAccess(paths)
    fresh = Path(files.own(ROOT)) / "fresh"
    fresh.write_text("x")
    os.utime(fresh, (1, 1))

    files.make_room(ROOT)

    assert fresh.exists()


def test_what_is_closed_stays_closed_before_it_is_there(tmp_path: Path) -> None:
    closed = tmp_path / "kept"
    roots = Roots.of(str(tmp_path), closed=(str(closed.resolve()),))

    for name in ("kept", "kept/new.json", "kept.lock"):
        assert not roots.hold(str(tmp_path.resolve() / name)), name
    assert roots.hold(str(tmp_path.resolve() / "kept-not"))
