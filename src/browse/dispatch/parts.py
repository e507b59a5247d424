"""The parts of a daemon, put together once; a command gets those that its signature names."""

from collections.abc import Callable
from typing import Any

import msgspec

from browse.browser.process.browser import Browser
from browse.cookies.everyday import EverydayBrowsers
from browse.core.settings import Settings
from browse.core.telemetry import Telemetry
from browse.dispatch.access import Access
from browse.dispatch.activity import Activity
from browse.dispatch.automation import Automation
from browse.dispatch.canary_guard import CanaryGuard
from browse.dispatch.context import DaemonLife
from browse.dispatch.file_access import FileAccess
from browse.dispatch.screening import Screening
from browse.dispatch.site_notes import ArrivalNotes
from browse.flow.journal import FlowJournal
from browse.inbox.inbox import Inbox
from browse.notes.notebook import Notebook
from browse.notes.skillify_prompts import SkillifyPrompts
from browse.registry.spec import Spec
from browse.skills.script_runs import ScriptRuns
from browse.view.holds import Holds


class Parts(msgspec.Struct, frozen=True):
    """The parts of a daemon that commands work with, put together once."""

    settings: Settings
    browser: Browser
    life: DaemonLife
    project: str
    files: FileAccess
    audit: Callable[[str], None]
    activity: Activity
    access: Access
    automation: Automation
    telemetry: Telemetry
    screening: Screening
    notes: Notebook
    canary_guard: CanaryGuard
    arrival: ArrivalNotes
    prompts: SkillifyPrompts
    journal: FlowJournal
    holds: Holds
    inbox: Inbox
    everyday: EverydayBrowsers
    scripts: ScriptRuns

    def services(self, spec: Spec) -> dict[str, Any]:
        """Return what a command's signature asks for, by the names of its parameters."""
        return {parameter: getattr(self, name) for parameter, name in spec.services.items()}
