import shutil
import stat

import pytest

from browse.core.errors import BrowseError
from browse.logins.login import Login

SHOP = Login("https://shop.example", "vault", "ada", "hunter-2", "GEZDGNBV")


async def test_a_login_is_kept_encrypted_and_private(shelf):
    key = await shelf.write("login", "shop", SHOP)

    path = shelf.folder / "shop.login"
    assert key.place == "file"
    assert shelf.names("login") == ["shop"]
    assert await shelf.read("login", "shop", Login) == SHOP
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not {b"hunter", b"ada", b"shop.example"} & {*path.read_bytes().split(b'"')}
    assert b"hunter" not in path.read_bytes()


async def test_a_file_under_another_name_is_not_that_login(shelf):
    await shelf.write("login", "shop", SHOP)
    shutil.copy(shelf.folder / "shop.login", shelf.folder / "bank.login")

    with pytest.raises(BrowseError, match="changed, cut or renamed"):
        await shelf.read("login", "bank", Login)


async def test_a_login_without_its_key_is_refused(shelf):
    await shelf.write("login", "shop", SHOP)
    (shelf.folder / "key").unlink()

    with pytest.raises(BrowseError, match="its key is gone"):
        await shelf.read("login", "shop", Login)


async def test_a_login_that_does_not_exist_names_those_that_do(shelf):
    await shelf.write("login", "shop", SHOP)

    with pytest.raises(BrowseError, match="no login to fill in called 'bank'") as caught:
        await shelf.read("login", "bank", Login)
    assert caught.value.hint == "there are: shop"


async def test_a_link_in_place_of_a_file_is_not_followed(shelf, tmp_path):
    await shelf.write("login", "shop", SHOP)
    (shelf.folder / "bank.login").symlink_to(shelf.folder / "shop.login")

    with pytest.raises(BrowseError, match="cannot be used"):
        await shelf.read("login", "bank", Login)


async def test_a_login_is_removed(shelf):
    await shelf.write("login", "shop", SHOP)

    assert shelf.remove("shop") == ["login"]
    assert shelf.names("login") == []
    with pytest.raises(BrowseError, match="no login"):
        shelf.remove("shop")
