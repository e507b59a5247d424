"""Names: looked up once for all who ask."""

import asyncio

from browse.browser.network.resolver import Names


async def test_loopback_is_known_and_asked_for_once():
    names = Names()
    try:
        first, second = await asyncio.gather(names("localhost"), names("localhost"))

        assert "127.0.0.1" in first
        assert second is first
        assert await names("localhost") is first
    finally:
        names.close()


async def test_what_is_no_name_leads_nowhere():
    names = Names()
    try:
        assert await names("a" * 80 + ".test") == []
        assert await names("") == []
    finally:
        names.close()
