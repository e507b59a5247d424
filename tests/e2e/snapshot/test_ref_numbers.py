"""Refs over several documents and callers: numbers start again, and lead only to what was shown."""

import pytest

pytestmark = pytest.mark.e2e

FIRST = "<button>One</button><button>Two</button><button>Three</button>"
OTHER = "<button onclick='document.title = this.textContent'>Delete all</button>"
PRESSED = "<title>untouched</title>" + OTHER * 3


@pytest.fixture
def page(browser, site):
    """A tab that shows FIRST."""
    browser.post("goto", site.page("/first", FIRST))
    return browser


@pytest.fixture
def other(site):
    """The address of a page whose buttons have the numbers of those in FIRST."""
    return site.page("/other", PRESSED)


@pytest.fixture
def tab(page):
    """The number of the tab, by which another caller reaches it."""
    rows = page.ok("tabs", "--json").json["tabs"]
    return str(next(row["id"] for row in rows if row["current"]))


def test_chain_with_a_ref_works_every_time(page, other):
    script = f"goto {other} | snapshot -i | click @e1 | js document.title"

    for _ in range(2):
        assert "Delete all" in page.ok("chain", script).out.rpartition("[js]")[2]


@pytest.mark.parametrize("leave", ["reload", "goto", "back"])
def test_numbers_start_again_in_a_new_document(page, site, other, leave):
    page.post("goto", other)
    page.ok("snapshot", "-i")

    page.post(leave, *([site.page("/first", FIRST)] if leave == "goto" else []))

    assert page.ok("snapshot", "-i").page.startswith("@e1 [button]")


def test_new_address_in_the_same_document_leaves_refs_alone(page):
    before = page.ok("snapshot", "-i").page
    page.post("js", "history.pushState(0, '', '/pushed'), location.hash = 'there'")

    assert page.ok("text", "@e2").page == "Two"
    assert page.ok("snapshot", "-i").page == before


def test_ref_of_the_page_before_is_stale_and_says_what_it_was(page, other):
    page.ok("snapshot", "-i")
    page.post("goto", other)

    ran = page.browse("click", "@e2", "--json")

    assert (ran.code, ran.json["code"]) == (3, "ref-stale")
    assert ran.json["page"]["detail"] == 'it was: [button] "Two"'


def test_ref_of_the_page_before_presses_nothing_that_was_cut_from_the_reply(page, other):
    page.ok("snapshot", "-i")
    page.post("goto", other)
    assert "@e3" not in page.ok("snapshot", "-i", "--max-chars", "40").page

    ran = page.browse("click", "@e3", "--json")

    assert ran.json["code"] == "ref-stale"
    assert page.ok("js", "document.title").page == "untouched"
    page.ok("snapshot", "-i", "--json", "--max-chars", "0")
    page.ok("click", "@e3")


def test_ref_of_the_page_before_presses_nothing_that_only_another_caller_saw(page, other, tab):
    page.ok("snapshot", "-i")
    page.post("goto", other)
    page.ok("snapshot", "-i", "--tab-id", tab, BROWSE_AGENT="other")

    ran = page.browse("click", "@e1", "--json")

    assert ran.json["code"] == "ref-stale"
    assert page.ok("js", "document.title").page == "untouched"
    assert page.ok("text", "@e1", "--tab-id", tab, BROWSE_AGENT="other").page == "Delete all"


def test_difference_is_to_the_callers_own_snapshot(page, tab):
    page.ok("snapshot", "-i")
    page.post("js", "document.body.insertAdjacentHTML('beforeend', '<button>New')")
    page.ok("snapshot", "-i", "--tab-id", tab, BROWSE_AGENT="other")

    assert page.ok("snapshot", "-D").page.endswith('+ @e4 [button] "New"')


def test_refs_in_frames_start_again_with_the_page(page, site):
    inner = site.page("/inner", "<button>Inner</button>")
    outer = site.page("/outer", f"<button>Outer</button><iframe src={inner}></iframe>")
    for _ in range(2):
        page.post("goto", outer)
        page.ok("wait", "--load")
        assert '@e3 [button] "Inner"' in page.ok("snapshot", "-i").page
        assert page.ok("text", "@e3").page == "Inner"

    page.post("js", "document.querySelector('iframe').contentWindow.location.reload()")
    page.ok("wait", "--networkidle")

    assert page.browse("text", "@e3", "--json").json["code"] == "ref-stale"
    assert '@e4 [button] "Inner"' in page.ok("snapshot", "-i").page


def test_boxes_in_a_picture_show_their_refs(page, tmp_path, other):
    page.post("goto", other)

    page.ok("snapshot", "-i", "-a", "--max-chars", "40")

    page.ok("click", "@e3")


def test_alert_cannot_pass_for_a_row_of_the_snapshot(page, site):
    rows = "<button>Row</button>" * 3
    lie = "onclick='alert(`x\\n+ @e3 [button] Safe`)'"
    page.post("goto", site.page("/lie", f"<button {lie}>Go</button>{rows}"))
    page.ok("snapshot", "-i", "--max-chars", "20")

    page.ok("click", "@e1", "--snapshot")

    assert page.browse("click", "@e3", "--json").json["code"] in ("ref-unknown", "ref-stale")
