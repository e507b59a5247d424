"""What a test sets in the shared browser is gone for the next one, and who breaks it is blamed."""

import os
import signal

import psutil
import pytest

from support.cli import Project, until
from support.life import driven
from support.shared import Left, Shared

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def own(tmp_path_factory, site):
    project = Project.make(tmp_path_factory.mktemp("isolation"))
    soon = {"browser.tabs.tab.TITLE_S": 0.5}  # how long a page that spins is asked for its title
    assert driven(project, "url", daemon=soon).code == 0
    made = Shared(project, site)
    yield made
    made.project.end()


@pytest.mark.parametrize(
    ("words", "ask"),
    [
        ("emulate media print", "emulate"),
        ("viewport 400x300", "viewport"),
        ("useragent Nobody/1", "emulate"),
        ("route **/x.png --abort", "routes"),
        ("header X-Test: on", "header"),
        ("cookie a=b", "cookies"),
        ("url --session other", "session"),
        ("har record left.har", "har"),
        ("trace start", "trace"),
        ("video start", "video"),
        ("pair-agent --client codex", "tunnel agents"),
    ],
)
def test_what_lasts_beyond_a_tab_is_taken_back(own, site, words, ask):
    project = own.project
    project.post("goto", site.page("/isolated", "<p>isolated"))
    before = project.post(*ask.split(), "--json")
    project.post(*words.split())
    assert project.post(*ask.split(), "--json") != before

    own.restore()

    assert project.post(*ask.split(), "--json") == before


@pytest.mark.parametrize("by_page", [True, False])
def test_what_was_stored_for_an_origin_is_gone(own, site, by_page):
    project = own.project
    store = "localStorage.left = sessionStorage.left = 'behind'"
    project.post("goto", site.page("/isolated/storing", f"<script>{store}</script>" * by_page))
    if not by_page:
        project.post("js", store)
    assert "behind" in project.post("js", "localStorage.left + sessionStorage.left")

    own.restore()

    project.post("goto", site.page("/isolated/empty", "<p>empty"))
    assert "00" in project.post("js", "`${localStorage.length}${sessionStorage.length}`")


def test_logs_are_empty_and_dialogs_accepted_again(own, site):
    project = own.project
    page = "<script>console.log('of before'); alert('of before')</script>"
    project.post("goto", site.page("/isolated/noisy", page))
    project.post("dialog-dismiss")

    own.restore()

    for log in ("console", "network", "dialog"):
        assert "of before" not in project.post(log)
        assert "/isolated" not in project.post(log)
    project.post("goto", site.page("/isolated/asking", "<script>window.got = confirm()</script>"))
    assert "true" in project.post("js", "String(window.got)")


def test_whoever_loads_a_page_first_takes_over_the_tab_and_others_get_a_blank_one(own, site):
    project = own.project
    own.one_blank_tab()
    project.post("goto", site.page("/taken/one", "<p>one"))
    until(own.is_plain)  # a page on a busy machine may not answer in time
    (before,) = own.tabs()

    project.blank = own.one_blank_tab
    project.ok("goto", site.page("/taken/two", "<p>two"))
    (taken,) = own.tabs()
    project.blank = own.one_blank_tab
    shown = project.ok("url").page

    assert taken["id"] == before["id"]
    assert shown == "about:blank"


def test_a_page_that_hangs_and_a_second_tab_are_not_taken_over(own, site):
    held = site.hold("/taken/held")
    page = f"<p>hangs<script>onload = () => setTimeout(() => {held.blocking}, 100)</script>"
    own.one_blank_tab()
    own.project.browse("goto", site.page("/taken/hangs", page))  # may end before it hangs, or not
    assert held.arrived.wait(150)
    assert not own.is_plain()

    own.one_blank_tab()
    own.project.post("newtab")
    assert not own.is_plain()

    own.one_blank_tab()
    until(own.is_plain)


def test_who_breaks_the_browser_is_blamed_and_the_next_gets_another(own):
    broken = own.project.daemon()
    os.kill(broken.pid, signal.SIGKILL)
    until(lambda: not psutil.pid_exists(broken.pid), what="its end, without a trace")

    with pytest.raises(Left, match="this test left the shared browser unusable"):
        own.restore()

    assert own.project.daemon().pid != broken.pid
    # As the very first test finds it.
    assert "nothing was done in tab" in own.project.browse("replay", "--list").err
    assert own.project.ok("url").page == "about:blank"
