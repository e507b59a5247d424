"""Documents outside a caller's allowed domains offer no tools."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from browse.browser.network.request_rules import TabRules
from browse.dispatch.context import Ctx
from browse.guard.sites import Sites

SHOP, OTHER = "https://shop.example.com/a", "https://other.example.org/"


def a_ctx(
    *,
    caller: tuple[str, ...] = (),
    tab: TabRules | None = None,
    sites: tuple[str, ...] = (),
    stealth: bool = False,
) -> Ctx:
    async def of(_: object) -> TabRules | None:
        return tab

    async def tabs() -> Any:
        return SimpleNamespace(request_rules=SimpleNamespace(of=of))

    found = SimpleNamespace(
        tabs=tabs,
        tab=SimpleNamespace(page=None),
        call=SimpleNamespace(caller=SimpleNamespace(domains=caller)),
        browser=SimpleNamespace(sites=Sites(sites)),
        settings=SimpleNamespace(stealth=stealth),
    )
    return cast("Ctx", found)


@pytest.mark.parametrize(
    ("limits", "shop", "other"),
    [
        ({}, True, True),
        ({"caller": ("shop.example.com",)}, True, False),
        ({"sites": ("shop.example.com",)}, True, False),
        ({"tab": TabRules(domains=("shop.example.com",))}, True, False),
        ({"tab": TabRules(domains=())}, False, False),
        ({"tab": TabRules(read_only=True)}, True, True),
        ({"stealth": True}, False, False),
        ({"caller": ("shop.example.com",), "sites": ("other.example.org",)}, False, False),
    ],
)
async def test_only_addresses_within_all_limits_are_asked(limits, shop, other):
    admits = await Ctx.tool_pages(a_ctx(**limits))

    assert (admits(SHOP), admits(OTHER)) == (shop, other)


async def test_a_document_without_a_host_is_outside_of_every_limit():
    assert not (await Ctx.tool_pages(a_ctx(caller=("shop.example.com",))))("data:text/html,x")
    assert (await Ctx.tool_pages(a_ctx()))("data:text/html,x")
