"""The folder of a profile: who may use it, and when."""

import os
import stat

import pytest

from browse.browser.process.chromium import FoundChromium
from browse.browser.process.kept_profile import LOCK, NOTE, THEIR_LOCK, THEIR_VERSION, KeptProfile
from browse.core.errors import BrowseError, Code

OURS = "Chromium 156.0.8078.79 built on Debian"


@pytest.fixture
def found(tmp_path) -> FoundChromium:
    program = tmp_path / "chromium"
    program.write_text("a program")
    return FoundChromium(program, "chromium", "setting")  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "profile"
    made.mkdir(mode=0o700)
    return made


def a_profile(folder, version: str = OURS) -> KeptProfile:
    return KeptProfile(str(folder), lambda _: version)


async def refusal(folder, found, version: str = OURS) -> str:
    with pytest.raises(BrowseError) as raised:
        await a_profile(folder, version).claim(found)
    assert raised.value.code is Code.PROFILE
    return raised.value.message


async def test_a_new_folder_is_made_private_and_used_by_one_at_a_time(tmp_path, found):
    folder = tmp_path / "new" / "profile"
    first = a_profile(folder)
    assert await first.claim(found) == folder

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert f"another project uses it (daemon {os.getpid()})" in await refusal(folder, found)
    first.release()
    await a_profile(folder).claim(found)


async def test_folders_that_cannot_be_used_are_named_with_the_reason(tmp_path, folder, found):
    assert "`..` in it" in _message(lambda: KeptProfile(f"{folder}/../other"))
    (tmp_path / "file").write_text("x")
    assert "a file, not a folder" in await refusal(tmp_path / "file", found)
    assert "cannot be used: " in await refusal(tmp_path / "file" / "below", found)
    folder.chmod(0o755)
    assert "others can read it" in await refusal(folder, found)
    assert not (folder / LOCK).exists()


def _message(act) -> str:
    with pytest.raises(BrowseError) as raised:
        act()
    return raised.value.message


async def test_a_living_browser_keeps_its_profile_and_a_dead_one_does_not(folder, found):
    host = os.uname().nodename
    (folder / THEIR_LOCK).symlink_to(f"{host}-{os.getpid()}")
    assert f"another browser uses it (pid {os.getpid()})" in await refusal(folder, found)

    (folder / THEIR_LOCK).unlink()
    (folder / THEIR_LOCK).symlink_to("elsewhere-1")
    assert "(pid 1 on elsewhere)" in await refusal(folder, found)

    (folder / THEIR_LOCK).unlink()
    (folder / THEIR_LOCK).symlink_to(f"{host}-999999999")
    await a_profile(folder).claim(found)


async def test_a_profile_of_a_newer_chromium_is_refused(folder, found):
    (folder / THEIR_VERSION).write_text("157.0.1.2")
    assert "(version 157.0.1.2; this one is 156.0.8078.79)" in await refusal(folder, found)
    assert "this one is unknown" in await refusal(folder, found, "")
    (folder / THEIR_VERSION).write_text("156.9.9.9")
    claimed = a_profile(folder)
    await claimed.claim(found)

    claimed.used_by(found, "157.0.0.0")
    claimed.release()
    found.path.write_text("another program")
    os.utime(found.path, ns=(1, 1))
    assert "a newer Chromium made it (version 157.0.0.0" in await refusal(folder, found)


async def test_the_same_program_is_not_asked_for_its_version(folder, found):
    claimed = a_profile(folder)
    await claimed.claim(found)
    claimed.used_by(found, "156.0.8078.79")
    claimed.release()
    assert stat.S_IMODE((folder / NOTE).stat().st_mode) == 0o600

    def asked(_):
        raise AssertionError("it was asked")

    await KeptProfile(str(folder), asked).claim(found)
