"""`text --since`: only what is new."""

import pytest

from support.life import assert_clear

pytestmark = [pytest.mark.e2e, pytest.mark.issue(15)]


@pytest.fixture
def page(browser, site):
    browser.ok("goto", site.page("/log", "<ul id=log><li>one<li>two</ul><p>tail"))
    return browser


def add(page, line: str) -> None:
    page.ok("js", f"log.insertAdjacentHTML('beforeend', '<li>{line}')")


def test_only_new_lines_are_printed(page):
    page.ok("text")
    add(page, "three")

    ran = page.ok("text", "--since")

    assert ran.page == "three"
    assert "(3 lines as before, 0 gone)" in ran.out


def test_each_reading_is_the_next_ones_beginning(page):
    page.ok("text")
    add(page, "three")
    page.ok("text", "--since")
    page.ok("js", "log.firstElementChild.remove()")
    add(page, "four")
    add(page, "two")

    found = page.ok("text", "--since", "--json").json

    assert found["page"]["new"] == ["four", "two"]
    assert (found["same"], found["gone"]) == (3, 1)


@pytest.mark.parametrize(("part", "lines"), [([], "3 lines"), (["p"], "1 line")])
def test_nothing_new_is_said(page, part, lines):
    page.ok("text", *part)

    ran = page.ok("text", *part, "--since")

    assert ran.page == ""
    assert f"(nothing new; {lines} as before, 0 gone)" in ran.out


@pytest.mark.blank_tab
def test_the_first_text_is_printed_whole(browser, site):
    browser.ok("goto", site.page("/first", "<p>one"))

    ran = browser.ok("text", "--since")

    assert ran.page == "one"
    assert "have not read the text of this tab before" in ran.out


def test_another_part_is_printed_whole(page):
    page.ok("text")

    ran = page.ok("text", "#log", "--since")

    assert ran.page == "one\ntwo"
    assert "another part of the page" in ran.out


def test_a_reply_that_was_cut_continues(page):
    page.ok("text")
    for at in range(20):
        add(page, f"line {at}")
    cut = page.ok("text", "--since", "--max-chars", "60")
    after = cut.out.split("--after ")[1].split()[0].rstrip(".);,:`'")

    rest = page.ok("text", "--since", "--max-chars", "0", "--after", after)

    assert "line 19" in rest.page


def test_hidden_text_is_not_compared(page):
    assert_clear(page.browse("text", "--since", "--hidden"), 2, "cannot be combined")
