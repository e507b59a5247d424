"""Where a request comes from."""

import pytest
from starlette.requests import HTTPConnection

from browse.core.errors import BrowseError, Code
from browse.core.extension_id import ORIGIN
from browse.server.sources import Sources, is_from_extension, note_source, require_source

HOST = "127.0.0.1:23456"
ALL = Sources.OWN_PAGES | Sources.EXTENSION


def asking(method: str = "GET", **headers: str) -> HTTPConnection:
    sent = {"host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}
    raw = [(name.encode(), value.encode()) for name, value in sent.items()]
    return HTTPConnection({"type": "http", "method": method, "headers": raw})


def noted(**headers: str) -> HTTPConnection:
    connection = asking(**headers)
    note_source(connection.scope)
    return connection


@pytest.mark.parametrize(
    ("headers", "source"),
    [
        ({}, Sources.PROGRAMS),
        ({"sec_fetch_site": "none"}, Sources.PROGRAMS),
        ({"sec_fetch_site": "same-origin"}, Sources.OWN_PAGES),
        ({"origin": f"http://{HOST}"}, Sources.OWN_PAGES),
        ({"origin": f"http://{HOST}", "sec_fetch_site": "same-origin"}, Sources.OWN_PAGES),
        ({"origin": "http://localhost:9", "host": "localhost:9"}, Sources.OWN_PAGES),
        ({"origin": ORIGIN}, Sources.EXTENSION),
        ({"origin": ORIGIN, "sec_fetch_site": "cross-site"}, Sources.EXTENSION),
    ],
)
def test_each_source_may_use_what_is_for_it(headers, source):
    connection = noted(**headers)

    require_source(connection, source)
    require_source(connection, ALL)
    for other in (Sources.PROGRAMS, Sources.OWN_PAGES, Sources.EXTENSION):
        if source and source is not other:
            with pytest.raises(BrowseError) as caught:
                require_source(connection, other)
            assert caught.value.code is Code.FOREIGN_ORIGIN


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://127.0.0.1:9000"},
        {"origin": "http://localhost:23456"},
        {"origin": f"https://{HOST}"},
        {"origin": f"http://{HOST}.evil.com"},
        {"origin": f"http://{HOST}", "sec_fetch_site": "same-site"},
        {"origin": "null"},
        {"origin": ORIGIN + "/"},
        {"origin": "chrome-extension://" + "a" * 32},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "cross-site"},
        {"host": "evil.com:23456", "origin": "http://evil.com:23456"},
    ],
)
def test_every_other_page_is_refused(headers):
    with pytest.raises(BrowseError) as caught:
        noted(**headers)

    assert caught.value.code is Code.FOREIGN_ORIGIN


def test_the_extension_sends_no_origin_only_when_it_reads():
    assert is_from_extension(noted(origin=ORIGIN))
    assert is_from_extension(noted())
    assert not is_from_extension(noted(origin=f"http://{HOST}"))
    posted = asking("POST")
    note_source(posted.scope)
    assert not is_from_extension(posted)
