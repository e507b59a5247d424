import os

import pytest

from browse.logins.sealed_files import Unsealable, seal, unseal

KEY = os.urandom(32)


def test_what_is_sealed_can_be_read_with_the_key_only():
    sealed = seal(KEY, "login/shop", b"hunter-2")

    assert b"hunter" not in sealed
    assert sealed != seal(KEY, "login/shop", b"hunter-2")
    assert unseal(KEY, "login/shop", sealed) == b"hunter-2"
    with pytest.raises(Unsealable):
        unseal(os.urandom(32), "login/shop", sealed)


def test_a_file_of_another_name_or_kind_or_content_is_refused():
    sealed = seal(KEY, "login/shop", b"hunter-2")
    changed = sealed[:-1] + bytes([sealed[-1] ^ 1])

    for label, raw in (
        ("login/bank", sealed),
        ("state/shop", sealed),
        ("login/shop", changed),
        ("login/shop", sealed[:-1]),
        ("login/shop", sealed[:20]),
        ("login/shop", b""),
        ("login/shop", b"{}"),
    ):
        with pytest.raises(Unsealable):
            unseal(KEY, label, raw)
