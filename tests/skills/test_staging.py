import json
import os
import signal
import subprocess
import sys
import time
from pathlib import PurePath

import pytest

from browse.core.errors import BrowseError, Code
from browse.skills import staging
from browse.skills.installed import InstalledSkills, Tier
from browse.skills.recording.choose import choose
from browse.skills.recording.codify import codify
from support.flows import COMMANDS, PAGE, a_flow
from support.skills import HEAD, paths_in

FILES = {
    "SKILL.md": HEAD.encode(),
    "script.py": b"print(1)",
    "_lib/x.py": b"",
    "fixtures/a.html": b"<p>",
}
# Stages and commits in a process of its own, which kills itself at its nth call to the disk.
KILLED = """
import json, os, signal, sys
from pathlib import Path
from browse.core.paths import Paths
from browse.skills import staging
from browse.skills.installed import Tier, read_skill

files = {name: text.encode() for name, text in json.loads(sys.argv[2]).items()}
touches = {"open", "os.mkdir", "os.rename", "os.rmdir", "os.remove", "os.scandir"}
left = 0

def watch(event, args):
    global left
    left -= event in touches
    if event in touches and not left:
        os.kill(os.getpid(), signal.SIGKILL)

def whole(place):
    return sorted((path.name, path.stat().st_size) for path in place.rglob("*.*"))

told = []
for step in range(1, 400):
    base = Path(sys.argv[1], str(step))
    paths = Paths(base / "project/.gstack/browse.json", base / "home/.gstack")
    pid = os.fork()
    if not pid:
        left = step
        sys.addaudithook(watch)
        staged = staging.stage(paths, "one", files)
        read_skill(staged, Tier.GLOBAL)
        staging.commit(staged, paths.global_skills, Tier.GLOBAL)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    told.append([code, whole(paths.global_skills / "one")])
    if not code:
        break
print(json.dumps(told))
"""


@pytest.fixture
def paths(tmp_path):
    return paths_in(tmp_path)


def modes(folder):
    return {oct(path.stat().st_mode & 0o777) for path in [folder, *folder.rglob("*")]}


def test_a_staged_skill_is_private_and_becomes_a_skill_by_one_rename(paths):
    staged = staging.stage(paths, "one", FILES)
    inode = staged.stat().st_ino

    assert modes(staged) <= {"0o700", "0o600"}
    assert staged.parent.parent == paths.staging
    assert staged.parent.name.startswith("skillify-")
    place = staging.commit(staged, paths.global_skills, Tier.GLOBAL)

    assert place.stat().st_ino == inode
    assert InstalledSkills(paths).find("one").folder == place
    assert list(paths.staging.iterdir()) == []


def test_what_is_discarded_leaves_nothing(paths):
    staged = staging.stage(paths, "one", FILES)

    staging.discard(staged)
    staging.discard(staged)

    assert list(paths.staging.iterdir()) == []
    assert not paths.global_skills.exists()


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_nothing_is_replaced(paths, kind):
    paths.global_skills.mkdir(parents=True)
    place = paths.global_skills / "one"
    {
        "folder": lambda: place.mkdir(),
        "file": lambda: place.write_text("mine"),
        "link": lambda: place.symlink_to("/nowhere"),
    }[kind]()
    before = os.lstat(place)

    with pytest.raises(BrowseError) as caught:
        staging.commit(staging.stage(paths, "one", FILES), paths.global_skills, Tier.GLOBAL)

    assert caught.value.code is Code.SKILL_EXISTS
    assert "browse skill rm one --global" in caught.value.hint
    assert os.lstat(place) == before


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", "a\0b"])
def test_a_file_cannot_lie_outside(paths, name):
    with pytest.raises(BrowseError) as caught:
        staging.stage(paths, "one", {**FILES, name: b"x"})

    assert caught.value.code is Code.PATH_REFUSED
    assert not paths.staging.exists()


def test_a_bad_name_is_refused(paths):
    with pytest.raises(BrowseError) as caught:
        staging.stage(paths, "../one", FILES)

    assert caught.value.code is Code.USAGE


def test_a_link_is_not_put_into_place(paths, tmp_path):
    staged = staging.stage(paths, "one", FILES)
    (staged / "fixtures" / "keys").symlink_to(tmp_path)

    with pytest.raises(BrowseError, match="fixtures/keys is a link"):
        staging.commit(staged, paths.global_skills, Tier.GLOBAL)

    assert not (paths.global_skills / "one").exists()


def test_only_what_was_staged_is_put_into_place(paths, tmp_path):
    mine = tmp_path / "one"
    mine.mkdir()
    staged = staging.stage(paths, "two", FILES)
    (staged.parent / "one").symlink_to(mine)

    for folder in (mine, staged.parent / "one"):
        with pytest.raises(BrowseError, match="not a folder that was staged"):
            staging.commit(folder, paths.global_skills, Tier.GLOBAL)

    assert mine.exists()


def test_another_file_system_is_reached_through_a_hidden_copy(paths, monkeypatch):
    renames = []
    rename = type(paths.home).rename

    def apart(self, target):
        renames.append(self.name)
        if self.name == "one":
            raise OSError(18, "Invalid cross-device link")
        return rename(self, target)

    monkeypatch.setattr(type(paths.home), "rename", apart)
    staging.commit(staging.stage(paths, "one", FILES), paths.project_skills, Tier.PROJECT)

    assert renames[0] == "one"
    assert renames[1].startswith(".skillify-")
    assert [path.name for path in paths.project_skills.iterdir()] == ["one"]
    assert (paths.project_skills / "one" / "fixtures" / "a.html").read_bytes() == b"<p>"


def test_what_was_forgotten_is_swept_by_the_next(paths):
    old = staging.stage(paths, "one", FILES)
    os.utime(old.parent, (time.time() - staging.FORGOTTEN_S - 9,) * 2)

    fresh = staging.stage(paths, "two", FILES)

    assert list(paths.staging.iterdir()) == [fresh.parent]


def recorded():
    """What `skill record` puts into place."""
    chosen = choose(a_flow(), COMMANDS)
    return codify("one", chosen, lambda _: PAGE, COMMANDS).files


@pytest.mark.parametrize(
    "files", [{**FILES, "script.py": b"x" * 100_000}, recorded()], ids=["new", "recorded"]
)
def test_a_process_killed_at_any_step_leaves_the_whole_skill_or_none(tmp_path, files):
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            KILLED,
            str(tmp_path),
            json.dumps({k: v.decode() for k, v in files.items()}),
        ],
        capture_output=True,
        text=True,
    )

    *killed, last = json.loads(run.stdout)
    whole = sorted([PurePath(name).name, len(data)] for name, data in files.items())
    assert last == [0, whole]
    assert len(killed) > 10
    assert {code for code, _ in killed} == {-signal.SIGKILL}
    assert [left for _, left in killed if left not in ([], whole)] == []
    assert whole in [left for _, left in killed]


def test_what_waits_for_approval_is_found_by_its_name_the_latest_first(paths):
    first = staging.stage(paths, "one", FILES)
    os.utime(first.parent, (1, time.time() - 60))
    second = staging.stage(paths, "one", FILES)
    (paths.staging / "other").mkdir()

    assert staging.staged(paths, "one") == second
    staging.discard(second)
    assert staging.staged(paths, "one") == first
    with pytest.raises(BrowseError, match="waits for approval") as caught:
        staging.staged(paths, "two")
    assert "browse skill record two --stage" in caught.value.hint
