"""Values of Chromium's cookies: decrypted, with the host's hash taken off if it is that."""

import hashlib

import pytest

from browse.cookies.encryption import decrypted, derived
from support.chromium_values import HASH, HOST, KEY, encrypted


def test_keys_are_those_that_chromium_makes():
    assert KEY.hex() == "fd621fe5a2b402539dfa147ca9272778"
    assert derived(b"peanuts", "darwin") != KEY


@pytest.mark.parametrize("value", [b"", b"a", b"x" * 32, "é€".encode(), b"\xff\xfe", b"y" * 4000])
def test_the_hash_of_the_host_is_taken_off(value):
    assert decrypted(encrypted(HASH + value), HOST, [KEY]) == value


@pytest.mark.parametrize(
    "value", [b"", b"a", b"x" * 32, b"x" * 64, hashlib.sha256(b"b").hexdigest()]
)
def test_bytes_that_are_not_the_hash_stay(value):
    value = value if isinstance(value, bytes) else value.encode()

    assert decrypted(encrypted(value), HOST, [KEY]) == value


def test_of_several_keys_the_one_that_fits_decides():
    wrong = derived(b"other", "linux")

    assert decrypted(encrypted(HASH + b"v"), HOST, [wrong, KEY]) == b"v"
    assert decrypted(encrypted(HASH + b"v"), HOST, [wrong]) is None
    assert decrypted(encrypted(HASH + b"v"), HOST, []) is None


@pytest.mark.parametrize("raw", [b"", b"short", b"\0" * 16, b"\0" * 17])
def test_what_is_no_ciphertext_is_nothing(raw):
    assert decrypted(raw, HOST, [KEY]) is None
