"""Automation: a person confirms each step that changes something."""

import asyncio
from contextlib import suppress
from typing import Annotated

from msgspec.structs import replace

from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.dispatch.automation import Automation, cut_off, denied, needs_confirmation, outcome
from browse.dispatch.context import Ctx
from browse.dispatch.pending_steps import KEPT_S, PendingStep
from browse.dispatch.services import AutomationService
from browse.registry.params import Doc
from browse.registry.results import Relayed, Text
from browse.registry.spec import Family, Group, Lane, command

AUTOMATE = Family(
    "automate",
    Group.AUTOMATION,
    "Require a person to confirm every step that changes something.",
    """While automation is on, commands such as `click`, `fill`, `press` and `js` do not run at
    once, in any tab or session and for any caller: the reply has the code `needs-confirmation` and
    names the step. The person types `browse confirm <step>`; then the same command prints the
    step's reply, and so does `automate wait <step>`. Reading and navigating need no confirmation,
    nor do the runs of a skill that you approved. Automation stays on when the daemon is restarted;
    a PIN must then be chosen anew.
    """,
    default="status",
)


@command(family=AUTOMATE, scope=Scope.ROOT, lane=Lane.FREE)
async def automate_status(ctx: Ctx, *, automation: AutomationService) -> Text:
    """Show whether automation is on, and how many steps are pending.

    Examples:
        browse automate
    """
    mode, waiting = automation.mode, automation.steps.waiting()
    facts = {"on": mode is not None, "pin": _has_pin(automation), "waiting": len(waiting)}
    if mode is None:
        return Text("Automation is off: nothing waits for a person.", facts)
    how = " with a PIN" if mode.pin else ""
    if automation.lost_its_pin:
        how += " (not known any more: type `browse automate begin --pin` to choose another)"
    return Text(
        f"Automation is on{how} since {mode.since}; steps that wait: {len(waiting)}",
        {**facts, "since": mode.since},
    )


@command(family=AUTOMATE, scope=Scope.ROOT, lane=Lane.FREE)
async def automate_begin(
    ctx: Ctx,
    *,
    pin: Annotated[
        bool, Doc("Ask for a PIN at the terminal, which every confirmation then needs.")
    ] = False,
    automation: AutomationService,
) -> Text:
    """Turn automation on.

    Examples:
        browse automate begin
        browse automate begin --pin
    """
    word = ctx.call.stdin.decode("utf-8", "replace").strip() if pin else ""
    if pin and not word:
        raise BrowseError(
            Code.NOT_CONFIRMED,
            "The PIN is asked for at a terminal.",
            hint="type `browse automate begin --pin` in a terminal of your own",
        )
    new = await automation.begin(word)
    said = "Automation is on" + ("" if new else " already")
    return Text(
        f"{said}: steps that change something wait for `browse confirm`.",
        {"on": True, "changed": new, "pin": _has_pin(automation)},
    )


@command(family=AUTOMATE, scope=Scope.ROOT, lane=Lane.FREE, mutates=True)
async def automate_end(ctx: Ctx, *, automation: AutomationService) -> Text:
    """Turn automation off; a person must confirm this as well.

    Examples:
        browse automate end
    """
    was = await automation.end()
    said = "Automation is off." if was else "Automation was not on."
    return Text(said, {"on": False, "changed": was})


@command(family=AUTOMATE, scope=Scope.ROOT, lane=Lane.FREE, deadline=KEPT_S + 30)
async def automate_wait(ctx: Ctx, step: str, *, automation: AutomationService) -> Relayed:
    """Wait until a person confirms or denies a step, and print its reply.

    Examples:
        browse automate wait 3fa9c1
    """
    held = automation.steps.find_any(step)
    with suppress(TimeoutError):
        await asyncio.wait_for(held.decided.wait(), KEPT_S)
    if held.state == "waiting" and not held.decided.is_set():
        raise needs_confirmation(held)
    if held.state == "denied":
        raise denied(held)
    return outcome(held)


def _has_pin(automation: Automation) -> bool:
    mode = automation.mode
    return mode is not None and mode.pin


@command(group=Group.AUTOMATION, scope=Scope.ROOT, lane=Lane.FREE, deadline=None)
async def confirm(
    ctx: Ctx,
    step: str | None = None,
    *,
    list_: Annotated[bool, Doc("List the pending steps, as without a step.")] = False,
    show: Annotated[bool, Doc("Show the step and what to type; do not run it.")] = False,
    automation: AutomationService,
) -> Text | Relayed:
    """Confirm and run a pending step, if its page has not changed.

    For the person, in their own terminal: it shows the step and asks for the code shown, or for the
    PIN. Prints the reply of the step.

    Examples:
        browse confirm --list
        browse confirm 3fa9c1
        browse confirm 3fa9c1 --show
    """
    if step is None or list_:
        return _listed(automation.steps.waiting())
    held = automation.steps.find(step)
    if show:
        return _shown(automation, held)
    automation.check_code(held, ctx.call.stdin)
    held.state = "running"
    automation.publish_decision(held)
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


def _listed(waiting: list[PendingStep]) -> Text:
    return Text(
        "\n".join(f"{held.id}  {held.title}  ({held.call.caller.holder})" for held in waiting)
        or "No step waits.",
        {"steps": [held.facts() for held in waiting]},
    )


def _shown(automation: Automation, held: PendingStep) -> Text:
    automation.check_pin_known()
    what = "your PIN" if _has_pin(automation) else f"`{held.code}`"
    return Text(
        f"{held.call.caller.holder} wants: {held.title}\n"
        f"Type {what} to let it run, or nothing to leave it waiting. What it acts on:",
        {**held.facts(), "page": {"target": held.page}},
        page=held.page or "(no element)",
        source="step",
        judged=True,
    )


@command(group=Group.AUTOMATION, scope=Scope.ROOT, lane=Lane.FREE)
async def deny(ctx: Ctx, step: str, *reason: str, automation: AutomationService) -> Text:
    """Deny a pending step; its caller gets the reason.

    Examples:
        browse deny 3fa9c1
        browse deny 3fa9c1 not this account
    """
    held = automation.steps.find(step)
    automation.steps.deny(held, " ".join(reason)[:300])
    automation.publish_decision(held)
    return Text(f"Denied step {held.id}: {held.title}.", held.facts() | {"reason": held.reason})
