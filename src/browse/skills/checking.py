"""Check whether a skill's page is still built as before: find what each of its steps needs.

Unless it is told to run the steps as well, it never acts: then steps that come after an action are
checked only if they were recorded on a page built exactly like the one that a check can open.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum

import msgspec

from browse.browser.actions import waiting
from browse.browser.elements import fingerprints, target
from browse.browser.elements.fingerprints import ElementFingerprint
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code
from browse.flow import find_again
from browse.flow.fingerprint import ALIKE, likeness
from browse.flow.pages import MAX_HTML_CHARS
from browse.flow.steps import Mark, Step, Target
from browse.registry.spec import Spec
from browse.registry.table import CommandTable
from browse.skills.recording import places, readings
from browse.skills.recording.choose import FRAME, STARTS, TYPING, reads
from browse.skills.recording.codify import Flow
from browse.skills.recording.markup import light

# A page may add its elements after it has loaded.
PATIENCE_MS = 2_000
# After an action, only a page with the same structure is the one that a check sees.
SAME = 0.98
MAX_NEAREST = 3
# What an author called it by, in a selector: an id, a class, the value of an attribute.
_NAMED = re.compile(r'[#.]([\w-]+)|="([^"]+)"')
COUNTED = ":nth-of-type"  # in a selector that no name made unique
MISSING = {
    Code.NO_MATCH: "its element is not on the page",
    Code.SEVERAL_MATCH: "several elements match it",
}


class Freshness(StrEnum):
    """The state of a skill, from best to worst."""

    FRESH = "fresh"
    UNKNOWN = "unknown"
    DRIFTED = "drifted"
    BROKEN = "broken"


class Finding(msgspec.Struct, frozen=True):
    """What has changed, and at which step; `page` has what comes closest.

    `unreached`: nothing is known, because the site did not answer.
    """

    verdict: Freshness
    what: str
    step: int = 0
    command: str = ""
    page: str = ""
    unreached: bool = False

    def __str__(self) -> str:
        return f"step {self.step} ({self.command}): {self.what}" if self.step else self.what


class DriftReport(msgspec.Struct):
    """The result of a check."""

    findings: list[Finding] = msgspec.field(default_factory=list)
    likeness: float | None = None
    looked_at: int = 0
    beyond: list[int] = msgspec.field(default_factory=list)

    @property
    def verdict(self) -> Freshness:
        ranks = list(Freshness)
        return max((it.verdict for it in self.findings), key=ranks.index, default=Freshness.FRESH)

    def compare(self, was: str, now: str) -> None:
        """Compare the sketch of a page with the recorded one; the least alike of several counts."""
        if was:
            alike = likeness(was, now)
            if alike < ALIKE:
                finding = f"the page is built differently ({alike:.0%} alike)"
                self.findings.append(Finding(Freshness.DRIFTED, finding))
            self.likeness = alike if self.likeness is None else min(alike, self.likeness)


class Ways(msgspec.Struct, frozen=True):
    """How a check opens an address, and runs a step; without `do` it runs none."""

    go: Callable[[str], Awaitable[None]]
    do: Callable[[Step], Awaitable[None]] | None = None


async def of_flow(tab: Tab, flow: Flow, table: CommandTable, ways: Ways) -> DriftReport:
    """Check what each recorded step needs, in a tab that shows the page where it began."""
    report, start = DriftReport(), start_of(flow)
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
            spec, _ = table.split(step.typed)
            look = _Look(tab, step, spec, patient=not report.findings)
            report.looked_at += 1
            report.findings += await look.findings(parsed=step.number in flow.parsed)
            if ways.do and report.verdict is not Freshness.BROKEN and not reads(step):
                report.findings += await _done(report, tab, step, ways.do)
            if ways.do and report.verdict is Freshness.BROKEN:
                report.beyond += [later.number for later in flow.steps[at + 1 :]]
                break
            done += [step] if spec.acts and not ways.do else []
    return report


def is_reached(step: Step, start: Mark, done: Sequence[Step]) -> bool:
    """Check whether a step was recorded on the page that a check sees, despite earlier actions."""
    if not done:
        return True
    if step.before.sketch and start.sketch:
        return likeness(step.before.sketch, start.sketch) >= SAME
    typed = all(it.command in TYPING for it in done)
    return typed and step.before.url == start.url


async def _done(
    report: DriftReport, tab: Tab, step: Step, do: Callable[[Step], Awaitable[None]]
) -> list[Finding]:
    """Run a step, and compare where it leads with where it led before."""
    try:
        await do(step)
    except BrowseError as exc:
        what = f"it fails: {exc.message}"
        return [Finding(Freshness.BROKEN, what, step.number, step.command, exc.page)]
    if step.after.sketch != step.before.sketch:
        report.compare(step.after.sketch, await _sketch(tab, step.after))
    return []


async def _sketch(tab: Tab, was: Mark) -> str:
    """Return the sketch of the page once it is built as before, or time is up."""
    await find_again.ended(tab, was)
    return (await fingerprints.of_page(tab)).sketch


async def of_page(tab: Tab, fixture: str) -> DriftReport:
    """Compare the structure of a page with that of a kept one."""
    report = DriftReport()
    was, now = (
        await fingerprints.of_html(tab, fixture),
        await fingerprints.of_page(tab),
    )
    report.compare(was.sketch, now.sketch)
    return report


class _Look(msgspec.Struct, frozen=True):
    """The search for what a step needs; waits for elements within a time limit."""

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
        html = light((await fingerprints.of_page(self.tab, most_html=MAX_HTML_CHARS)).html)
        value = readings.again(self.step, self.spec, html)
        if not value:
            return [self._finding(Freshness.BROKEN, "it reads nothing any more")]
        if not readings.is_alike(value, self.step.shape):
            return [self._finding(Freshness.DRIFTED, "what it reads has other fields")]
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
            return self._finding(Freshness.BROKEN, MISSING[exc.code], near)
        if read or (now.role, now.name) == (recorded.role, recorded.name):
            return None
        lines = _line("was", recorded.role, recorded.name), _line("now", now.role, now.name)
        return self._finding(Freshness.DRIFTED, "its element has another name", "\n".join(lines))

    async def _found(self, word: str) -> ElementFingerprint:
        try:
            return await fingerprint_of(self.tab, word)
        except BrowseError as exc:
            if exc.code is not Code.NO_MATCH or not self.patient:
                raise
            place = target.locator_for(self.tab, word)
            try:
                await waiting.wait_for_element(place, word, PATIENCE_MS, gone=False)
            except BrowseError:
                raise exc from None
            return await fingerprint_of(self.tab, word)

    def _finding(self, verdict: Freshness, what: str, page: str = "") -> Finding:
        return Finding(verdict, what, self.step.number, self.step.command, page)


async def fingerprint_of(tab: Tab, word: str) -> ElementFingerprint:
    """Find the one element that a word means, and return how to find it again."""
    found = await target.find(tab, word, anyway=True, fingerprint=True)
    if found.fingerprint is None:  # the page has just removed it
        raise await target.no_match(tab, word)
    return found.fingerprint


async def nearest(tab: Tab, recorded: Target) -> str:
    """List what comes closest to a recorded element, with a target for each."""
    named = [] if COUNTED in recorded.css else _NAMED.findall(recorded.css)
    called = " ".join([recorded.name, *map("".join, named)])
    # Its role decides among those that are called like it. Alone it says nothing.
    alike = {it.number for it in await target.similar_elements(tab, tab.frame, called)}
    ranked = await target.similar_elements(tab, tab.frame, f"{called} {recorded.role}")
    lines: list[str] = []
    for near in [it for it in ranked if it.number in alike][:MAX_NEAREST]:
        word = f"@e{near.number}"
        it = await fingerprint_of(tab, word)
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
    """Return how the page looked where a flow began."""
    first = flow.steps[0]
    if first.command in STARTS or (not first.before.sketch and first.after.url == first.before.url):
        return first.after
    return first.before
