import pytest

from browse.browser.network.http_logins import HttpLogins, origin_of, read_logins
from browse.core.errors import BrowseError, Code


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "logins"
    path.touch(mode=0o600)
    return path


def test_logins_are_read_by_origin(file):
    file.write_text("# mine\n\nhttps://ada:p%40ss:word@Intra.test/\nhttp://b:c@[::1]:8080\n")

    assert read_logins(str(file)) == {
        "https://intra.test": ("ada", "p@ss:word"),
        "http://[::1]:8080": ("b", "c"),
    }


@pytest.mark.parametrize(
    "line", ["https://intra.test", "https://ada@h", "ftp://a:secret@h", "x", "https://a:secret@h/p"]
)
def test_a_wrong_line_is_named_by_number_and_not_quoted(file, line):
    file.write_text(f"https://a:b@c\n{line}\n")

    with pytest.raises(BrowseError, match="line 2 of") as raised:
        read_logins(str(file))

    assert raised.value.code is Code.SETTING_INVALID
    assert "secret" not in raised.value.message


def test_a_file_that_others_can_read_is_refused(file):
    file.chmod(0o640)

    with pytest.raises(BrowseError, match="can be read by others") as raised:
        read_logins(str(file))

    assert raised.value.hint.startswith("chmod 600")


@pytest.mark.parametrize("name", ["/no/such/file", "/dev/null", "/"])
def test_what_is_no_file_is_refused(name):
    with pytest.raises(BrowseError, match="cannot be used"):
        read_logins(name)


def asked(origin: str, *, url: str = "", source: str = "Server", id: str = "1") -> dict:
    challenge = {"origin": origin, "source": source, "scheme": "basic", "realm": ""}
    return {"requestId": id, "request": {"url": url or f"{origin}/x"}, "authChallenge": challenge}


def test_a_login_goes_to_its_own_origin_once():
    logins = HttpLogins({"https://intra.test": ("ada", "secret")})
    cancel = {"response": "CancelAuth"}

    given = logins.answer(asked("https://intra.test:443"))

    assert given == {"response": "ProvideCredentials", "username": "ada", "password": "secret"}
    assert logins.answer(asked("https://intra.test")) == cancel  # the server did not take it
    for event in (
        asked("http://intra.test", id="2"),
        asked("https://intra.test:8443", id="3"),
        asked("https://intra.test.evil.test", id="4"),
        asked("https://intra.test", source="Proxy", id="5"),
        asked("https://intra.test", url="https://evil.test/", id="6"),
    ):
        assert logins.answer(event) == cancel


def test_an_address_has_an_origin():
    assert origin_of("https://a.test:443/x") == "https://a.test"
    assert origin_of("http://[::1]:81/") == "http://[::1]:81"
    assert origin_of("data:,x") == ""
