"""A person's everyday browser shares tabs through our extension: with consent, by tab group."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from browse.core.extension_id import ID, extension_folder
from support.cli import HANG_S, Project, until
from support.devtools import DevtoolsPage
from support.everyday_port import Everyday, everyday_browser, virtual_screen
from support.window import needs_window

pytestmark = [pytest.mark.e2e, needs_window]
PANEL = f"chrome-extension://{ID}/panel/panel.html"


@pytest.fixture
def everyday(tmp_path, site):
    mine = site.page("/mine", "<title>mine</title><button>Go</button>")
    bank = site.page("/bank", "<title>bank</title>")
    flags = (f"--load-extension={extension_folder()}",)
    with (
        virtual_screen() as screen,
        everyday_browser(tmp_path / "everyday", mine, bank, screen=screen, flags=flags) as it,
    ):
        yield it


def in_worker(everyday: Everyday, code: str) -> Any:
    worker = DevtoolsPage(everyday.profile, lambda it: it["url"].endswith(f"{ID}/worker.js"))
    worker.until("typeof chrome === 'object' && !!chrome.debugger")  # it may only be starting
    try:
        return worker.js(f"(async () => {{ {code} }})()")
    finally:
        worker.close()


def group(everyday: Everyday, title: str) -> None:
    """Put the person's tab with a title into the group, as they do with the mouse."""
    found = "(await chrome.debugger.getTargets()).find((it) => it.title === TITLE).tabId"
    in_worker(
        everyday,
        f"const id = {found.replace('TITLE', json.dumps(title))};"
        "const own = await chrome.tabs.group({ tabIds: [id] });"
        "await chrome.tabGroups.update(own, { title: 'browse', color: 'yellow' });",
    )


def share(everyday: Everyday, project: Project) -> DevtoolsPage:
    """Agree as the person does: type the code into the panel, and press the button."""
    code = project.ok("extension", "pair", "--json").json
    everyday.open(PANEL)
    panel = DevtoolsPage(everyday.profile, lambda it: it["url"] == PANEL)
    panel.until("!!document.querySelector('#code')")
    panel.js(
        f"document.querySelector('#port').value = {code['port']};"
        f"document.querySelector('#code').value = {code['code']!r};"
        "document.querySelector('.pairing').requestSubmit()"
    )
    panel.until("!!document.querySelector('#share')?.offsetParent")
    press(panel, "Share tabs", project)
    return panel


def press(panel: DevtoolsPage, button: str, project: Project) -> None:
    """Press the button of the panel, which has these words now."""
    panel.until(f"document.querySelector('#share').innerText === {button!r}")
    panel.js("document.querySelector('#share').click()")
    if button == "Share tabs":
        panel.until("/may use [1-9]/.test(document.querySelector('#sharing').innerText)")
        until(lambda: "mine" in project.browse("tabs").out, what="the shared tab")


def badges(everyday: Everyday) -> dict[str, str]:
    """List the badges of the tabs, by title."""
    told = "await Promise.all(all.map((it) => chrome.action.getBadgeText({ tabId: it.tabId })))"
    code = (
        "const all = (await chrome.debugger.getTargets()).filter((it) => it.tabId);"
        f"const told = {told}; return all.map((it, at) => [it.title, told[at]])"
    )
    return dict(in_worker(everyday, code))


@contextmanager
def cut_off(project: Project, code: int, said: bytes) -> Iterator[None]:
    """Have a command run during the block, which ends it so."""
    running = project.start("wait", "--text", "never", "60000")
    until(lambda: "wait" in project.ok("activity").out, what="the command")
    yield
    error = running.communicate(timeout=HANG_S)[1]
    assert (running.returncode, said in error) == (code, True), error


def test_the_person_shares_a_group_of_tabs_and_nothing_else(tmp_path, everyday, site):
    work = site.page("/job", "<title>job</title><img src='http://169.254.169.254/x'>")
    project = Project.make(tmp_path)
    waiting = project.browse("--cdp", "extension", "url")
    assert (waiting.code, "press Share tabs" in waiting.err) == (1, True), waiting.err
    assert "Status: lost" in project.ok("status").out
    group(everyday, "mine")
    panel = share(everyday, project)

    listing = project.ok("tabs").page
    mine = tab(listing, "mine")
    assert "bank" not in listing
    assert (badges(everyday)["mine"], badges(everyday)["bank"]) == ("agent", "")
    assert '[button] "Go"' in project.ok("snapshot", "-i", "--tab-id", mine).page
    project.ok("newtab", work)
    assert project.ok("title").page == "job"
    refusal = "blocked: it is, or leads to, a cloud metadata address"
    until(lambda: refusal in project.ok("network").page, what="the refusal")
    assert project.browse("--session", "x", "url").code == 4
    assert "emulation in frames" in project.ok("status").out

    # Leaving the group ends it at once, also while a command runs.
    project.ok("tab", mine)
    with cut_off(project, 3, b"was closed"):
        found = "(await chrome.debugger.getTargets()).find((it) => it.title === 'mine').tabId"
        in_worker(everyday, f"await chrome.tabs.ungroup({found})")
    assert "mine" not in project.ok("tabs").page
    assert badges(everyday)["mine"] == ""

    project.ok("stop")
    until(lambda: work not in everyday.urls(), what="the end of browse's tab")
    assert {site.url + "/mine", site.url + "/bank"} <= set(everyday.urls())
    panel.close()


def test_the_person_ends_it_in_any_way_while_a_command_runs(tmp_path, everyday, site):
    gone = b"shares no tabs with browse"
    project = Project.make(tmp_path, BROWSE_CDP_URL="extension")
    project.browse("url")
    group(everyday, "mine")
    panel = share(everyday, project)

    with cut_off(project, 3, b"was closed"):  # the whole group is closed
        in_worker(
            everyday,
            "const [{ id }] = await chrome.tabGroups.query({ title: 'browse' });"
            "const tabs = await chrome.tabs.query({ groupId: id });"
            "await chrome.tabs.remove(tabs.map((it) => it.id))",
        )
    everyday.open(f"{site.url}/mine")
    everyday.page(f"{site.url}/mine").close()
    group(everyday, "mine")
    until(lambda: "mine" in project.browse("tabs").out, what="the shared tab")
    with cut_off(project, 1, gone):
        press(panel, "Stop sharing", project)
    assert badges(everyday)["mine"] == ""
    press(panel, "Share tabs", project)
    panel.close()
    with cut_off(project, 1, gone):
        everyday.end()
    later = project.browse("text")
    assert (later.code, "press Share tabs" in later.err) == (1, True)
    project.end()


def test_cookies_are_told_of_shared_tabs_only(tmp_path, everyday, site):
    project = Project.make(tmp_path, BROWSE_CDP_URL="extension")
    project.browse("url")
    group(everyday, "mine")
    share(everyday, project).close()
    elsewhere = f"http://localhost:{site.port}/bank"
    everyday.open(elsewhere)
    for url, cookie in ((f"{site.url}/mine", "near"), (elsewhere, "far")):
        own = everyday.page(url)
        own.js(f"document.cookie = '{cookie}=1; path=/'")
        own.close()

    told = project.ok("cookies", "--tab-id", tab(project.ok("tabs").page, "mine")).page
    assert [it["name"] for it in json.loads(told)] == ["near"]
    project.end()


def tab(listing: str, title: str) -> str:
    line = next(it for it in listing.splitlines() if f"] {title} —" in it)
    return line.partition("[")[2].partition("]")[0]
