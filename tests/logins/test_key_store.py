import stat

import pytest

from browse.core.errors import BrowseError, Code
from browse.logins.key_store import KEYRING, KeyStore
from support.programs import a_program

# A keyring that remembers in a file.
REMEMBERS = """
case $1 in
  set) cat > "$0.$2"; echo '{"state":"written"}' ;;
  get) [ -e "$0.$2" ] && echo "{\\"state\\":\\"found\\",\\"value\\":\\"$(cat "$0.$2")\\"}" \
    || echo '{"state":"empty"}' ;;
esac
"""


def a_store(tmp_path, script: str, choice: str = "", limit_s: float = 60.0) -> KeyStore:
    program = a_program(tmp_path / "keyring", script)
    return KeyStore(tmp_path / "logins", choice, (str(program),), limit_s)


async def test_the_key_is_made_once_and_stays_in_the_keyring(tmp_path):
    store = a_store(tmp_path, REMEMBERS)

    made = await store.key()

    assert (made.place, made.shown) == ("keyring", KEYRING)
    assert await store.key() == made == await store.existing()
    assert not (tmp_path / "logins" / "key").exists()


async def test_without_a_keyring_the_key_is_in_a_private_file(tmp_path):
    store = a_store(tmp_path, 'echo \'{"state":"absent"}\'')

    made = await store.key()

    path = tmp_path / "logins" / "key"
    assert (made.place, made.shown) == ("file", str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert await store.key() == made


@pytest.mark.parametrize(
    "script",
    [
        'echo \'{"state":"refused"}\'',
        "echo garbage",
        "exit 3",
        "head -c 99999 /dev/zero",
        "exec tail -f /dev/null",
    ],
)
async def test_a_keyring_that_refuses_is_an_error_and_no_file_is_made(tmp_path, script):
    store = a_store(tmp_path, script, limit_s=1.0 if "tail" in script else 60.0)

    with pytest.raises(BrowseError) as caught:
        await store.key()

    assert caught.value.code is Code.LOGIN
    assert "BROWSE_LOGIN_KEY=file" in caught.value.hint
    assert not (tmp_path / "logins" / "key").exists()


@pytest.mark.parametrize("state", ["absent", "refused", "empty"])
async def test_a_key_that_the_keyring_had_is_never_replaced(tmp_path, state):
    await a_store(tmp_path, REMEMBERS).key()
    store = a_store(tmp_path, f'echo \'{{"state":"{state}"}}\'')

    with pytest.raises(BrowseError, match="keyring"):
        await store.key()


async def test_a_keyring_that_is_demanded_must_be_there(tmp_path):
    with pytest.raises(BrowseError, match="there is no keyring here"):
        await a_store(tmp_path, 'echo \'{"state":"absent"}\'', "keyring").key()


async def test_a_key_that_others_may_read_is_refused(tmp_path):
    store = KeyStore(tmp_path / "logins", "file")
    await store.key()
    (tmp_path / "logins" / "key").chmod(0o644)

    with pytest.raises(BrowseError, match="others may read the key"):
        await store.key()


async def test_a_damaged_key_is_refused(tmp_path):
    store = KeyStore(tmp_path / "logins", "file")
    await store.key()
    (tmp_path / "logins" / "key").write_text("nonsense")

    with pytest.raises(BrowseError, match="is not a key"):
        await store.key()
