"""Snapshots that do not fit into a reply: what is left out is not built, and still not lost."""

import re

import pytest

pytestmark = pytest.mark.e2e

HIGH = "<div style='height: 3000px'></div>"
ROWS = "".join(f"<button>Press {at}</button> <a href=/{at}>Go {at}</a><br>" for at in range(60))
PAGE = f"""<button>First</button>{HIGH}{ROWS}
<div id=far onclick="1">Far</div>
<div style="position: fixed; top: 0; left: 200px">
<button>Fixed</button><span id=near onclick="1">Near</span></div>"""
CHANGE = "document.querySelectorAll('button')[50].textContent = 'Changed'"
ROOM = ("--max-chars", "300")


@pytest.fixture
def page(browser, site):
    """A tab with more controls than fit into 300 characters."""
    browser.post("goto", site.page("/many", PAGE))
    return browser


def pages_of(browser, *words):
    """All pages of a reply, each as its lines."""
    pages, after = [], "0"
    while after:
        ran = browser.ok(*words, "--after", after)
        pages.append(ran.page.splitlines())
        after = (re.findall(r"add --after (\d+) for the rest", ran.out) or [""])[0]
    return pages


def test_first_page_has_what_is_on_screen(page):
    (first, *_) = pages_of(page, "snapshot", "-i", *ROOM)

    assert first[:2] == ['@e1 [button] "First"', '@e2 [button] "Press 0"']
    assert '@e122 [button] "Fixed"' in first
    assert '@c2 [onclick] "Near"' in first
    assert not any("Far" in line for line in first)


def test_pages_together_are_the_whole(page):
    parts = pages_of(page, "snapshot", "-i", *ROOM)
    whole = page.ok("snapshot", "-i", "--max-chars", "0").page.splitlines()

    assert len(parts) > 5
    assert sorted(line for part in parts for line in part) == sorted(whole)


def test_frames_are_on_the_pages_too(page, site):
    inner = site.page("/inner", "<button>Inside</button>")
    page.post("goto", site.page("/framed", f"{ROWS}<iframe src={inner}></iframe>"))
    page.ok("wait", "--load")

    parts = pages_of(page, "snapshot", "-i", *ROOM)

    assert sum("Inside" in line for part in parts for line in part) == 1
    whole = page.ok("snapshot", "-i", "--max-chars", "0").page.splitlines()
    assert sorted(line for part in parts for line in part) == sorted(whole)


def test_note_counts_the_lines_that_are_left(page):
    ran = page.ok("snapshot", "-i", *ROOM)
    total = len(page.ok("snapshot", "-i", "--max-chars", "0").page.splitlines())

    (left,) = re.findall(r"\[([\d,]+) lines left out", ran.out)
    assert int(left) + len(ran.page.splitlines()) == total


def test_difference_shows_a_change_in_what_was_left_out(page):
    assert "Press 49" not in page.ok("snapshot", "-i", *ROOM).page
    page.post("js", CHANGE)

    changed = page.ok("snapshot", "-D").page.splitlines()

    assert changed == ['~ @e100 [button] "Changed"']


def test_difference_has_nothing_where_nothing_changed(page):
    page.ok("snapshot", "-i", *ROOM)

    assert "(nothing changed)" in page.ok("snapshot", "-D").out


def test_difference_to_a_page_that_was_left_has_what_was_shown_of_it(page, site):
    page.ok("snapshot", "-i", *ROOM)
    page.post("goto", site.page("/next", "<button>Next</button>"))

    ran = page.ok("snapshot", "-D", "--json").json

    changed = ran["page"]["difference"]
    assert '- @e1 [button] "First"' in changed
    assert '+ @e1 [button] "Next"' in changed
    assert "Press 49" not in str(changed)


def test_what_was_left_out_is_no_ref_yet(page):
    page.ok("snapshot", "-i", *ROOM)

    assert page.browse("click", "@e100", "--json").json["code"] in ("ref-unknown", "ref-stale")


def test_baseline_that_others_pushed_out_is_said_to_be_gone(page):
    rows = page.ok("tabs", "--json").json["tabs"]
    tab = str(next(row["id"] for row in rows if row["current"]))
    page.ok("snapshot", "-i", *ROOM)
    for name in "abcd":
        page.ok("snapshot", "-i", *ROOM, "--tab-id", tab, BROWSE_AGENT=name)

    ran = page.ok("snapshot", "-D", *ROOM)

    assert "this snapshot stored as baseline" in ran.out
    assert ran.page.startswith('@e1 [button] "First"')
