"""Pages that misbehave. The command that meets one ends, and the tab can be used afterwards."""

import pytest

from support.cli import until
from support.life import assert_clear, driven, starts

pytestmark = pytest.mark.e2e
NAVIGATION_MS = 1500


@pytest.fixture
def hasty(project):
    """A project whose daemon gives pages little time to load."""
    ran = driven(project, "url", daemon={"browser.tab.NAVIGATION_MS": NAVIGATION_MS})
    assert ran.code == 0, ran.err
    return project


def test_pages_that_never_load_are_given_up(hasty, site):
    well = site.page("/well", "<p>well")

    assert_clear(hasty.browse("goto", site.never("/never")), 5, "did not load", "was stopped")
    assert hasty.ok("url").page == "about:blank"
    hasty.ok("goto", well)
    assert hasty.ok("text").page == "well"

    loop = site.page("/loop", "<p>looping<script>while (true);</script><p>after")
    assert_clear(hasty.browse("goto", loop), 5, "did not load")
    assert hasty.ok("text").page.startswith("looping")
    hasty.ok("goto", well)
    assert hasty.ok("text").page == "well"

    site.answer("/half", half)
    assert_clear(hasty.browse("goto", f"{site.url}/half"), 5, "did not load")
    assert "first half" in hasty.ok("text").page
    assert starts(hasty) == 1


def half(request) -> None:
    """Send half a page, and keep the connection."""
    request.send_response(200)
    request.send_header("content-type", "text/html")
    request.end_headers()
    request.wfile.write(b"<p>first half" + b" " * 2048)
    request.wfile.flush()
    request.connection.settimeout(20)
    request.rfile.read(1)


def test_a_page_that_opens_too_many_tabs_is_held_to_the_limit(project, site):
    project.env["BROWSE_MAX_TABS"] = "10"
    url = site.page("/popups", "<script>for (let i = 0; i < 20; i++) open('about:blank')</script>")
    project.ok("goto", url)

    listed = until(
        lambda: (rows := project.ok("tabs", "--json").json).get("popupsClosed") == 11 and rows,
        what="eleven popups to be closed",
    )

    assert len(listed["tabs"]) == 10
    assert "(11 popups beyond the limit of tabs were closed)" in project.ok("tabs").out
    assert_clear(project.browse("newtab"), 1, "10 tabs are open", "BROWSE_MAX_TABS")
    project.ok("closetab", "10")
    project.ok("newtab")
    assert starts(project) == 1


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ("alert('a')", "undefined"),
        ("confirm('c')", "true"),
        ("prompt('p', 'default')", "default"),
        ("onbeforeunload = event => event.preventDefault()", "[object Function]"),
    ],
)
def test_dialogs_do_not_hold_a_page(browser, site, script, answer):
    url = site.page("/dialog", f"<p>shown<script>window.got = {script}</script>")

    browser.ok("goto", url)

    assert browser.ok("text").page == "shown"
    if not answer.startswith("["):
        assert browser.ok("js", "String(window.got)").page == answer
    browser.ok("reload")
    browser.ok("goto", site.page("/next", "<p>next"))
    assert browser.ok("text").page == "next"


def test_a_page_that_navigates_for_ever_can_be_left(browser, site):
    url = site.page(
        "/restless",
        "<p>restless<script>setTimeout(() => location.search = Date.now(), 20)</script>",
    )

    rest = site.page("/rest", "<p>rest")

    browser.browse("goto", url)  # which of its navigations counts is not ours to say
    assert browser.browse("url").code == 0
    # The page may be quicker than we are; that is then told, and the next try may win.
    until(lambda: browser.browse("goto", rest).code == 0, what="a way out of the page")

    until(lambda: browser.ok("text").page == "rest", what="the tab to rest")


def test_a_page_that_takes_much_memory_is_no_harm(browser, site):
    url = site.page("/large", "<p>large<script>window.kept = new Uint8Array(2e8).fill(1)</script>")

    browser.ok("goto", url)

    assert browser.ok("js", "kept.length").page == "200000000"
    browser.ok("goto", "about:blank")
