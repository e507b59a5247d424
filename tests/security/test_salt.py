"""The salt of the device."""

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from browse.core.errors import BrowseError
from browse.security.salt import device_salt, salted


@pytest.fixture
def path(tmp_path):
    return tmp_path / "security" / "device-salt"


def test_it_is_made_once_and_private(path):
    first = device_salt(path)

    assert device_salt(path) == first
    assert len(first) == 64
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("left", [b"", b"\n", b"abc", b"g" * 64, b"0" * 65, b"\xff" * 4096])
def test_a_salt_that_is_not_whole_is_made_anew(path, left):
    path.parent.mkdir()
    path.write_bytes(left)

    made = device_salt(path)

    assert device_salt(path) == made
    assert path.read_bytes() == made + b"\n"


def test_a_salt_that_others_could_read_is_closed(path):
    made = device_salt(path)
    path.chmod(0o644)

    assert device_salt(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_all_get_the_same_in_a_race(path):
    with ThreadPoolExecutor(16) as pool:
        got = list(pool.map(device_salt, [path] * 64))

    assert len(set(got)) == 1


def test_a_place_that_cannot_be_made_is_an_error(path):
    path.parent.write_text("in the way")

    with pytest.raises((BrowseError, OSError)):
        device_salt(path)


def test_a_hash_needs_the_salt():
    assert salted(b"a", "10.0.0.1") == salted(b"a", "10.0.0.1")
    assert salted(b"a", "10.0.0.1") != salted(b"b", "10.0.0.1")
    assert len(salted(b"a", "\ud800")) == 64
