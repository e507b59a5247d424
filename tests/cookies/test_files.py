"""Files of cookies: the forms that are understood, and what is refused."""

import json

import pytest

from browse.cookies.files import Unusable, parse

HOST = "www.a.example"
NETSCAPE = (
    "# Netscape HTTP Cookie File\n"
    "\n"
    ".a.example\tTRUE\t/\tTRUE\t1999999999\tsid\tone=two\n"
    "#HttpOnly_www.a.example\tFALSE\t/in\tFALSE\t0\ttoken\tabc\n"
    "www.a.example\tFALSE\t/\tFALSE\t0\tempty\n"
)
CURL = r"""curl 'https://www.a.example/page?x=1' \
  -H 'accept: */*' \
  -H 'Cookie: sid=one=two; theme=dark' --compressed"""


def only(content: object) -> dict:
    raw = content if isinstance(content, str) else json.dumps(content)
    (cookie,) = parse(raw.encode(), HOST)
    return cookie.row()


def test_what_is_missing_is_taken_from_the_page():
    assert only([{"name": "a", "value": "b"}]) == {
        "name": "a",
        "value": "b",
        "domain": HOST,
        "path": "/",
        "httpOnly": False,
        "secure": False,
    }


def test_a_saved_state_is_taken_as_well():
    row = only({"cookies": [{"name": "a", "value": "b", "domain": ".a.example"}], "origins": []})

    assert row["domain"] == ".a.example"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"expirationDate": 1.5e9}, {"expires": 1.5e9}),
        ({"expires": 1.5e12}, {"expires": 1.5e9}),
        ({"sameSite": "no_restriction"}, {"sameSite": "None"}),
        ({"sameSite": "unspecified"}, {}),
        ({"domain": ".a.example", "hostOnly": True}, {"domain": "a.example"}),
        ({"domain": "A.example", "hostOnly": False}, {"domain": ".a.example"}),
        ({"domain": "bücher.example"}, {"domain": "xn--bcher-kva.example"}),
        (
            {"partitionKey": "https://t.example"},
            {"partitionKey": "https://t.example", "_crHasCrossSiteAncestor": True},
        ),
        (
            {"partitionKey": {"topLevelSite": "https://t.example", "hasCrossSiteAncestor": False}},
            {"partitionKey": "https://t.example", "_crHasCrossSiteAncestor": False},
        ),
    ],
)
def test_the_spellings_of_other_programs_are_understood(fields, expected):
    plain = only([{"name": "a", "value": "b"}])

    assert only([{"name": "a", "value": "b", "storeId": "0", **fields}]) == {**plain, **expected}


@pytest.mark.parametrize("fields", [{"expires": -1}, {"expires": 1.5e9, "session": True}])
def test_a_session_cookie_has_no_end(fields):
    assert "expires" not in only([{"name": "a", "value": "b", **fields}])


def test_cookies_txt():
    sid, token, empty = parse(NETSCAPE.encode(), "")

    assert (sid.domain, sid.value, sid.secure, sid.expires) == (
        ".a.example",
        "one=two",
        True,
        2e9 - 1,
    )
    assert (token.domain, token.http_only, token.path) == (HOST, True, "/in")
    assert token.expires is None
    assert (empty.name, empty.value) == ("empty", "")


@pytest.mark.parametrize(
    "command",
    [
        CURL,
        f"$ {CURL}",
        "curl https://www.a.example/ -b 'sid=one=two; theme=dark'",
        r"curl $'https://www.a.example/' --cookie $'sid=one\u003dtwo; theme=dark'",
    ],
)
def test_a_curl_command(command):
    found = parse(command.encode(), "")

    assert {it.name: it.value for it in found} == {"sid": "one=two", "theme": "dark"}
    assert {(it.domain, it.secure, it.expires) for it in found} == {(HOST, True, None)}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no cookies in it"),
        (b"# Netscape HTTP Cookie File\n", "no cookies in it"),
        (b"{", "malformed|truncated"),
        (b"[1]", "Expected `object`"),
        (b'{"a": 1}', "missing required field `cookies`"),
        (b'[{"name": "a"}]', "missing required field `value`"),
        (b'[{"name": "a", "value": 1}]', "Expected `str`"),
        (b"null", "line 1 has 1 fields"),
        (b"a.example\tTRUE\t/\tTRUE\tsoon\ta\tb", "line 1 has no number"),
        (b"\xff\xfe", "not UTF-8"),
        (b"curl https://a.example/", "has no cookies"),
        (b"curl -b a=b", "has no http address"),
        (b"curl https://a.example/ -b jar.txt", "-b of the curl command names a file"),
        (b"curl 'https://a.example/ -b a=b", "a quote of the curl command is not closed"),
    ],
)
def test_a_broken_file_is_refused_whole_without_a_quotation(content, why):
    with pytest.raises(Unusable, match=why):
        parse(content, HOST)
