"""The services that the endpoints use: built once, when the daemon starts."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import HTTPConnection

from browse.auth.rates import Rates
from browse.dispatch.access import Access
from browse.dispatch.activity import Activity
from browse.dispatch.running import Running
from browse.server.notices import Notices
from browse.terminal.sessions import Terminals

if TYPE_CHECKING:
    from browse.browser.attach.shared_tabs import SharedTabs
    from browse.view.live_view import LiveView  # loaded when the first viewer comes


class Services(msgspec.Struct, frozen=True):
    """The parts of the daemon that endpoints use."""

    running: Running
    access: Access
    rates: Rates
    health: Callable[[], dict[str, Any]]
    activity: Activity
    # Called when a remote caller is refused: the request, and why.
    denied: Callable[[HTTPConnection, str], None]
    notices: Notices  # told to the owner with the next reply
    project: str
    live_view: "Callable[[], LiveView]"
    terminals: Terminals
    shared_tabs: "SharedTabs | None" = None  # if the daemon waits for tabs of a person's browser
