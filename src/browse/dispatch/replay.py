"""Run recorded steps again in a new tab."""

from typing import Any

import msgspec

from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code
from browse.core.text import counted
from browse.dispatch.context import Ctx, InnerResult
from browse.flow import find_again
from browse.flow.fingerprint import ALIKE
from browse.flow.kept_words import placed, valued
from browse.flow.steps import HIDDEN, Step
from browse.registry.params import URL
from browse.registry.results import Relayed, Text
from browse.registry.spec import Spec, declared
from browse.registry.table import CommandTable


class ReplayRun(msgspec.Struct):
    """One replay: the steps, and what has been done so far."""

    ctx: Ctx
    steps: list[Step]
    values: dict[int, str]
    done: list[dict[str, Any]] = msgspec.field(default_factory=list)
    warnings: list[dict[str, Any]] = msgspec.field(default_factory=list)

    async def run(self) -> Text:
        table = CommandTable(declared())
        tab = await self._open(table.split(self.steps[0].typed)[0])
        for step in self.steps:
            await self._do(tab, step, table.split(step.typed)[0])
        last = self.steps[-1]
        self._compare(last, await find_again.ended(tab, last.after), "after")
        count = counted(len(self.steps), "step")
        lines = [f"Replayed {count} in tab {tab.id}, which is the current one now"]
        lines += [_warned(warning) for warning in self.warnings]
        return Text("\n".join(lines), self._facts(tab))

    async def _open(self, first: Spec) -> Tab:
        goes = any(arg.param is URL for arg in first.arguments)
        url = "" if goes else self.steps[0].before.url
        if HIDDEN in url:
            raise BrowseError(
                Code.JOURNAL,
                f"Step {self.steps[0].number} began on a page whose address holds a secret.",
                hint="begin earlier, with the step that goes there: browse replay --from <step>",
            )
        words = ("newtab",) if url in ("", "about:blank") else ("newtab", url)
        opened = await self.ctx.run(self.ctx.call.inner(words, within="replay"))
        if opened.error:
            raise opened.error
        return await (await self.ctx.tabs()).current(self.ctx.call.caller)

    async def _do(self, tab: Tab, step: Step, spec: Spec) -> None:
        tab.refs.begin(self.ctx.call.caller.holder)  # who may use the refs that are found
        met = await find_again.find_elements(tab, step, strict=spec.acts)
        if met.lost:
            await self._emit_progress(tab)
            raise _differs(tab, step, met.lost)
        self._compare(step, met.alike, "before")
        words = placed(step.words, step.targets, met.refs)
        words = valued(words, self.values.get(step.number))
        shape = ("--json",) if self.ctx.json else ()
        inner = (step.command, *shape, *words)
        outcome = await self.ctx.run(self.ctx.call.inner(inner, within="replay", tab_id=tab.id))
        self.done.append(_outcome(step, outcome))
        if outcome.error:
            await self._emit_progress(tab)
            raise _failed(tab, step, outcome.error) from outcome.error
        if not self.ctx.json:
            label = f"[{step.number} {step.command}]"
            await self.ctx.emit(Relayed(f"{label} {outcome.output.text}\n\n"))

    def _compare(self, step: Step, alike: float | None, when: str) -> None:
        if alike is not None and alike < ALIKE:
            self.warnings.append({"step": step.number, "when": when, "likeness": round(alike, 2)})

    async def _emit_progress(self, tab: Tab) -> None:
        """With --json, emit what was done so far, before the error is raised."""
        if self.ctx.json:
            await self.ctx.emit(Relayed("", self._facts(tab)))

    def _facts(self, tab: Tab) -> dict[str, Any]:
        return {"tab": tab.id, "steps": self.done, "warnings": self.warnings}


def _outcome(step: Step, outcome: InnerResult) -> dict[str, Any]:
    result = outcome.output.data if outcome.output.is_json else None
    ok = outcome.error is None
    return {"number": step.number, "command": step.command, "ok": ok, "result": result}


def _warned(warning: dict[str, Any]) -> str:
    when = f"{warning['when']} step {warning['step']}"
    percent = f"{warning['likeness']:.0%}"
    return f"⚠ {when} the page was built differently: {percent} alike"


def _differs(tab: Tab, step: Step, lost: find_again.MissingElement) -> BrowseError:
    target = lost.target
    inside = f" in {' > '.join(target.frame)}" if target.frame else ""
    lines = [f'expected: [{target.role}] "{target.name}" ({target.css}){inside}']
    lines += [f"near it: {line}" for line in lost.near]
    why = f"{lost.count} elements match" if lost.count > 1 else "no element matches"
    return BrowseError(
        Code.REPLAY_DIFFERS,
        f"The replay stopped before step {step.number} ({step.command}) in tab {tab.id}: "
        f"{why} the recorded one.",
        hint=f"look with `browse snapshot -i --tab-id {tab.id}` and continue by hand; "
        f"`browse replay --list --tab-id {step.tab}` shows the rest",
        page="\n".join(lines),
    )


def _failed(tab: Tab, step: Step, error: BrowseError) -> BrowseError:
    return BrowseError(
        error.code,
        f"Step {step.number} ({step.command}) of the replay failed in tab {tab.id}. "
        f"{error.message}",
        hint=error.hint,
        page=error.page,
    )
