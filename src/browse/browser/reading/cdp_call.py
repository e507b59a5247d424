"""Calls of the DevTools protocol that a caller chose."""

from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import tab_crashed
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

# Domains that answer only while they are on; they cost the page something, so they go off again.
SWITCHED: dict[str, tuple[str, ...]] = {
    "Accessibility": ("Accessibility",),
    "CSS": ("DOM", "CSS"),
    "DOM": ("DOM",),
}


async def call(tab: Tab, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Call a method on a tab's own session; what the protocol objects to is said in its words."""
    if tab.crashed:
        raise tab_crashed()
    session = await tab.protocol()
    domains = SWITCHED.get(method.partition(".")[0], ())
    try:
        for domain in domains:
            await session.send(f"{domain}.enable")
        if "CSS" in domains:
            params = await _by_node_id(session, params)
        answer: dict[str, Any] = await session.send(method, params)
        for domain in reversed(domains):
            await session.send(f"{domain}.disable")
    except DriverError as exc:
        raise BrowseError(
            Code.SCRIPT_FAILED,
            f"The browser refused {method}.",
            hint="check the parameters, and that what they name is still there",
            page=exc.message.splitlines()[0][:500],
        ) from exc
    return answer


async def _by_node_id(session: CDPSession, params: dict[str, Any]) -> dict[str, Any]:
    """Let methods that know only passing node ids take the lasting ones."""
    if "backendNodeId" not in params:
        return params
    await session.send("DOM.getDocument", {"depth": 0})
    found = await session.send(
        "DOM.pushNodesByBackendIdsToFrontend", {"backendNodeIds": [params["backendNodeId"]]}
    )
    rest = {name: value for name, value in params.items() if name != "backendNodeId"}
    return {**rest, "nodeId": found["nodeIds"][0]}
