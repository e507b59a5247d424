"""Fetch a file through Chromium: with its cookies, logins, certificates and proxy.

A hidden tab shows an empty page of ours at the file's origin and fetches from there, so that CORS
does not apply and an aborted body is noticed. Every request is paused first: a redirect is followed
only to an address that is allowed.
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
from browse.browser.driver_messages import ABORTED, network_error
from browse.browser.files.incoming_file import (
    AGAIN,
    IncomingFile,
    base_name,
    download_failed,
    read_pieces,
    start_fetch,
)
from browse.browser.network.refusals import Refusals
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.guard.hosts import host_of
from browse.guard.urls import NavUrl, check_foreign

MAX_REDIRECTS = 20
REASON_S = 2.0
_EMPTY = base64.b64encode(b'<!doctype html><link rel="icon" href="data:,">').decode()
_HTML = [{"name": "content-type", "value": "text/html"}]


@asynccontextmanager
async def open_fetcher(tabs: Tabs, beside: Tab) -> AsyncIterator["Fetcher"]:
    """Open a hidden tab to fetch from, on behalf of a tab; it is closed after the block."""
    async with tabs.aside(beside) as tab:
        session = await tab.protocol()
        made = Fetcher(tab, session, tabs.logs.refusals)
        with translated("preparing the download"):
            # CDP's copies of the bodies are of no use here.
            no_copies = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}
            await session.send("Network.enable", no_copies)
            await session.send("Network.setBypassServiceWorker", {"bypass": True})
            await session.send(
                "Fetch.enable", {"patterns": [{"urlPattern": "*"}], "handleAuthRequests": True}
            )
        yield made


class Fetcher:
    """Fetches files, one after the other."""

    def __init__(self, tab: Tab, session: CDPSession, refusals: Refusals) -> None:
        self._tab = tab
        self._session = session
        self._refusals = refusals
        self._origin = ""
        self._requested = ""
        self._referrer = ""
        self._login: list[str] = []
        self._redirects = 0
        self._redirected_to: NavUrl | None = None
        self._refusal: BrowseError | None = None
        self._reason = ""
        self._failed = asyncio.Event()
        session.on("Fetch.requestPaused", self._on_request)
        session.on("Fetch.authRequired", self._on_login)
        session.on("Network.loadingFailed", self._on_failed)

    async def get(self, url: NavUrl, *, referrer: str = "") -> IncomingFile:
        """Request a file; return it once the server has answered with success."""
        self._referrer, self._redirects = referrer, 0
        while True:
            head, fetching = await self._request(url)
            if head is not None:
                break
            if self._redirected_to is None:
                raise self._refusal or await self._failure()
            url = self._redirected_to
        if head.status >= 400 or head.status == HTTPStatus.NO_CONTENT:
            raise http_error(head.status)
        length = int(head.length) if head.length.isdecimal() else None
        return IncomingFile(
            read_pieces(fetching, self._failure), head.type, length, _file_name(head.disposition)
        )

    async def _request(self, url: NavUrl) -> Any:
        self._origin, self._login = _origin(url), _login(url)
        self._redirected_to = self._refusal = None
        self._reason = ""
        self._failed.clear()
        with translated("preparing the download"):
            await self._tab.page.goto(
                f"{self._origin}/", wait_until="commit", timeout=self._tab.navigation_ms
            )
        return await start_fetch(self._tab.page.main_frame, str(url))

    def _on_request(self, event: dict[str, Any]) -> None:
        spawn(self._handle(event), name="a request of a download")

    async def _handle(self, event: dict[str, Any]) -> None:
        id, request = event["requestId"], event["request"]
        self._requested = request["url"]
        self._redirects += "redirectedRequestId" in event
        with suppress(DriverError):  # the page may be closed already
            if event["resourceType"] == "Document":
                page = {"responseCode": 200, "responseHeaders": _HTML, "body": _EMPTY}
                await self._session.send("Fetch.fulfillRequest", {"requestId": id, **page})
            elif await self._is_allowed(request["url"]):
                headers = {**request["headers"], **_referrer_header(self._referrer)}
                listed = [{"name": name, "value": value} for name, value in headers.items()]
                await self._session.send(
                    "Fetch.continueRequest", {"requestId": id, "headers": listed}
                )
            else:
                await self._session.send(
                    "Fetch.failRequest", {"requestId": id, "errorReason": "Aborted"}
                )

    async def _is_allowed(self, address: str) -> bool:
        """Decide on a request; one to another origin is refused, and made again from there."""
        try:
            url = await check_foreign(address)
        except BrowseError as exc:
            self._refusal = exc
            return False
        if self._redirects > MAX_REDIRECTS:
            self._refusal = download_failed(f"more than {MAX_REDIRECTS} redirects", hint=AGAIN)
            return False
        if _origin(url) != self._origin:
            self._redirected_to = url
            return False
        return True

    def _on_login(self, event: dict[str, Any]) -> None:
        """Send the login from the address, once; without one, the server's refusal stands."""
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
        name = network_error(event.get("errorText", ""))
        if event.get("type") == "Fetch" and name != ABORTED:  # our own abort
            self._reason = name
            self._failed.set()

    async def _failure(self) -> BrowseError:
        """Build the error for a failed fetch; wait briefly for the reason, which comes later."""
        with suppress(TimeoutError):
            async with asyncio.timeout(REASON_S):
                await self._failed.wait()
        refusal = self._refusals.cause_of(self._reason, self._requested)
        if refusal and not refusal.net:
            return refusal.error(host_of(self._requested))
        reason = refusal.net if refusal else self._reason
        name = f" ({reason})" if reason else ""
        return download_failed(network_reason(reason) + name, hint=f"check the address and {AGAIN}")


def http_error(status: int) -> BrowseError:
    """Build the error for an HTTP status, in the standard's words, not the server's."""
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


def _referrer_header(page: str) -> dict[str, str]:
    """Return the Referer header that a browser sends to another site: without a path."""
    parts = urlsplit(page)
    if parts.scheme not in ("http", "https"):
        return {}
    return {"Referer": f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/"}


def _file_name(disposition: str) -> str:
    header = Message()
    header["content-disposition"] = disposition
    return base_name(header.get_filename() or "")
