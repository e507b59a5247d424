"""The services of the daemon that a command may ask for, by a parameter of one of these types.

A command gets what its signature names, and nothing else:
`async def stop(ctx: Ctx, *, life: LifeService) -> Text`.
"""

from typing import Annotated

from browse.cookies.everyday import EverydayBrowsers
from browse.core.telemetry import Telemetry
from browse.dispatch.access import Access
from browse.dispatch.activity import Activity
from browse.dispatch.automation import Automation
from browse.dispatch.canary_guard import CanaryGuard
from browse.dispatch.context import DaemonLife
from browse.dispatch.screening import Screening
from browse.dispatch.site_notes import ArrivalNotes
from browse.flow.journal import FlowJournal
from browse.inbox.inbox import Inbox
from browse.notes.notebook import Notebook
from browse.registry.signature import Service
from browse.skills.script_runs import ScriptRuns
from browse.view.holds import Holds

AccessService = Annotated[Access, Service("access")]
ActivityService = Annotated[Activity, Service("activity")]
ArrivalService = Annotated[ArrivalNotes, Service("arrival")]
AutomationService = Annotated[Automation, Service("automation")]
CanaryService = Annotated[CanaryGuard, Service("canary_guard")]
EverydayService = Annotated[EverydayBrowsers, Service("everyday")]
HoldsService = Annotated[Holds, Service("holds")]
InboxService = Annotated[Inbox, Service("inbox")]
JournalService = Annotated[FlowJournal, Service("journal")]
LifeService = Annotated[DaemonLife, Service("life")]
NotesService = Annotated[Notebook, Service("notes")]
ScriptRunsService = Annotated[ScriptRuns, Service("scripts")]
ScreeningService = Annotated[Screening, Service("screening")]
TelemetryService = Annotated[Telemetry, Service("telemetry")]
