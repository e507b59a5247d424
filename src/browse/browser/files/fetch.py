"""Fetching a file with Chromium's own network: its cookies, logins, certificates and proxy.

A tab that nobody sees stands at the file's own origin, on an empty page of ours, and fetches from
there, so no rule between origins is in the way and a body that breaks off is noticed. Every request
is stopped first: a redirect is followed only to an address that the rules admit.
"""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from email.message import Message
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote, urlsplit

from playwright.async_api import CDPSession
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import network_reason, translated
from browse.browser.files.incoming_file import AGAIN, Incoming, base_name, begin, failed, pieces
from browse.browser.network.refusals import Refusals
from browse.browser.tabs.tab import NAVIGATION_MS, Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.guard.urls import NavUrl, check_foreign, host_of

MAX_REDIRECTS = 20
REASON_S = 2.0
_EMPTY = base64.b64encode(b'<!doctype html><link rel="icon" href="data:,">').decode()
_HTML = [{"name": "content-type", "value": "text/html"}]


@asynccontextmanager
async def fetcher(tabs: Tabs, beside: Tab) -> AsyncIterator["Fetcher"]:
    """Open a place to fetch from, on behalf of a tab; it is closed with its use."""
    async with tabs.aside(beside) as tab:
        session = await tab.protocol()
        made = Fetcher(tab, session, tabs.capture.refusals)
        with translated("preparing the download"):
            # What the protocol would keep of each body is of no use here.
            no_copies = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}
            await session.send("Network.enable", no_copies)
            await session.send("Network.setBypassServiceWorker", {"bypass": True})
            await session.send(
                "Fetch.enable", {"patterns": [{"urlPattern": "*"}], "handleAuthRequests": True}
            )
        yield made


class Fetcher:
    """Fetches one file after the other."""

    def __init__(self, tab: Tab, session: CDPSession, refusals: Refusals) -> None:
        self._tab = tab
        self._session = session
        self._refusals = refusals
        self._origin = ""
        self._asked = ""
        self._referrer = ""
        self._login: list[str] = []
        self._redirects = 0
        self._moved: NavUrl | None = None
        self._refusal: BrowseError | None = None
        self._reason = ""
        self._failed = asyncio.Event()
        session.on("Fetch.requestPaused", self._on_request)
        session.on("Fetch.authRequired", self._on_login)
        session.on("Network.loadingFailed", self._on_failed)

    async def get(self, url: NavUrl, *, referrer: str = "") -> Incoming:
        """Ask for a file; gives it once the server has said yes."""
        self._referrer, self._redirects = referrer, 0
        while True:
            head, fetching = await self._ask(url)
            if head is not None:
                break
            if self._moved is None:
                raise self._refusal or await self._why()
            url = self._moved
        if head.status >= 400 or head.status == HTTPStatus.NO_CONTENT:
            raise refused(head.status)
        length = int(head.length) if head.length.isdecimal() else None
        return Incoming(
            pieces(fetching, self._why), head.type, length, _file_name(head.disposition)
        )

    async def _ask(self, url: NavUrl) -> Any:
        self._origin, self._login = _origin(url), _login(url)
        self._moved = self._refusal = None
        self._reason = ""
        self._failed.clear()
        with translated("preparing the download"):
            await self._tab.page.goto(
                f"{self._origin}/", wait_until="commit", timeout=NAVIGATION_MS
            )
        return await begin(self._tab.page.main_frame, str(url))

    def _on_request(self, event: dict[str, Any]) -> None:
        spawn(self._handle(event), name="a request of a download")

    async def _handle(self, event: dict[str, Any]) -> None:
        id, request = event["requestId"], event["request"]
        self._asked = request["url"]
        self._redirects += "redirectedRequestId" in event
        with suppress(DriverError):  # the page may be closed already
            if event["resourceType"] == "Document":
                page = {"responseCode": 200, "responseHeaders": _HTML, "body": _EMPTY}
                await self._session.send("Fetch.fulfillRequest", {"requestId": id, **page})
            elif await self._may_ask(request["url"]):
                headers = {**request["headers"], **_referred(self._referrer)}
                listed = [{"name": name, "value": value} for name, value in headers.items()]
                await self._session.send(
                    "Fetch.continueRequest", {"requestId": id, "headers": listed}
                )
            else:
                await self._session.send(
                    "Fetch.failRequest", {"requestId": id, "errorReason": "Aborted"}
                )

    async def _may_ask(self, address: str) -> bool:
        """Decide on a request; one to another origin is asked anew, from there."""
        try:
            url = await check_foreign(address)
        except BrowseError as exc:
            self._refusal = exc
            return False
        if self._redirects > MAX_REDIRECTS:
            self._refusal = failed(f"more than {MAX_REDIRECTS} redirects", hint=AGAIN)
            return False
        if _origin(url) != self._origin:
            self._moved = url
            return False
        return True

    def _on_login(self, event: dict[str, Any]) -> None:
        """Give the login that was in the address, once; without one the server's no stands."""
        answer = {"response": "CancelAuth"}
        if self._login and event["authChallenge"].get("source") != "Proxy":
            username, password = self._login
            self._login = []
            answer = {
                "response": "ProvideCredentials",
                "username": username,
                "password": password,
            }
        spawn(self._answer_login(event["requestId"], answer), name="a login of a download")

    async def _answer_login(self, id: str, answer: dict[str, str]) -> None:
        with suppress(DriverError):  # the page may be closed already
            await self._session.send(
                "Fetch.continueWithAuth", {"requestId": id, "authChallengeResponse": answer}
            )

    def _on_failed(self, event: dict[str, Any]) -> None:
        name = event.get("errorText", "").removeprefix("net::")
        if event.get("type") == "Fetch" and name != "ERR_ABORTED":  # that one is our own doing
            self._reason = name
            self._failed.set()

    async def _why(self) -> BrowseError:
        """Say why nothing came, or not all of it; the reason may come after the fact."""
        with suppress(TimeoutError):
            async with asyncio.timeout(REASON_S):
                await self._failed.wait()
        refusal = self._refusals.behind(self._reason, self._asked)
        if refusal and not refusal.net:
            return refusal.error(host_of(self._asked))
        reason = refusal.net if refusal else self._reason
        name = f" ({reason})" if reason else ""
        return failed(network_reason(reason) + name, hint=f"check the address and {AGAIN}")


def refused(status: int) -> BrowseError:
    """Say that a server said no, in the words of the standard, not the server's."""
    meaning = f" {HTTPStatus(status).phrase}" if status in set(HTTPStatus) else ""
    return BrowseError(
        Code.DOWNLOAD_FAILED,
        f"Download failed: HTTP {status}{meaning}",
        hint="check the address, or log in on the site first; nothing was written",
    )


def _origin(url: NavUrl) -> str:
    parts = urlsplit(str(url))
    return f"{parts.scheme}://{parts.netloc}"


def _login(url: NavUrl) -> list[str]:
    userinfo, at, _ = urlsplit(url.text).netloc.rpartition("@")
    username, _, password = userinfo.partition(":")
    return [unquote(username), unquote(password)] if at else []


def _referred(page: str) -> dict[str, str]:
    """Name the page that the file is in, as a browser does for another site: without its path."""
    parts = urlsplit(page)
    if parts.scheme not in ("http", "https"):
        return {}
    return {"Referer": f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/"}


def _file_name(disposition: str) -> str:
    header = Message()
    header["content-disposition"] = disposition
    return base_name(header.get_filename() or "")
