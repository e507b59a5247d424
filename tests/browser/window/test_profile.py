"""The window's profile: whose lock is respected, and what is noted for the next daemon."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from browse import _where
from browse.browser.window.profile import PREFERENCES, Profile
from browse.core import extension_id
from browse.core.errors import BrowseError, Code

PAUSE = "import sys; print(flush=True); sys.stdin.read()"
HERE = socket.gethostname()


@pytest.fixture
def profile(tmp_path) -> Profile:
    return Profile(tmp_path / "chromium-profile", tmp_path / "note")


@pytest.fixture
def browser(profile) -> Iterator[subprocess.Popen]:
    """A process that looks as if it had the profile open."""
    words = [sys.executable, "-c", PAUSE, f"--user-data-dir={profile.folder}"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield process
        process.kill()


def lock(profile: Profile, target: str) -> None:
    profile.folder.mkdir(mode=0o700, exist_ok=True)
    for name in ("SingletonLock", "SingletonSocket"):
        (profile.folder / name).symlink_to(target)


async def test_a_new_profile_is_private(profile):
    folder = await profile.claim()

    assert folder.stat().st_mode & 0o777 == 0o700


async def test_a_new_profile_shows_the_button_of_the_side_panel(profile):
    settings = (await profile.claim()) / PREFERENCES
    first = json.loads(settings.read_text())
    settings.write_text("{}")

    await profile.claim()

    assert first["extensions"]["pinned_extensions"] == [extension_id.ID]
    assert settings.read_text() == "{}"


async def test_the_lock_of_a_dead_chromium_is_removed(profile, browser):
    browser.kill()
    browser.wait()
    lock(profile, f"{HERE}-{browser.pid}")

    await profile.claim()

    assert list(profile.folder.glob("Singleton*")) == []


async def test_a_pid_that_is_another_programs_by_now_is_a_dead_lock(profile):
    lock(profile, f"{HERE}-{os.getpid()}")

    await profile.claim()

    assert list(profile.folder.glob("Singleton*")) == []


async def test_a_living_browser_is_named_and_left_alone(profile, browser):
    lock(profile, f"{HERE}-{browser.pid}")

    with pytest.raises(BrowseError, match=f"pid {browser.pid}") as caught:
        await profile.claim()

    assert caught.value.code is Code.WINDOW
    assert browser.poll() is None
    assert (profile.folder / "SingletonLock").is_symlink()


async def test_a_browser_on_another_machine_is_left_to_the_person(profile):
    lock(profile, "elsewhere-1")

    with pytest.raises(BrowseError, match="pid 1 on elsewhere") as caught:
        await profile.claim()

    assert f"rm {profile.folder}/SingletonLock" in caught.value.hint


async def test_a_chromium_that_a_daemon_left_is_ended_by_sigterm(profile, browser):
    profile.opened(browser.pid)
    lock(profile, f"{HERE}-{browser.pid}")

    await profile.claim()

    assert browser.wait() == -15


async def test_a_profile_that_others_can_read_is_not_used(profile):
    profile.folder.mkdir(mode=0o755)
    profile.folder.chmod(0o755)

    with pytest.raises(BrowseError, match="not made by browse"):
        await profile.claim()


def write_end(profile: Profile, exit_type: str, *, after_ns: int) -> None:
    """Write what Chromium writes about its end, this much later than the note on the window."""
    path = profile.folder / PREFERENCES
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"profile": {"exit_type": exit_type}}))
    at_ns = profile.note.stat().st_mtime_ns + after_ns
    os.utime(path, ns=(at_ns, at_ns))


def leave(profile: Profile, exit_type: str) -> str:
    """End a window that wrote this about its end; return what the next daemon finds."""
    profile.opened(os.getpid())
    write_end(profile, exit_type, after_ns=1)
    profile.left(lost=True)
    return _where.window_note(str(profile.note)).partition(" ")[0]


def test_a_lost_window_is_noted(profile):
    assert leave(profile, "Crashed") == _where.OPEN


def test_a_window_that_the_person_closed_is_noted(profile):
    assert leave(profile, "Normal") == _where.CLOSED


def test_what_the_window_before_wrote_about_its_end_does_not_count(profile):
    profile.opened(os.getpid())
    write_end(profile, "Normal", after_ns=-1)

    profile.left(lost=True)

    assert _where.window_note(str(profile.note)).startswith(_where.OPEN)


def test_what_is_not_known_counts_as_lost(profile):
    profile.opened(os.getpid())
    profile.left(lost=True)

    assert _where.window_note(str(profile.note)).startswith(_where.OPEN)


def test_a_window_that_was_closed_on_purpose_leaves_no_note(profile):
    profile.opened(os.getpid())
    profile.left(lost=False)

    assert _where.window_note(str(profile.note)) == ""
