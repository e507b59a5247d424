import pytest

from browse.guard.secrets import (
    looks_secret,
    names_a_secret,
    redacted,
    redacted_url,
    scrubbed,
    without_field_values,
)


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
        "pin",
        "cardNumber",
        "sig",
        "X-Goog-Signature",
    ],
)
def test_names_of_secrets(name):
    assert names_a_secret(name)


@pytest.mark.parametrize(
    "name",
    ["monkey", "author", "inside", "keyboard", "theme", "", "lang", "signal", "spin", "design"],
)
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
        ("https://a.example/?pin=1&sig=a%2Bb", "https://a.example/?pin=****&sig=****"),
        ("https://ada:pw@a.example/", "https://****@a.example/"),
        ("https://a.example/?q=ghp_abc", "https://a.example/?q=****"),
        ("http://[broken", "http://[broken"),
        ("about:blank", "about:blank"),
    ],
)
def test_addresses_lose_their_secrets(url, told):
    assert redacted_url(url) == told


@pytest.mark.parametrize("name", ["PHPSESSID", "JSESSIONID", "sessionid"])
def test_names_that_servers_give_to_sessions(name):
    assert names_a_secret(name)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Authorization: Bearer abcdefgh.ijk", "Authorization: ****"),
        ("sent Basic YWRhOmh1bnRlcg==", "sent Basic ****"),
        ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.x-y", "jwt eyJhbGciOiJ****"),
        ("key sk-ant-REDACTED", "key sk-****"),
        ("password=hunter22&x=1", "password=****&x=1"),
        ('{"accessToken": "abcd", "n": 1}', '{"accessToken": "****", "n": 1}'),
        ('{"password": "correct horse battery", "n": 1}', '{"password": "****", "n": 1}'),
        ('{"password": "a \\" b", "n": 1}', '{"password": "****", "n": 1}'),
        ("password: 'twas a word", "password: '**** a word"),
        ('{"pin": "4711"}', '{"pin": "****"}'),
        ('{"otp":123456}', '{"otp":"****"}'),
        ("GET https://ada:pw@a.example/?token=abcd", "GET https://****@a.example/?token=****"),
        ("url=https://a.example/?token=abcd", "url=https://a.example/?token=****"),
    ],
)
def test_running_text_is_scrubbed(text, clean):
    assert scrubbed(text) == clean


@pytest.mark.parametrize(
    "text", ["key: Enter", "session: started", "author=ada", "Error: no such token", "12:30:45"]
)
def test_running_text_without_secrets_stays_as_it_is(text):
    assert scrubbed(text) == text


@pytest.mark.parametrize(
    "text", ["a" * 4000, "a=" * 2000, "token" * 800, "://" * 1300, "=:" * 2000]
)
def test_scrubbing_takes_no_longer_for_text_made_to_be_slow(text):
    """Only a limit on steps can fail here: a quadratic search takes minutes on forty of these."""
    assert len(scrubbed(text * 40)) <= len(text * 40)


@pytest.mark.parametrize(
    ("markup", "clean"),
    [
        ('<input type="password" value="a b">', '<input type="password" value="****">'),
        ('<input name="pin" value="4711">', '<input name="pin" value="****">'),
        ('<input id="cardNumber" value="41">', '<input id="cardNumber" value="****">'),
        ("<INPUT type=password value=ab>", '<INPUT type=password value="****">'),
        ("<input value='1' name=csrf_token>", '<input value="****" name=csrf_token>'),
        (
            '<input autocomplete="cc-number" value="41">',
            '<input autocomplete="cc-number" value="****">',
        ),
        (
            '<input type="text" name="city" value="Rome">',
            '<input type="text" name="city" value="Rome">',
        ),
    ],
)
def test_markup_loses_the_values_of_fields_for_secrets(markup, clean):
    assert without_field_values(markup) == clean


@pytest.mark.parametrize("part", ["?", "#", "?a=1&", "#token"])
def test_a_long_address_is_searched_once(part):
    url = f"https://a.example/{part}" + "z" * 1_000_000  # minutes, if at every letter anew

    assert redacted_url(url) == url
