import json

import pytest

from browse.logins.answers import NotUnderstood, understood
from browse.logins.login import Credentials

SECRET = "hunter-2"


def test_an_item_of_op_is_read():
    fields = [
        {"id": "username", "purpose": "USERNAME", "type": "STRING", "value": "ada"},
        {"id": "password", "purpose": "PASSWORD", "type": "CONCEALED", "value": SECRET},
        {"id": "notesPlain", "purpose": "NOTES", "type": "STRING", "value": "no"},
        {"id": "TOTP_1", "type": "OTP", "value": "otpauth://totp/x?secret=AAAA", "totp": "123456"},
    ]

    found = understood("op", json.dumps({"title": "Shop", "fields": fields}).encode())

    assert found == Credentials("ada", SECRET, "123456")


def test_an_item_of_bw_is_read_and_its_code_is_made():
    login = {"username": "ada", "password": SECRET, "totp": "GEZDGNBVGY3TQOJQ", "uris": []}

    found = understood("bw", json.dumps({"object": "item", "login": login}).encode())

    assert (found.user, found.password) == ("ada", SECRET)
    assert len(found.code) == 6
    assert found.code.isdecimal()


@pytest.mark.parametrize("source", ["pass", "command"])
def test_lines_of_pass_are_read(source):
    lines = f"{SECRET}\nURL: https://x.example\nlogin: ada\notpauth://totp/x?secret=GEZDGNBV\n"

    found = understood(source, lines.encode())

    assert (found.user, found.password, len(found.code)) == ("ada", SECRET, 6)


def test_a_command_may_print_json():
    given = {"Username": "ada", "password": SECRET, "totp": 7, "code": "987654"}

    assert understood("command", json.dumps(given).encode()) == Credentials("ada", SECRET, "987654")


@pytest.mark.parametrize(
    ("source", "raw"),
    [
        ("op", b""),
        ("op", b"hunter-2"),
        ("op", b'["hunter-2"]'),
        ("op", b'{"fields": "hunter-2"}'),
        ("op", b'{"fields": ["hunter-2", {"value": "hunter-2"}]}'),
        ("bw", b'{"login": null, "notes": "hunter-2"}'),
        ("bw", b'{"login": {"username": 7, "password": {"hunter-2": 1}}}'),
        ("bw", b'{"login": {"password": "x", "totp": "hunter-2!"}}'),
        ("pass", b"\xff\xfehunter-2"),
        ("command", b'{"hunter-2'),
        ("command", b"x" * 5_000),
        ("command", b"[" * 100_000),
        ("command", b'{"a":' * 100_000),
    ],
)
def test_garbage_is_refused_and_not_repeated(source, raw):
    with pytest.raises(NotUnderstood) as caught:
        understood(source, raw)

    assert SECRET not in str(caught.value)
