"""What a handler may use, and nothing else."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from browse.browser.session import Session
from browse.browser.tab import Tab
from browse.browser.tabs import Tabs
from browse.core.errors import BrowseError
from browse.core.paths import temp_folder
from browse.core.settings import Settings
from browse.dispatch.call import Call
from browse.egress.pipeline import Outgoing
from browse.guard.files import Roots, WritePath, check_write
from browse.registry.results import Result


class Life(Protocol):
    """The daemon's own life, as far as commands may look at it or end it."""

    @property
    def ending(self) -> bool: ...

    def uptime_s(self) -> float: ...

    def stop_soon(self, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Step:
    """How an inner command ended: its rendered output, or its error as well."""

    output: Outgoing
    error: BrowseError | None


@dataclass(slots=True)
class Ctx:
    """The surroundings of one invocation."""

    call: Call
    settings: Settings
    session: Session
    life: Life
    json: bool
    emit: Callable[[Result], Awaitable[None]]
    run: Callable[[Call], Awaitable[Step]]
    anyway: bool = False
    held: Tab | None = None
    queued_for: Tab | None = None

    @property
    def tab(self) -> Tab:
        """The tab of this invocation, locked for it. Only commands on the tab lane have one."""
        if self.held is None:
            raise RuntimeError("this command is declared on a lane without a tab")
        return self.held

    def output(self, name: str) -> WritePath:
        """Give the place for a file that the caller did not name: in the temporary folder."""
        folder = str(temp_folder())
        return check_write(name, cwd=folder, roots=Roots.of(folder))

    def warnings(self, *hosts: str) -> list[str]:
        """Say what is known of the hosts that a command went to, each warning once."""
        said = (self.session.sites.warning(host) for host in hosts)
        return list(dict.fromkeys(warning for warning in said if warning))

    def blocked(self, tab: Tab, since: float) -> list[str]:
        """Say which rules kept requests of a tab from being sent, and how many; none: no line."""
        rows = self.session.capture.traffic.blocked(tab.id, since)
        why = "; ".join(sorted({row.blocked for row in rows}))
        many = f"{len(rows)} requests were" if len(rows) > 1 else "1 request was"
        return [f"{many} blocked: {why} (`browse network` lists them)"] if rows else []

    async def tabs(self) -> Tabs:
        """All tabs, once the browser is up."""
        return await self.session.tabs()
