"""The refs of a tab over HTTP."""

import pytest


@pytest.mark.parametrize("query", ["tab=x", "document=x", "tab=1.5"])
async def test_a_bad_query_is_refused(listener, query):
    async with listener.client() as client:
        assert (await client.get(f"/refs?{query}")).status_code == 400
        assert (await client.get(f"/inspector/history?{query}")).status_code == 400


async def test_an_unknown_tab_is_said(listener):
    async with listener.client() as client:
        assert (await client.get("/refs?tab=99")).json()["code"] == "tab-unknown"


async def test_a_tab_without_refs_has_none(listener):
    async with listener.client() as client:
        said = (await client.get("/refs?tab=2")).json()

    assert said == {"tab": 2, "count": 0, "page": {"url": "about:blank", "refs": []}}
