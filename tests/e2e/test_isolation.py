"""What a test sets in the shared browser is gone for the next one, and who breaks it is blamed."""

import os
import signal

import pytest

from support.cli import Project
from support.shared import Left, Shared

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    made = Shared(Project.make(tmp_path_factory.mktemp("isolation")))
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


def test_who_breaks_the_browser_is_blamed_and_the_next_gets_another(own):
    broken = own.project.daemon()
    os.kill(broken.pid, signal.SIGKILL)

    with pytest.raises(Left, match="this test left the shared browser unusable"):
        own.restore()

    assert own.project.daemon().pid != broken.pid
    assert own.project.ok("url").page == "about:blank"
