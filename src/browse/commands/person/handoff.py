"""`handoff` and `resume`: a person gets a tab, and gives it back."""

from collections.abc import Mapping
from typing import Annotated, Any

from browse.browser.reading.snapshot import SnapshotOptions, take_snapshot
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService, HoldsService
from browse.registry.params import Doc
from browse.registry.results import Relayed, Text, from_page, inline_url
from browse.registry.spec import DEFAULT_DEADLINE_S, Group, Lane, command
from browse.security.characters import invisible
from browse.view import address
from browse.view.holds import Hold, Holds
from browse.view.observation import Changes

# A person may need their time.
WAIT_S = 24 * 3600.0
WINDOW_S = 90.0


def _deadline(values: Mapping[str, Any]) -> float:
    opening = WINDOW_S if values["window"] else DEFAULT_DEADLINE_S
    return WAIT_S if values["wait"] else opening


@command(group=Group.PERSON, scope=Scope.ROOT, lane=Lane.FREE, deadline=_deadline, loads=1)
async def handoff(
    ctx: Ctx,
    *reason: str,
    wait: Annotated[bool, Doc("Wait until it is given back, and reply as `resume`.")] = False,
    window: Annotated[
        bool, Doc("Open a window of the browser (`connect`) instead; its pages are loaded again.")
    ] = False,
    no_open: Annotated[bool, Doc("Only print the address of the live view.")] = False,
    tunnel: Annotated[bool, Doc("Print an address that works through the open tunnel.")] = False,
    holds: HoldsService,
    access: AccessService,
) -> Text | Relayed:
    """Give the current tab to a person: for a CAPTCHA, a login, a decision.

    The person uses the same page in the live view (`view`), so nothing is lost: logins, what is
    typed, and refs. Until they give it back, or you type `resume`, commands that act in the tab
    are refused, and the daemon does not end for being idle. The reason is shown to the person.

    Examples:
        browse handoff 'Please solve the CAPTCHA'
        browse handoff --wait 'Please log in; I never see the password'
        browse handoff --window 'Please choose a seat'
    """
    tabs = await ctx.tabs()
    wanted = ctx.call.tab_id
    tab = tabs.find(wanted) if wanted else await tabs.current(ctx.call.caller)
    why = " ".join(reason)
    page = access.view_page(tab.id, remote=tunnel)
    hold = holds.of(tab.id)
    notes = await _in_window(ctx, tab, holds, window=window)
    already = hold is not None
    if hold is None:
        hold = holds.begin(tabs, tab, asked_by=ctx.call.caller.holder, reason=why)
    elif why:
        holds.explain(hold, why)
    no_open = no_open or tunnel or notes is not None
    told = await _told(ctx, tab, hold, page, already=already, no_open=no_open, notes=notes)
    if not wait:
        return told
    await ctx.note(told)
    await hold.over.wait()
    if hold.ended_by == "the end of the tab":
        holds.report(tab.id)
        raise BrowseError(
            Code.TAB_CLOSED,
            f"Tab {tab.id} was closed while a person had it.",
            hint="`browse tabs` lists the others",
        )
    words = ("resume", "--json") if ctx.json else ("resume",)
    done = await ctx.run(ctx.call.inner(words, within="handoff", tab_id=tab.id))
    if done.error:
        raise done.error
    return Relayed(done.output.text, done.output.data if done.output.is_json else {})


async def _in_window(ctx: Ctx, tab: Tab, holds: Holds, *, window: bool) -> list[str] | None:
    """Show the tab in the browser's window, if there is one or one is wanted; else return None."""
    notes: list[str] = []
    if ctx.browser.mode != "headed":
        if not window or ctx.browser.mode == "cdp":  # there, the person has windows of their own
            return None
        if held := holds.all():
            raise BrowseError(
                Code.HANDED_OVER,
                f"A person has tab {held[0].tab.id}, {holds.told(held[0])}. A window would load its"
                " page again.",
                hint="leave out --window: the live view shows the very page",
            )
        from browse.browser.window.switch import open_window  # few daemons ever need it

        opened = await open_window(ctx.browser, ctx.call.caller)
        notes = ["its pages were loaded again: take a new snapshot", *(opened or [])]
    await ctx.browser.show(tab)
    return notes


async def _told(
    ctx: Ctx,
    tab: Tab,
    hold: Hold,
    page: str,
    *,
    already: bool,
    no_open: bool,
    notes: list[str] | None,
) -> Text:
    opened = not no_open and await address.open_in_browser(ctx.settings, page)
    forward = address.forwarding(ctx.settings, page)
    was = "a person has it already, " if already else ""
    lines = [f"HANDOFF: tab {tab.id}, {was}at {inline_url(tab.url, 2000)}"]
    if hold.reason:
        lines.append(f"MESSAGE: {hold.reason}")
    if notes is not None:
        lines.append("WINDOW: the tab is in front in the browser's window")
        lines += [f"[note] {it}" for it in notes]
    lines.append(f"LIVE VIEW: {page}" + (" (opened in the person's browser)" if opened else ""))
    if forward:
        lines.append(f"FROM AFAR: first type, on the person's machine: {forward}")
    lines.append("STATUS: Waiting for user. Run 'resume' when done.")
    facts = {
        "tabId": tab.id,
        "already": already,
        "reason": hold.reason,
        "view": page,
        "opened": opened,
        "window": notes is not None,
        "notes": notes or [],
        "forward": forward or None,
    }
    return Text("\n".join(lines), {**facts, **from_page(url=tab.url)}, whole=True)


@command(group=Group.PERSON, scope=Scope.ROOT)
async def resume(ctx: Ctx, *, holds: HoldsService) -> Text:
    """Take a tab back from a person: print what changed meanwhile, and a new snapshot.

    Lists the addresses, the fields that the person used (their names, never what was typed), which
    elements came and went, and the message that the person left. Old refs stay valid as long as
    the page was not left.

    Examples:
        browse resume
        browse resume --tab-id 3
    """
    tab = ctx.tab
    if hold := holds.of(tab.id):
        if hold.tab is not tab:
            raise BrowseError(
                Code.HANDED_OVER,
                f"Tab {tab.id} opened from tab {hold.tab.id}, which a person has.",
                hint=f"they come back together: `browse resume --tab-id {hold.tab.id}`",
            )
        holds.end(hold, "an agent")
    done = holds.report(tab.id)
    now = await take_snapshot(tab, SnapshotOptions(interactive=True))
    changes = done.observation.compared(now) if done else Changes()
    shown = [invisible.visible(line) for line in now.lines()] or ["(no interactive elements)"]
    message = " ".join(done.message.split()) if done else ""
    page = [
        *([f"the person says: {message}"] if message else []),
        *(map(invisible.visible, changes.lines())),
        *(["", "all elements:"] if changes.lines() or message else []),
        *shown,
    ]
    facts = {
        "tabId": tab.id,
        "handedOver": done is not None,
        "endedBy": done.ended_by if done else None,
        "seconds": holds.seconds(done) if done else 0,
        **from_page(
            url=tab.url, message=message, snapshot=shown, **invisible.cleaned(changes.facts())
        ),
    }
    return Text(_line(holds, tab, done, changes), facts, page="\n".join(page), source=tab.url)


def _line(holds: Holds, tab: Tab, done: Hold | None, changes: Changes) -> str:
    if done is None:
        return f"RESUMED: nobody had tab {tab.id}"
    back = "the person gave back" if done.ended_by == "the person" else "you took back"
    lines = [f"RESUMED: {back} tab {tab.id} after {holds.seconds(done)} s"]
    if not changes.is_compared:
        lines.append("Which elements are new is not known: the page did not answer before")
    elif not changes.lines():
        lines.append("Nothing changed")
    return "\n".join(lines)
