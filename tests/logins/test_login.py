import pytest

from browse.core.errors import Usage
from browse.guard.files import Roots
from browse.logins.login import Credentials, checked_name, checked_origin
from browse.registry.params import Surroundings

HERE = Surroundings("/", Roots(()))


@pytest.mark.parametrize(
    ("raw", "origin"),
    [
        ("https://shop.example", "https://shop.example"),
        ("HTTPS://Shop.Example:443/login?x#y", "https://shop.example"),
        ("https://shop.example:8443", "https://shop.example:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://shop.localhost:80/", "http://shop.localhost"),
        ("http://[::1]:5000", "http://[::1]:5000"),
    ],
)
def test_an_origin_is_spelled_as_browsers_spell_it(raw, origin):
    assert checked_origin(raw, HERE) == origin


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "shop.example",
        "http://shop.example",
        "http://127.0.0.1.evil.example",
        "http://localhost.evil.example",
        "https://ada:pw@shop.example",
        "https://",
        "ftp://shop.example",
        "file:///etc/passwd",
        "javascript://shop.example/%0aalert(1)",
        "https://shop.example:99999",
    ],
)
def test_what_is_no_safe_origin_is_refused(raw):
    with pytest.raises(Usage):
        checked_origin(raw, HERE)


@pytest.mark.parametrize("raw", ["", "..", ".hidden", "a/b", "a\\b", "-x", "x" * 65, "ä", "a b"])
def test_a_name_is_safe_in_a_file_name(raw):
    with pytest.raises(Usage):
        checked_name(raw, HERE)


def test_credentials_are_in_no_traceback():
    assert "hunter" not in repr(Credentials("ada", "hunter-2", "123456"))
