"""GET /refs: the refs that the agents know in a tab, for the side panel's list and boxes."""

from typing import Any

import msgspec
from starlette.requests import Request

from browse.auth.caller import ROOT, Caller
from browse.browser.elements.which_tab import tab_showing
from browse.browser.process.browser import Browser
from browse.browser.tabs.tab import Tab
from browse.browser.visual.annotations import areas_of
from browse.core.errors import Usage
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services
from browse.server.sources import Sources

MAX_BOXES = 500


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint that lists refs."""

    async def refs(request: Request, _: Caller) -> reply.Reply:
        """List the refs that agents have seen in a tab: `{tab, count, page: {url, refs}}`.

        `?tab=<id>` names the tab, `?document=<performance.timeOrigin>` finds it by what it shows;
        without them it is the current one. `&boxes=1` adds where each element is in its document,
        `&count=1` leaves out the list.
        """
        query = request.query_params
        tab = await asked_tab(services.running.runner.parts.browser, request)
        seen = tab.refs.shown_to_anyone()
        data: dict[str, Any] = {"tab": tab.id, "count": len(seen)}
        if query.get("count") != "1":
            boxes = await _boxes(tab, list(seen)) if query.get("boxes") == "1" else {}
            rows = [
                {"ref": ref, "role": it.role, "name": it.name, "box": boxes.get(ref)}
                for ref, it in seen.items()
            ]
            data["page"] = {"url": tab.url, "refs": rows}
        return reply.rendered(data)

    return Endpoint("GET", "/refs", EndpointAccess.OWNER, refs, Sources.EXTENSION)


async def _boxes(tab: Tab, refs: list[str]) -> dict[str, list[float]]:
    found = await areas_of(tab, refs[:MAX_BOXES])
    return {ref: [it.x, it.y, it.width, it.height] for ref, it in found.items()}


async def asked_tab(browser: Browser, request: Request) -> Tab:
    """Return the tab that a query names."""
    query = request.query_params
    try:
        wanted = msgspec.convert(query.get("tab"), int | None, strict=False)
        began = msgspec.convert(query.get("document"), float | None, strict=False)
    except msgspec.ValidationError as exc:
        raise Usage("tab and document are numbers", hint="for instance ?tab=1") from exc
    return await find_tab(browser, wanted, began)


async def find_tab(browser: Browser, number: int | None, document: float | None) -> Tab:
    """Return the tab of a number, the one that shows a document, or the owner's current one."""
    tabs = await browser.tabs()
    if document is not None:
        named = [tab for others in browser.named().values() for tab in others.all()]
        return await tab_showing([*tabs.all(), *named], document)
    return tabs.find(number) if number else await tabs.current(ROOT)
