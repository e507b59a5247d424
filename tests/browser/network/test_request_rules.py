"""The rules of a fence. What pages try against it is in tests/e2e/network/test_network_rules.py."""

import asyncio
from typing import Any

import pytest

from browse.browser.network.frame_owners import Unknown
from browse.browser.network.refusals import Refusals
from browse.browser.network.request_rules import Fences, Rules

SITE = Rules(("*.example.com",))
READING = Rules(read_only=True)


@pytest.mark.parametrize(
    ("rules", "method", "url", "allowed"),
    [
        (SITE, "GET", "https://www.example.com/", True),
        (SITE, "POST", "http://example.com:8080/", True),
        (SITE, "GET", "https://example.com.evil.test/", False),
        (SITE, "GET", "https://example.com@evil.test/", False),
        (SITE, "GET", "file:///etc/passwd", False),
        (SITE, "GET", "chrome-extension://example.com/", False),
        (SITE, "GET", "data:text/html,hello", True),
        (SITE, "GET", "about:blank", True),
        (Rules(()), "GET", "https://example.com/", False),
        (READING, "GET", "https://anywhere.test/", True),
        (READING, "HEAD", "https://anywhere.test/", True),
        (READING, "POST", "https://anywhere.test/", False),
        (READING, "OPTIONS", "https://anywhere.test/", False),
        (Rules(), "DELETE", "https://anywhere.test/", True),
    ],
)
def test_rules_decide_on_requests(rules, method, url, allowed):
    assert bool(rules.objection(method, url)) is not allowed


def fences(everywhere: Rules | None = None, **rules: Rules | None) -> Fences:
    """Make fences around pages by their ids, without a browser."""
    context: Any = None
    made = Fences(context, Refusals(), everywhere or Rules(), vouch_s=0.05)
    made._rules.update(rules)
    return made


async def test_door_lets_through_what_no_fence_objects_to():
    around = fences(one=SITE, two=None)

    assert await around.objection("websocket", "a.example.com") == ""
    assert await around.objection("web", "a.example.com") == ""
    assert await fences().objection("websocket", "anywhere.test") == ""


async def test_door_waits_for_a_tab_without_a_fence_to_vouch():
    around = fences(one=SITE)
    around._vouch_s = 20.0
    asking = asyncio.ensure_future(around.objection("websocket", "other.test"))
    await asyncio.sleep(0)
    around._vouch("web", "other.test")  # a page is no WebSocket
    await asyncio.sleep(0)
    assert not asking.done()
    around._vouch("websocket", "other.test")

    assert await asking == ""


async def test_door_refuses_what_nobody_vouches_for():
    assert "may not send" in await fences(one=SITE).objection("websocket", "other.test")
    assert "WebSocket" in await fences(READING).objection("websocket", "a.example.com")
    assert await fences(READING).objection("web", "a.example.com") == ""


def page(opener: str = "", **more: str) -> dict[str, str]:
    return {"type": "page", "openerId": opener, **more}


def test_popup_of_a_popup_is_inside_as_well():
    around = fences(one=SITE, free=None)
    targets = {"two": page("one"), "three": page("two"), "new": page(), "child": page("free")}

    assert around._of_page("three", targets) == SITE
    assert around._of_page("new", targets) is None
    assert around._of_page("child", targets) is None


@pytest.mark.parametrize(
    "targets",
    [{}, {"it": page("closed")}, {"it": page(subtype="prerender")}, {"it": {"type": "x"}}],
)
def test_page_that_cannot_be_attributed_is_not_outside(targets):
    with pytest.raises(Unknown):
        fences(one=SITE)._of_page("it", targets)


def test_worker_that_tabs_share_is_inside_if_a_fenced_tab_may_have_started_it():
    around = fences(one=SITE, free=None)

    assert around._around_worker("https://example.com/worker.js") == [SITE]
    assert around._around_worker("https://other.test/worker.js") == []
