"""Keep the sessions for the next daemon (`BROWSE_PERSIST_STATE`): saved often, restored at start.

Nothing is saved before what was there is restored, and nothing that could not be read.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from browse.auth.caller import ROOT
from browse.browser.driver_errors import translated
from browse.browser.process.browser import Browser
from browse.browser.storage import saved_state
from browse.browser.storage.kept_state import KeptFile, KeptState
from browse.browser.storage.saved_state import BLANK, SavedState, SavedTab
from browse.browser.storage.state_file import NewerState, UnfitState
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.core.tasks import spawn
from browse.dispatch.file_access import FileAccess
from browse.guard.urls import NavUrl
from browse.server.notices import Notices

log = logging.getLogger(__name__)
# How long the end of the daemon may wait for the last save.
FINAL_S = 5.0
# Where a tab is before a restored page loads, and if it cannot be reached.
NOT_SHOWN = (BLANK, "chrome-error:")


class SessionKeeper:
    """Restores the sessions when the browser starts, and saves them while it runs."""

    def __init__(
        self, settings: Settings, paths: Paths, browser: Browser, notices: Notices
    ) -> None:
        self._browser = browser
        self._notices = notices
        self._interval_s = settings.persist_interval_ms / 1000
        self._limit = settings.max_tabs
        self._has_profile = bool(settings.profile)
        self._file = KeptFile(paths.session_state)
        self._admit = saved_state.admitting(FileAccess(paths).of(ROOT).reads)
        self._before: dict[int, SavedTab] = {}  # what was last saved of each tab
        self._unloaded: dict[int, SavedTab] = {}  # what was restored of tabs that show it not yet
        self._saving = asyncio.Lock()
        self._is_on = False
        browser.at_start = self.restore

    async def restore(self, usual: Tabs) -> None:
        """Fill the sessions, before any command runs; the pages load while commands wait for them.

        A window has a profile of its own: a daemon that begins in one leaves the file alone.
        """
        if self._browser.mode == "headed":
            self._say(
                "BROWSE_PERSIST_STATE: a daemon that starts in a window saves and restores nothing."
            )
            return
        try:
            if kept := await asyncio.to_thread(self._file.read):
                await saved_state.require_restorable(usual, kept)
                await self._restore(usual, kept)
        except NewerState as exc:
            self._say(f"The kept session is neither restored nor replaced: {exc.reason}.")
            return
        except UnfitState as exc:
            await self._give_up(f"{exc.reason}.")
        except BrowseError as exc:
            await self._give_up(exc.message)
        self._is_on = True
        spawn(self._save_often(), name="keep the sessions")

    async def _give_up(self, why: str) -> None:
        try:
            where = f"The file is now at {await asyncio.to_thread(self._file.set_aside)}."
        except BrowseError as exc:
            where = exc.message
        self._say(f"The kept session was not restored: {why} {where}")

    async def _restore(self, usual: Tabs, kept: KeptState) -> None:
        self._browser.imported.add(kept.imported)  # first: a restored login is an imported one
        await self._fill(usual, kept, keep_storage=self._has_profile)
        for name, state in kept.sessions.items():
            await self._fill(await self._browser.open_at_start(name), state, keep_storage=False)

    async def _fill(self, tabs: Tabs, state: SavedState, *, keep_storage: bool) -> None:
        if len(state.pages) > self._limit:
            self._say(
                f"Of {len(state.pages)} kept tabs, {self._limit} are opened (BROWSE_MAX_TABS)."
            )
        state.pages = state.pages[: self._limit] or [SavedTab(BLANK, is_active=True)]
        urls = [await self._admitted(page) for page in state.pages]
        if keep_storage:
            fresh = await self._beside_profile(tabs, state)
        else:
            fresh = await saved_state.put_storage(tabs, state)
        for tab, page in zip(fresh, state.pages, strict=True):
            for holder in page.holders:
                tabs.leases.take(holder, tab.id)
            if page.is_active:
                tabs.choice.first = tab.id
            self._unloaded[tab.id] = page
        await self._begin_to_load(fresh, state.pages, urls)

    async def _beside_profile(self, tabs: Tabs, state: SavedState) -> list[Tab]:
        """Open blank tabs; of the storage, only what a profile forgets: cookies without an end."""
        fresh = await tabs.replace_all(len(state.pages))
        known = {(it.get("name"), it.get("domain")) for it in await tabs.context.cookies()}
        lost = [it for it in state.cookies if it.expires < 0 and (it.name, it.domain) not in known]
        if lost:
            with translated("restoring cookies"):
                await tabs.context.add_cookies(SavedState(1, "", lost, []).storage()["cookies"])
        return fresh

    async def _admitted(self, page: SavedTab) -> NavUrl | None:
        if page.url == BLANK:
            return None
        try:
            return await self._admit(page.url)
        except BrowseError:
            self._say("A kept tab leads where no tab may go now: it is blank.")
            return None

    async def _begin_to_load(
        self, fresh: Sequence[Tab], pages: Sequence[SavedTab], urls: Sequence[NavUrl | None]
    ) -> None:
        """Load the tabs in the background, each held until it is loaded."""
        for tab, page, url in zip(fresh, pages, urls, strict=True):
            held = asyncio.Event()
            spawn(self._load(tab, page, url, held), name=f"tab {tab.id}: restore")
            await held.wait()

    async def _load(
        self, tab: Tab, page: SavedTab, url: NavUrl | None, held: asyncio.Event
    ) -> None:
        async with tab.lock.hold("restore"):
            held.set()
            if not await saved_state.load_tab(tab, page, url):
                again = f"`browse reload --tab-id {tab.id}`"
                self._say(f"Tab {tab.id} was restored and did not load: {again}.")
            else:
                self._unloaded.pop(tab.id, None)

    async def _save_often(self) -> None:
        while self._is_on:
            await asyncio.sleep(self._interval_s)
            await self._save()

    async def close(self) -> None:
        """Save once more, before the browser is closed."""
        if self._is_on:
            with suppress(TimeoutError):
                async with asyncio.timeout(FINAL_S):
                    await self._save()
        self._is_on = False

    async def _save(self) -> None:
        async with self._saving:
            try:
                if kept := await self._read():
                    await asyncio.to_thread(self._file.write, kept)
            except BrowseError as exc:
                # What was saved before stays. Most often a page does not answer just now.
                log.warning("the sessions are not saved: %s", exc.message)

    async def _read(self) -> KeptState | None:
        usual = self._browser.open_tabs
        if usual is None or not self._browser.is_up:
            return None
        before, self._before = self._before, {}
        try:
            kept = await self._read_session(usual, before)
            for name, tabs in self._browser.named().items():
                kept.sessions[name] = await self._read_session(tabs, before)
            kept.imported = sorted(self._browser.imported.domains)
        except BaseException:
            self._before = before
            raise
        return kept

    async def _read_session(self, tabs: Tabs, before: Mapping[int, SavedTab]) -> KeptState:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        async with tabs.lock.shared():  # not while a command replaces all tabs
            chosen = [tab for tab in tabs.all() if not tab.owner]
            current = next((it for it in chosen if it.id == tabs.leases.newest()), None)
            state, _ = await saved_state.read_state(
                tabs, chosen, current, self._admit, saved_at=now, before=before
            )
        for at, tab in enumerate(chosen):
            if (last := self._unloaded.get(tab.id)) and tab.url.startswith(NOT_SHOWN):
                state.pages[at] = msgspec.structs.replace(last, is_active=tab is current)
            page = self._before[tab.id] = state.pages[at]
            page.holders, page.note = tabs.leases.users(tab.id), ""
        return KeptState(state.version, state.saved_at, state.cookies, state.pages, state.origins)

    def _say(self, line: str) -> None:
        log.warning("%s", line)
        self._notices.add(line)
