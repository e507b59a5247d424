"""TodoMVC with React: a list that a person adds to, ticks off, filters and clears."""

import json
import sys

import pytest

from support.named import told_apart

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
# It keeps its list in the document, so the truth is read there: each item, and whether it is done.
LIST = (
    "[...document.querySelectorAll('.todo-list li')].map((item) => "
    "[item.textContent.replace('\u00d7', ''), item.classList.contains('completed')])"
)


@pytest.fixture(scope="module")
def todos(application, serve):
    pages = application.modules / "todomvc-react" / "dist"
    words = ("-m", "http.server", "--bind", "127.0.0.1", "--directory", pages, "{port}")
    return serve(sys.executable, *words)


@pytest.fixture
def items(browser):
    """Read the list from the document, not as the agent does."""
    return lambda: dict(json.loads(browser.ok("js", f"JSON.stringify({LIST})").page))


@pytest.fixture
def errands(browser, todos):
    """Three things are on the list before the job begins."""
    browser.ok("goto", todos.url)
    for item in ("milk", "bread", "tea"):
        browser.ok("fill", ".new-todo", item)
        browser.ok("press", "Enter")


@pytest.mark.job("Put milk and bread on my list.")
def test_items_are_added(job, todos, items):
    job("goto", todos.url)
    job("snapshot", "-i")
    new = job.ref("textbox", "What needs to be done?")
    job("chain", f"fill {new} milk | press Enter | fill {new} bread | press Enter")

    assert items() == {"milk": False, "bread": False}


@pytest.mark.job("It is oat milk that I want, not milk.")
def test_an_item_is_edited_after_a_double_click(job, errands, items):
    job("dblclick", "text=milk", "--snapshot")
    job("fill", job.ref("textbox", near="edit"), "oat milk")
    job("press", "Enter")

    assert items() == {"tea": False, "bread": False, "oat milk": False}


@pytest.mark.job("I have the bread. Tick it off; what is left to do?")
def test_what_is_left_is_told_by_a_filter(job, errands, items):
    job("find", "bread")
    job("check", job.ref("checkbox", near="bread"))
    job("click", "text=Active")
    said = job("text").page

    assert [it for it in ("tea", "bread", "milk") if it in said] == ["tea", "milk"]
    assert items() == {"tea": False, "milk": False}


@pytest.mark.job("Take what is done off the list: the milk is, and the tea.")
def test_what_is_done_is_cleared(job, errands, items):
    job("snapshot", "-i")
    job("check", job.ref("checkbox", near='"milk"'))
    job("check", job.ref("checkbox", near='"tea"'))
    job("click", "text=Clear completed")

    assert items() == {"bread": False}


@pytest.mark.job("All of it is done.")
def test_all_are_ticked_off_at_once(job, errands, items):
    job("snapshot", "-i")
    job("press", "Space", "--on", job.ref("checkbox", near="toggle-all"))

    assert items() == {"tea": True, "bread": True, "milk": True}


@pytest.mark.job("Strike the tea off the list without having done it.")
def test_an_item_is_deleted_by_a_button_that_shows_when_pointed_at(job, errands, items):
    job("hover", "text=tea", "--snapshot")
    job("click", job.ref("button", "\u00d7"))

    assert items() == {"bread": False, "milk": False}


def test_what_can_be_operated_can_be_told_apart(browser, errands):
    assert told_apart(browser) >= 0.98
