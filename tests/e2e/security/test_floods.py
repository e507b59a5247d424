"""Pages that log or fetch without end. Other tabs stay usable, and the tab says what happened."""

import pytest

from support.cli import until

pytestmark = pytest.mark.e2e
FLOODS = {
    "a loop": "for (;;) console.log('x'.repeat(200))",
    "timers": "setInterval(() => { for (let n = 0; n < 5000; n++) console.log('x' + n) })",
}


@pytest.mark.parametrize("script", FLOODS.values(), ids=FLOODS)
def test_a_page_that_logs_without_end_is_closed_and_other_tabs_are_not(project, site, script):
    quiet = site.page("/quiet", "<title>Quiet</title><p>words")
    flood = site.page("/flood", f"<script>setTimeout(() => {{ {script} }}, 300)</script>")
    project.ok("goto", quiet)
    project.ok("newtab", flood)

    ran = until(
        lambda: (ran := project.browse("text", "--tab-id", "2")).code == 3 and ran,
        seconds=240,
        what="the end of the flood",
    )

    assert "The page in this tab was closed: it logged or fetched without end" in ran.err
    until(lambda: project.browse("text", "--tab-id", "1").code == 0, what="the other tab")
    assert "[2] (closed: it flooded the browser)" in project.ok("tabs").page
    assert "so the page was closed" in project.ok("console", "--max-chars", "0").page
    project.ok("goto", quiet, "--tab-id", "2")
    assert project.ok("text", "--tab-id", "2").page == "words"


def test_a_page_that_fetches_without_end_keeps_no_other_tab_from_work(project, site):
    site.page("/nothing", "")
    flood = site.page("/fetching", "<script>for (;;) fetch('/nothing').catch(() => 0)</script>")
    project.ok("goto", site.page("/beside", "<p>words"))
    project.browse("newtab", flood)

    assert [project.ok("text", "--tab-id", "1").page for _ in range(5)] == ["words"] * 5
