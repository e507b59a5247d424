"""Page scripts belong to commands: a caller who names one in a selector gets nothing."""

import json
from urllib.parse import quote

import pytest

pytestmark = pytest.mark.e2e

READ = "browse=storage/read_storage %7B%7D"
CHANGE = {"kind": "localStorage", "key": "k", "value": "changed"}
WRITE = f"browse=storage/write_storage {quote(json.dumps(CHANGE))}"
KEEP = "<script>localStorage.k = 'KEPT WORDS'</script><p>words"


@pytest.mark.parametrize("selector", [READ, f"body >> {READ}", f"*{READ}", f"css=p >> {READ}"])
@pytest.mark.parametrize("command", ["text", "html", "attrs", "is visible"])
def test_a_selector_runs_no_page_script(browser, site, selector, command):
    browser.ok("goto", site.page("/keeping", KEEP))

    ran = browser.browse(*command.split(), selector)

    assert ran.code != 0
    assert "KEPT WORDS" not in ran.out + ran.err


@pytest.mark.parametrize(
    "selector",
    [WRITE, f"p >> near=[{WRITE!r}, 50]".replace("'", '"'), f'p >> internal:has="{WRITE}"'],
)
def test_a_selector_changes_nothing_by_a_page_script(browser, site, selector):
    browser.ok("goto", site.page("/keeping", KEEP))

    browser.browse("text", selector)

    assert browser.ok("js", "localStorage.k").page == "KEPT WORDS"


def test_a_ref_is_not_reached_around_what_was_shown(browser, site):
    browser.ok("goto", site.page("/pressing", "<button onclick='document.title=1'>Press</button>"))
    browser.ok("snapshot", "-i")

    codes = [browser.browse("click", f"browse={number}@e1!").code for number in range(1, 4)]

    assert 0 not in codes
    assert browser.ok("js", "document.title").page != "1"
