"""The state folder: private, or a clear reason why it cannot be."""

import errno
import os
import shutil
import subprocess

import pytest

from browse.client import folder
from browse.client.wire import Failure


def test_missing_parents_are_made(tmp_path):
    folder.prepare(str(tmp_path / "a/b/.gstack/browse.json"))

    assert (tmp_path / "a/b/.gstack/.gitignore").read_bytes() == folder.IGNORED


@pytest.mark.skipif(not shutil.which("git"), reason="git is not here")
def test_git_sees_skills_and_notes_of_the_project_and_nothing_else(tmp_path):
    state = tmp_path / ".gstack"
    folder.prepare(str(state / "browse.json"))
    seen = ["browser-skills/price-list/SKILL.md", "browser-skills/price-list/_lib/browse_client.py",
            "domain-skills/shop.example.com.json", "domain-skills/shop.example.com.md"]  # fmt: skip
    unseen = ["browse.json", "browse-states/login.json", "browser-skills/.tombstones/old/SKILL.md"]
    for name in (*seen, *unseen):
        (state / name).parent.mkdir(parents=True, exist_ok=True)
        (state / name).touch()
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)

    told = subprocess.run(
        [*git, "status", "--porcelain", "-uall"], check=True, capture_output=True, text=True
    )

    assert told.stdout.splitlines() == [f"?? .gstack/{name}" for name in seen]


def test_a_gitignore_that_is_there_stays(tmp_path):
    (tmp_path / ".gstack").mkdir()
    (tmp_path / ".gstack/.gitignore").write_text("own\n")

    folder.prepare(str(tmp_path / ".gstack/browse.json"))

    assert (tmp_path / ".gstack/.gitignore").read_text() == "own\n"


@pytest.mark.parametrize("name", [".gstack/browse.json", ".gstack/deeper/browse.json"])
def test_a_file_in_the_way_is_named(tmp_path, name):
    (tmp_path / ".gstack").write_text("")

    with pytest.raises(Failure, match="a file is in the way") as caught:
        folder.prepare(str(tmp_path / name))
    assert str(tmp_path / ".gstack") in caught.value.lines[0]
    assert "BROWSE_STATE_FILE=" in caught.value.lines[1]


def test_a_file_system_that_takes_no_folder_is_named():
    with pytest.raises(Failure, match="Cannot create state directory /proc/x") as caught:
        folder.prepare("/proc/x/browse.json")
    assert caught.value.code == 6


@pytest.mark.skipif(os.getuid() == 0, reason="permissions do not bind root")
def test_a_folder_without_permission_is_named(tmp_path):
    tmp_path.chmod(0o500)

    with pytest.raises(Failure, match="permission denied"):
        folder.prepare(str(tmp_path / ".gstack/browse.json"))
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EROFS, "the file system is read-only"),
        (errno.EACCES, "permission denied"),
        (errno.ENOSPC, "the disk is full"),
        (errno.ENOTDIR, "a file is in the way"),
    ],
)
def test_every_reason_has_its_words(monkeypatch, number, words):
    def makedirs(*_, **__):
        raise OSError(number, "driver text")

    monkeypatch.setattr(os, "makedirs", makedirs)

    with pytest.raises(Failure, match=words):
        folder.prepare("/p/.gstack/browse.json")


def test_a_folder_of_another_user_is_refused(tmp_path, monkeypatch):
    state = tmp_path / ".gstack/browse.json"
    state.parent.mkdir()
    stranger = state.parent.stat().st_uid + 1
    monkeypatch.setattr(os, "getuid", lambda: stranger)

    with pytest.raises(Failure, match="another user"):
        folder.prepare(str(state))


def test_root_may_use_a_folder_of_another_user(tmp_path, monkeypatch):
    state = tmp_path / ".gstack/browse.json"
    state.parent.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: 0)

    folder.prepare(str(state))

    assert (state.parent / ".gitignore").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_not_even_root_uses_a_folder_that_another_user_put_where_all_may_write(tmp_path):
    tmp_path.chmod(0o1777)
    state = tmp_path / ".gstack/browse.json"
    state.parent.mkdir()
    os.chown(state.parent, 4242, 4242)

    with pytest.raises(Failure, match="another user"):
        folder.prepare(str(state))

    assert not list(state.parent.iterdir())
