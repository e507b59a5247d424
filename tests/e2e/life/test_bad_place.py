"""Places where a daemon cannot keep its files, and users who may not do all that root may."""

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from support.cli import CLIENT, Project, Ran, ask_each
from support.life import NOBODY, assert_clear, is_root, of_project, see_none

pytestmark = pytest.mark.e2e
BLOCK = 4096
BECOME_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


@pytest.fixture
def mounted():
    """Mount small file systems, and take them away again."""
    places: list[Path] = []

    def mount(place: Path, options: str) -> None:
        place.mkdir(exist_ok=True)
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            pytest.skip(f"mounting is not permitted here: {done.stderr.strip()}")
        places.append(place)

    yield mount
    for place in places:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_file_in_place_of_the_folder_is_told(project):
    project.state_file.parent.write_text("in the way")

    ran = project.browse("url")

    project.state_file.parent.unlink()
    assert_clear(ran, 6, "a file is in the way", "BROWSE_STATE_FILE")
    assert not of_project(project)


def test_a_read_only_project_is_told_and_another_place_helps(project, mounted, tmp_path):
    mounted(project.root, "ro")

    assert_clear(project.browse("url"), 6, "read-only", "BROWSE_STATE_FILE")
    place = tmp_path / "mine" / "browse.json"
    chosen = {"BROWSE_STATE_FILE": str(place)}
    project.env["BROWSE_HEADLESS_SKIP"] = "1"
    try:
        project.browse("url", **chosen)
        assert project.ok("status", "--json", **chosen).json["pid"]
        assert place.exists()
    finally:
        project.ok("stop", **chosen)
    see_none(project)


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_a_full_disk_is_told_and_nothing_is_left_running(project, mounted, blocks):
    mounted(project.state_file.parent, f"size={blocks * BLOCK},mode=700")

    ran = project.browse("url")

    assert_clear(ran, 6, "No space left on device", "BROWSE_STATE_FILE")
    see_none(project)
    assert not project.state_file.exists()
    assert not list(project.state_file.parent.glob("*.tmp.*"))


def test_a_disk_that_fills_up_later_does_not_end_the_daemon(project, mounted):
    mounted(project.state_file.parent, f"size={16 * BLOCK},mode=700")
    project.ok("url")
    with contextlib.suppress(OSError), (project.state_file.parent / "filler").open("wb") as filler:
        filler.write(bytes(16 * BLOCK))

    assert project.ok("newtab").out == "Opened tab 2\n"
    project.end()


def test_a_folder_that_no_longer_exists_is_told(project):
    gone = project.root / "gone"
    gone.mkdir()

    done = subprocess.run(
        ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", *CLIENT, "url"],
        cwd=gone, env=project.env, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert_clear(Ran(done.returncode, done.stdout, done.stderr), 1, "no longer exists")
    assert not of_project(project)


@pytest.fixture
def nobody():
    """A project of an ordinary user, whose client is run by that user."""
    if not is_root() or not shutil.which("setpriv"):
        pytest.skip("only root can become another user, and only with setpriv")
    base = Path(tempfile.mkdtemp(prefix="browse-nobody-", dir="/tmp"))
    base.chmod(0o755)
    made = Project.make(base)
    for path in (made.root, made.root / ".git", Path(made.env["HOME"])):
        os.chown(path, NOBODY, NOBODY)

    def run(*words: str, **env: str) -> Ran:
        done = subprocess.run(
            [*BECOME_NOBODY, *CLIENT, *words],
            cwd=made.root, env={**made.env, **env}, timeout=150,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr)

    made.run_as_nobody = run  # type: ignore[attr-defined]  # beside the client of root
    yield made
    with contextlib.suppress(FileNotFoundError, ValueError):
        run("stop")
    see_none(made)
    shutil.rmtree(base)


def test_an_ordinary_user_gets_a_browser(nobody):
    # In a shell, because root's rights are dropped only once the next program runs.
    tried = [*BECOME_NOBODY, "sh", "-c", f"{shlex.quote(sys.executable)} -c ''"]
    if subprocess.run(tried, capture_output=True, check=False).returncode:
        pytest.skip(f"an ordinary user cannot run {sys.executable}")

    ran = nobody.run_as_nobody("js", "1 + 1")

    assert ran.code == 0, ran.err
    assert ran.page == "2"
    owners = ask_each(nobody.family(), psutil.Process.uids).values()
    assert {it.real for it in owners} == {NOBODY}


def test_an_ordinary_user_is_told_of_a_folder_that_cannot_be_written(nobody):
    os.chown(nobody.root, 0, 0)
    nobody.root.chmod(0o755)

    assert_clear(nobody.run_as_nobody("url"), 6, "permission denied", "BROWSE_STATE_FILE")


def test_an_ordinary_user_does_not_use_the_daemon_of_root(nobody):
    nobody.root.chmod(0o755)
    os.chown(nobody.root, 0, 0)
    nobody.env["BROWSE_HEADLESS_SKIP"] = "1"
    nobody.browse("url")
    assert nobody.daemon().uids().real == 0
    try:
        assert_clear(nobody.run_as_nobody("url"), 6)
    finally:
        nobody.ok("stop")
