"""Is a skill's page still built as it was? Looks for what each of its steps needs.

Unless it is told to do the steps as well, it never acts: then steps that come after an action are
looked at only where they were taken on a page built exactly like the one that a check can open.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from browse.browser.actions import waiting
from browse.browser.elements import fingerprints, target
from browse.browser.elements.fingerprints import Touched
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code
from browse.flow import again
from browse.flow.fingerprint import ALIKE, likeness
from browse.flow.pages import MAX_HTML_CHARS
from browse.flow.steps import Mark, Step, Target
from browse.registry.spec import Spec
from browse.registry.table import Table
from browse.skills.recording import places, readings
from browse.skills.recording.choose import FRAME, STARTS, TYPING, reads
from browse.skills.recording.codify import Flow
from browse.skills.recording.markup import light

# A page may put its elements there after it has loaded.
PATIENCE_MS = 2_000
# After an action, only a page that is built the same is the one that a check sees.
SAME = 0.98
MAX_NEAREST = 3
MISSING = {
    Code.NO_MATCH: "its element is not on the page",
    Code.SEVERAL_MATCH: "several elements are what it names",
}


class Verdict(StrEnum):
    """How a skill stands, from best to worst."""

    FRESH = "fresh"
    UNKNOWN = "unknown"
    DRIFTED = "drifted"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is no longer as it was, and at which step; `page` has what comes closest."""

    verdict: Verdict
    what: str
    step: int = 0
    command: str = ""
    page: str = ""

    def __str__(self) -> str:
        return f"step {self.step} ({self.command}): {self.what}" if self.step else self.what


@dataclass(slots=True)
class Report:
    """What a check has found."""

    findings: list[Finding] = field(default_factory=list)
    likeness: float | None = None
    looked_at: int = 0
    beyond: list[int] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        ranks = list(Verdict)
        return max((it.verdict for it in self.findings), key=ranks.index, default=Verdict.FRESH)

    def compare(self, was: str, now: str) -> None:
        """Compare the sketch of a page with what it was; of several, the least alike counts."""
        if was:
            alike = likeness(was, now)
            if alike < ALIKE:
                told = f"the page is built differently ({alike:.0%} alike)"
                self.findings.append(Finding(Verdict.DRIFTED, told))
            self.likeness = alike if self.likeness is None else min(alike, self.likeness)


@dataclass(frozen=True, slots=True)
class Ways:
    """How a check opens an address, and does a step; without `do` it only looks."""

    go: Callable[[str], Awaitable[None]]
    do: Callable[[Step], Awaitable[None]] | None = None


async def of_flow(tab: Tab, flow: Flow, table: Table, ways: Ways) -> Report:
    """Look for what each recorded step needs, in a tab that shows the page it began at."""
    report, start = Report(), start_of(flow)
    done: list[Step] = []  # then, and not now
    report.compare(start.sketch, await _sketch(tab, start))
    for at, step in enumerate(flow.steps):
        if step.command in STARTS:
            if at:
                await ways.go(step.after.url)
                start, done = step.after, []
                report.compare(start.sketch, await _sketch(tab, start))
        elif not is_reached(step, start, done):
            report.beyond.append(step.number)
        elif step.command != FRAME:
            spec = table.find(step.command)
            look = _Look(tab, step, spec, patient=not report.findings)
            report.looked_at += 1
            report.findings += await look.findings(parsed=step.number in flow.parsed)
            if ways.do and report.verdict is not Verdict.BROKEN and not reads(step):
                report.findings += await _done(report, tab, step, ways.do)
            if ways.do and report.verdict is Verdict.BROKEN:
                report.beyond += [later.number for later in flow.steps[at + 1 :]]
                break
            done += [step] if spec.acts and not ways.do else []
    return report


def is_reached(step: Step, start: Mark, done: Sequence[Step]) -> bool:
    """Tell whether a step was taken on the page that a check sees, although things were done."""
    if not done:
        return True
    if step.before.sketch and start.sketch:
        return likeness(step.before.sketch, start.sketch) >= SAME
    typed = all(it.command in TYPING for it in done)
    return typed and step.before.url == start.url


async def _done(
    report: Report, tab: Tab, step: Step, do: Callable[[Step], Awaitable[None]]
) -> list[Finding]:
    """Do a step, and compare where it led to with where it led then."""
    try:
        await do(step)
    except BrowseError as exc:
        what = f"it fails: {exc.message}"
        return [Finding(Verdict.BROKEN, what, step.number, step.command, exc.page)]
    if step.after.sketch != step.before.sketch:
        report.compare(step.after.sketch, await _sketch(tab, step.after))
    return []


async def _sketch(tab: Tab, was: Mark) -> str:
    """Sketch the page once it is built as it was, or has had time enough for it."""
    await again.ended(tab, was)
    return (await fingerprints.mark(tab)).sketch


async def of_page(tab: Tab, fixture: str) -> Report:
    """Compare a page with one that was kept, by how they are built."""
    report = Report()
    was, now = await fingerprints.mark_of(tab, fixture), await fingerprints.mark(tab)
    report.compare(was.sketch, now.sketch)
    return report


@dataclass(frozen=True, slots=True)
class _Look:
    """A look for what a step needs; what is not there yet is waited for while there is patience."""

    tab: Tab
    step: Step
    spec: Spec
    patient: bool

    async def findings(self, *, parsed: bool) -> list[Finding]:
        for recorded in self.step.targets.values():
            if missing := await self._missing(recorded):
                return [missing]
        if not parsed:
            return []
        html = light((await fingerprints.mark(self.tab, most_html=MAX_HTML_CHARS)).html)
        value = readings.again(self.step, self.spec, html)
        if not value:
            return [self._finding(Verdict.BROKEN, "what it reads gives nothing any more")]
        if not readings.is_alike(value, self.step.shape):
            return [self._finding(Verdict.DRIFTED, "what it reads has other fields")]
        return []

    async def _missing(self, recorded: Target) -> Finding | None:
        read = reads(self.step)
        word = places.selector(recorded, read=read)
        try:
            now = await self._found(word)
        except BrowseError as exc:
            if exc.code not in MISSING:
                raise
            near = await nearest(self.tab, recorded)
            return self._finding(Verdict.BROKEN, MISSING[exc.code], near)
        if read or (now.role, now.name) == (recorded.role, recorded.name):
            return None
        lines = _line("was", recorded.role, recorded.name), _line("now", now.role, now.name)
        return self._finding(Verdict.DRIFTED, "its element is called otherwise", "\n".join(lines))

    async def _found(self, word: str) -> Touched:
        try:
            return await touched(self.tab, word)
        except BrowseError as exc:
            if exc.code is not Code.NO_MATCH or not self.patient:
                raise
            place = target.waited_for(self.tab, word)
            try:
                await waiting.for_element(place, word, PATIENCE_MS, gone=False)
            except BrowseError:
                raise exc from None
            return await touched(self.tab, word)

    def _finding(self, verdict: Verdict, what: str, page: str = "") -> Finding:
        return Finding(verdict, what, self.step.number, self.step.command, page)


async def touched(tab: Tab, word: str) -> Touched:
    """Find the one element that a word means, and tell how to find it again."""
    tab.touched = {}
    try:
        await target.find(tab, word, anyway=True)
        return tab.touched[word]
    finally:
        tab.touched = None


async def nearest(tab: Tab, recorded: Target) -> str:
    """List what comes closest to a recorded element, with what to name it by."""
    meant = f"{recorded.name} {recorded.css} {recorded.role}"
    lines: list[str] = []
    for near in (await target.candidates(tab, tab.frame, meant))[:MAX_NEAREST]:
        word = f"@e{near.number}"
        it = await touched(tab, word)
        shown = Target(word, it.role, it.name, it.tag, it.css, it.frame)
        lines.append(_line("nearest", it.role, it.name, places.selector(shown)))
    return "\n".join(lines)


def _line(label: str, role: str, name: str, selector: str = "") -> str:
    return f'{label}: [{role}] "{name}"' + (f" → {selector}" if selector else "")


def steps_in_words(numbers: Sequence[int]) -> str:
    """Spell the numbers of steps."""
    first, last = numbers[0], numbers[-1]
    return f"step {first}" if first == last else f"steps {first} to {last}"


def start_of(flow: Flow) -> Mark:
    """Tell how the page looked that a flow began at."""
    first = flow.steps[0]
    if first.command in STARTS or (not first.before.sketch and first.after.url == first.before.url):
        return first.after
    return first.before
