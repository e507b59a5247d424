import pytest

from browse.guard.secrets import looks_secret, names_a_secret, redacted, redacted_url


@pytest.mark.parametrize(
    "name",
    [
        "token",
        "access_token",
        "apiKey",
        "api-key",
        "x-apikey",
        "sessionId",
        "csrf",
        "user[password]",
        "sid",
        "connect.sid",
        "JWT",
        "AUTH_TOKEN",
    ],
)
def test_names_of_secrets(name):
    assert names_a_secret(name)


@pytest.mark.parametrize("name", ["monkey", "author", "inside", "keyboard", "theme", "", "lang"])
def test_names_of_other_things(name):
    assert not names_a_secret(name)


@pytest.mark.parametrize(
    "value",
    ["eyJhbGciOiJI", "sk-ant-abc", "ghp_x", "xoxb-1", "AKIAABCDEFGHIJKLMNOP", "Bearer abc", "SG.x"],
)
def test_values_that_begin_as_tokens_do(value):
    assert looks_secret(value)


@pytest.mark.parametrize("value", ["", "en-GB", "eye", "AKIA", "task-1"])
def test_other_values(value):
    assert not looks_secret(value)


def test_redacted_tells_only_the_length():
    assert redacted("theme", "dark") == "dark"
    assert redacted("token", "abcd") == "[REDACTED — 4 chars]"
    assert redacted("theme", "ghp_12345") == "[REDACTED — 9 chars]"
    assert redacted("token", "") == ""


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://a.example/x?page=2", "https://a.example/x?page=2"),
        ("https://a.example/x?token=abc&page=2", "https://a.example/x?token=****&page=2"),
        ("https://a.example/x#access_token=abc", "https://a.example/x#access_token=****"),
        ("https://ada:pw@a.example/", "https://****@a.example/"),
        ("https://a.example/?q=ghp_abc", "https://a.example/?q=****"),
        ("http://[broken", "http://[broken"),
        ("about:blank", "about:blank"),
    ],
)
def test_addresses_lose_their_secrets(url, told):
    assert redacted_url(url) == told
