"""A person's everyday browser shares tabs through our extension: with consent, by tab group."""

import json

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
    folder = f"--load-extension={extension_folder()}"
    with (
        virtual_screen() as screen,
        everyday_browser(tmp_path / "everyday", mine, bank, screen=screen, flags=(folder,)) as it,
    ):
        yield it


def in_worker(everyday: Everyday, code: str) -> object:
    worker = DevtoolsPage(everyday.profile, lambda it: it["url"].endswith(f"{ID}/worker.js"))
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
    panel.js("document.querySelector('#share').click()")
    panel.until("document.querySelector('#sharing').innerText.includes('1 tab of')")
    until(lambda: "mine" in project.browse("tabs").out, what="the shared tab")
    return panel


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
    assert '[button] "Go"' in project.ok("snapshot", "-i", "--tab-id", mine).page
    project.ok("newtab", work)
    assert project.ok("title").page == "job"
    refusal = "blocked: it is, or leads to, a cloud metadata address"
    until(lambda: refusal in project.ok("network").page, what="the refusal")
    assert project.browse("--session", "x", "url").code == 4
    assert "emulation in frames" in project.ok("status").out

    # Leaving the group ends it at once, also while a command runs.
    running = project.start("wait", "--text", "never", "60000", "--tab-id", mine)
    until(lambda: "wait" in project.ok("activity").out, what="the command")
    found = "(await chrome.debugger.getTargets()).find((it) => it.title === 'mine').tabId"
    in_worker(everyday, f"await chrome.tabs.ungroup({found})")
    said = running.communicate(timeout=HANG_S)[1]
    assert (running.returncode, b"was closed" in said) == (3, True), said
    assert "mine" not in project.ok("tabs").page

    project.ok("stop")
    until(lambda: work not in everyday.urls(), what="the end of browse's tab")
    assert {site.url + "/mine", site.url + "/bank"} <= set(everyday.urls())
    panel.close()


def test_a_chrome_that_ends_while_a_command_runs_is_said_with_what_to_do(tmp_path, everyday):
    project = Project.make(tmp_path, BROWSE_CDP_URL="extension")
    project.browse("url")
    group(everyday, "mine")
    share(everyday, project).close()
    running = project.start("wait", "--text", "never", "60000")
    until(lambda: "wait" in project.ok("activity").out, what="the command")
    everyday.end()

    said = running.communicate(timeout=HANG_S)[1]
    assert (running.returncode, b"shares no tabs with browse" in said) == (1, True), said
    later = project.browse("text")
    assert (later.code, "press Share tabs" in later.err) == (1, True)
    project.end()


def tab(listing: str, title: str) -> str:
    line = next(it for it in listing.splitlines() if f"] {title} —" in it)
    return line.partition("[")[2].partition("]")[0]
