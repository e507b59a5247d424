"""Automation: steps that change something, each with a person's word."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any, Literal

from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.dispatch.automation import cut_off, denied, needs_confirmation, outcome
from browse.dispatch.context import Ctx
from browse.dispatch.pending_steps import KEPT_S, Held
from browse.registry.params import Doc
from browse.registry.results import Relayed, Text
from browse.registry.spec import Group, Lane, command

Action = Literal["begin", "end", "status", "wait"]


def _ends(values: Mapping[str, Any]) -> bool:
    return bool(values["action"] == "end")


@command(
    group=Group.AUTOMATION, scope=Scope.ROOT, lane=Lane.FREE, deadline=KEPT_S + 30, mutates=_ends
)
async def automate(
    ctx: Ctx,
    action: Action = "status",
    step: str | None = None,
    *,
    pin: Annotated[
        bool, Doc("begin: ask for a PIN at the terminal, which every confirmation then needs.")
    ] = False,
) -> Text | Relayed:
    """Turn on that every step which changes something waits for a person; and off again.

    While it is on, `click`, `fill`, `press`, `js` and the like do not run, whoever asks, in every
    tab and session: the reply has the code `needs-confirmation` and names the step. The person
    types `browse confirm <step>`; then the same command gives the step's reply, and so does
    `automate wait <step>`. Reading and going to addresses stay free. A run of a skill is one step.
    `end` is a step too. It stays on when the daemon is restarted.

    Examples:
        browse automate begin
        browse automate begin --pin
        browse automate
        browse automate wait 3fa9c1
        browse automate end
    """
    if (action == "wait") != (step is not None):
        raise Usage("automate: wait takes a step, the others take none", hint="browse automate")
    if pin and action != "begin":
        raise Usage("automate: --pin is for begin", hint="browse automate begin --pin")
    if action == "wait":
        return await _wait(ctx.parts.automation.steps.known(str(step)))
    if action == "begin":
        return await _begin(ctx, pin=pin)
    if action == "end":
        return await _end(ctx)
    return _status(ctx)


async def _begin(ctx: Ctx, *, pin: bool) -> Text:
    word = ctx.call.stdin.decode("utf-8", "replace").strip() if pin else ""
    if pin and not word:
        raise BrowseError(
            Code.NOT_CONFIRMED,
            "The PIN is asked for at a terminal.",
            hint="type `browse automate begin --pin` in a terminal of your own",
        )
    new = await ctx.parts.automation.begin(word)
    said = "Automation is on" + ("" if new else " already")
    return Text(
        f"{said}: steps that change something wait for `browse confirm`.",
        {"on": True, "changed": new, "pin": _has_pin(ctx)},
    )


async def _end(ctx: Ctx) -> Text:
    was = await ctx.parts.automation.end()
    said = "Automation is off." if was else "Automation was not on."
    return Text(said, {"on": False, "changed": was})


def _status(ctx: Ctx) -> Text:
    mode, waiting = ctx.parts.automation.mode, ctx.parts.automation.steps.waiting()
    facts = {"on": mode is not None, "pin": _has_pin(ctx), "waiting": len(waiting)}
    if mode is None:
        return Text("Automation is off: nothing waits for a person.", facts)
    how = " with a PIN" if mode.pin else ""
    return Text(
        f"Automation is on{how} since {mode.since}; steps that wait: {len(waiting)}",
        {**facts, "since": mode.since},
    )


def _has_pin(ctx: Ctx) -> bool:
    mode = ctx.parts.automation.mode
    return mode is not None and mode.pin is not None


async def _wait(held: Held) -> Relayed:
    with suppress(TimeoutError):
        await asyncio.wait_for(held.decided.wait(), KEPT_S)
    if held.state == "waiting" and not held.decided.is_set():
        raise needs_confirmation(held)
    if held.state == "denied":
        raise denied(held)
    return outcome(held)


@command(group=Group.AUTOMATION, scope=Scope.ROOT, lane=Lane.FREE, deadline=None)
async def confirm(
    ctx: Ctx,
    step: str | None = None,
    *,
    list_: Annotated[bool, Doc("List the steps that wait; so does leaving out the step.")] = False,
    show: Annotated[bool, Doc("Show the step and what to type, and decide nothing.")] = False,
) -> Text | Relayed:
    """Run a step that waits for a person: exactly that one, on the very same page.

    For the person, in a terminal of their own: it shows the step and asks there for the word that
    is shown, or for the PIN. Prints the step's own reply.

    Examples:
        browse confirm --list
        browse confirm 3fa9c1
        browse confirm 3fa9c1 --show
    """
    automation = ctx.parts.automation
    if step is None or list_:
        return _listed(automation.steps.waiting())
    held = automation.steps.find(step)
    if show:
        return _shown(ctx, held)
    await automation.prove(held, ctx.call.stdin)
    held = automation.steps.find(step)  # while the PIN was looked at, somebody may have been faster
    held.state = "running"
    automation.tell(held)
    try:
        done = await ctx.run(replace(held.call, confirmed=held.id))
    except BaseException:
        automation.steps.end(held, None, cut_off(held))
        raise
    automation.steps.end(held, done.output, done.error)
    if done.error:
        raise done.error
    reply = done.output.data if done.output.is_json else None
    return Relayed(done.output.text, {**held.facts(), "result": reply})


def _listed(waiting: list[Held]) -> Text:
    return Text(
        "\n".join(f"{held.id}  {held.title}  ({held.call.caller.holder})" for held in waiting)
        or "No step waits.",
        {"steps": [held.facts() for held in waiting]},
    )


def _shown(ctx: Ctx, held: Held) -> Text:
    what = "your PIN" if _has_pin(ctx) else f"`{held.code}`"
    return Text(
        f"{held.call.caller.holder} wants: {held.title}\n"
        f"Type {what} to let it run, or nothing to leave it waiting. What it acts on:",
        {**held.facts(), "page": {"target": held.page}},
        page=held.page or "(no element)",
        source="step",
        judged=True,
    )


@command(group=Group.AUTOMATION, scope=Scope.ROOT, lane=Lane.FREE)
async def deny(ctx: Ctx, step: str, *reason: str) -> Text:
    """Drop a step that waits for a person; who asked for it is told, with the reason.

    Examples:
        browse deny 3fa9c1
        browse deny 3fa9c1 not this account
    """
    automation = ctx.parts.automation
    held = automation.steps.find(step)
    automation.steps.deny(held, " ".join(reason)[:300])
    automation.tell(held)
    return Text(f"Denied step {held.id}: {held.title}.", held.facts() | {"reason": held.reason})
