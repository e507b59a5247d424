"""Call a DevTools protocol method that a caller chose."""

from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as DriverError

from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

# Domains that answer only while enabled. They slow the page down, so they are disabled again.
DOMAINS_TO_ENABLE: dict[str, tuple[str, ...]] = {
    "Accessibility": ("Accessibility",),
    "CSS": ("DOM", "CSS"),
    "DOM": ("DOM",),
}


async def call_method(tab: Tab, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Call a method on a tab's CDP session; an error carries the browser's own message."""
    tab.check_page()
    session = await tab.protocol()
    domains = DOMAINS_TO_ENABLE.get(method.partition(".")[0], ())
    try:
        for domain in domains:
            await session.send(f"{domain}.enable")
        if "CSS" in domains:
            params = await _with_node_id(session, params)
        answer: dict[str, Any] = await session.send(method, params)
        for domain in reversed(domains):
            await session.send(f"{domain}.disable")
    except DriverError as exc:
        raise BrowseError(
            Code.SCRIPT_FAILED,
            f"The browser refused {method}.",
            hint="check the parameters, and that the nodes they name still exist",
            page=exc.message.splitlines()[0][:500],
        ) from exc
    return answer


async def _with_node_id(session: CDPSession, params: dict[str, Any]) -> dict[str, Any]:
    """Replace a `backendNodeId` by the node id that methods of CSS need."""
    if "backendNodeId" not in params:
        return params
    await session.send("DOM.getDocument", {"depth": 0})
    found = await session.send(
        "DOM.pushNodesByBackendIdsToFrontend", {"backendNodeIds": [params["backendNodeId"]]}
    )
    rest = {name: value for name, value in params.items() if name != "backendNodeId"}
    return {**rest, "nodeId": found["nodeIds"][0]}
