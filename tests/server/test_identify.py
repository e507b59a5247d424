"""The bearer token."""

import pytest
from starlette.datastructures import Headers

from browse.auth.caller import ROOT
from browse.core.errors import BrowseError, Code
from browse.server.identify import Identify

IDENTIFY = Identify("the-token-of-the-owner")


def test_the_owners_token_is_the_owner():
    headers = Headers({"authorization": "Bearer the-token-of-the-owner"})

    assert IDENTIFY.caller(headers) is ROOT


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        "Bearer the-token-of-the-owner-and-more",
        "Bearer the-token-of-the-owne",
        "Bearer THE-TOKEN-OF-THE-OWNER",
        "Basic the-token-of-the-owner",
        "the-token-of-the-owner",
        "Bearer the-token-of-the-owner\xff",
    ],
    ids=ascii,
)
def test_any_other_header_is_refused(header):
    with pytest.raises(BrowseError) as caught:
        IDENTIFY.caller(Headers({"authorization": header} if header else {}))

    assert caught.value.code is Code.UNAUTHENTICATED
    assert "the-token" not in caught.value.message + caught.value.hint


def test_an_empty_token_opens_nothing():
    with pytest.raises(BrowseError):
        Identify("").caller(Headers({"authorization": "Bearer "}))
