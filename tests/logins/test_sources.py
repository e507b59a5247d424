"""Programs that speak like `op`, `bw` and `pass`, and some that do not."""

import pytest

from browse.core.errors import BrowseError, Code
from browse.logins.login import Credentials, Login
from browse.logins.sources import credentials
from support.cli import HANG_S
from support.programs import a_program

SECRET = "hunter-2"
ORIGIN = "https://shop.example"
SPEAKING = {
    "op": """[ "$*" = "item get --format=json --vault=Private Shop" ] || exit 9
echo '{"fields":[{"purpose":"USERNAME","value":"ada"},{"purpose":"PASSWORD","value":"hunter-2"},
{"type":"OTP","totp":"123456"}]}'""",
    "bw": """[ "$*" = "--nointeraction get item Shop" ] || exit 9
echo '{"login":{"username":"ada","password":"hunter-2","totp":"123456"}}'""",
    "pass": """[ "$*" = "show web/shop" ] || exit 9
printf 'hunter-2\\nuser: ada\\ntotp: 123456\\n'""",
}
ITEMS = {"op": "op://Private/Shop", "bw": "Shop", "pass": "web/shop"}


@pytest.mark.parametrize("vault", SPEAKING)
async def test_a_vault_program_is_asked(vault, tmp_path, monkeypatch):
    a_program(tmp_path / vault, SPEAKING[vault])
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    found = await credentials(Login(ORIGIN, vault, item=ITEMS[vault]))

    assert found == Credentials("ada", SECRET, "123456")


async def test_the_name_that_the_owner_gave_wins(tmp_path):
    program = a_program(tmp_path / "mine", "printf 'hunter-2\\nuser: ada\\n'")
    login = Login(ORIGIN, "command", "grace", words=(str(program),))

    assert await credentials(login) == Credentials("grace", SECRET)


async def test_our_own_vault_makes_the_code():
    found = await credentials(Login(ORIGIN, "vault", "ada", SECRET, "GEZDGNBVGY3TQOJQ"))

    assert (found.user, found.password, len(found.code)) == ("ada", SECRET, 6)


BAD = {
    "hangs": ("exec tail -f /dev/null", "did not answer within 1 s"),
    "hangs, and what it started too": ("tail -f /dev/null & wait", "did not answer within 1 s"),
    "asks": ("printf 'Master password: ' >&2; read -r word || exit 5", "ended with exit code 5"),
    "asks at a terminal": ("read -r word </dev/tty || exit 6", "ended with exit code 6"),
    "has the secret on stderr": ("echo hunter-2 >&2; exit 1", "ended with exit code 1"),
    "prints, and fails": ("echo hunter-2; exit 1", "ended with exit code 1"),
    "prints garbage": ("head -c 300 /dev/urandom; printf '\\377'", "gave no login"),
    "prints nothing": ("true", "gave no login: it printed nothing"),
    "prints without end": ("yes hunter-2", "printed far more than a login"),
    "is killed": ("kill -9 $$", "was ended by signal 9"),
}


@pytest.mark.parametrize("how", BAD)
async def test_a_bad_program_is_a_clear_error_without_the_secret(how, tmp_path):
    script, said = BAD[how]
    program = a_program(tmp_path / "mine", script)
    login = Login(ORIGIN, "command", words=(str(program), "--token=t0ken"))

    with pytest.raises(BrowseError) as caught:
        await credentials(login, limit_s=HANG_S if "hang" not in how else 1.0)

    assert caught.value.code is Code.VAULT
    assert said in caught.value.message
    assert "Nothing was typed" in caught.value.message
    assert not {SECRET, "t0ken"} & {*f"{caught.value.message} {caught.value.hint}".split()}


async def test_a_program_that_is_not_installed_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BrowseError, match="`op` could not be started") as caught:
        await credentials(Login(ORIGIN, "op", item="Shop"))
    assert caught.value.hint.startswith("install `op`")
