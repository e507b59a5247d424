"""TodoMVC with React: a list that a person adds to, ticks off, filters and clears."""

import json
import sys

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
# It keeps its list in the document, so the truth is read there: each item, and whether it is done.
LIST = (
    "[...document.querySelectorAll('.todo-list li')].map((item) => "
    "[item.textContent, item.classList.contains('completed')])"
)


@pytest.fixture(scope="module")
def todos(application, serve):
    pages = application.modules / "todomvc-react" / "dist"
    words = ("-m", "http.server", "--bind", "127.0.0.1", "--directory", pages, "{port}")
    return serve(sys.executable, *words)


def items(browser):
    """Read the list from the document, not as the agent does."""
    return dict(json.loads(browser.ok("js", f"JSON.stringify({LIST})").page))


@pytest.mark.job("Put milk and bread on my list.")
def test_items_are_added(job, todos, browser):
    job("goto", todos.url)
    job("snapshot", "-i")
    for item in ("milk", "bread"):
        job("fill", job.ref("textbox", "What needs to be done?"), item)
        job("press", "Enter")

    assert items(browser) == {"milk": False, "bread": False}
