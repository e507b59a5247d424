"""Tests of a skill that run its script, with a HAR file in place of the network."""

import json
import shutil
from pathlib import Path

import pytest

from support.skills import write_skill

pytestmark = pytest.mark.e2e
HEAD = '---\nhost: "*"\nargs: [{name: url, default: "@@"}]\n---\n'
SCRIPT = """
from _lib.browse_client import run
def main(browse, args):
    with browse.tab(args["url"]):
        browse.click("text=Next")
        return {"tea": browse.text("h1")}
if __name__ == "__main__":
    run(main)
"""


@pytest.fixture
def recorded(browser, site, skills, tmp_path) -> Path:
    """A skill that goes from page to page, and a HAR file of both."""
    second = site.page("/har-two", "<h1>Assam</h1>")
    first = site.page("/har-one", f"<a href='{second}'>Next</a>")
    folder = write_skill(skills, "teas", SCRIPT, head=HEAD.replace("@@", first), sdk=True)
    (folder / "test_script.py").write_text("def test_it(): pass")
    (folder / "fixtures").mkdir()
    file = browser.root / "teas.har"
    browser.ok("har", "record", str(file))
    browser.ok("skill", "run", "teas")
    browser.ok("har", "stop")
    shutil.move(file, folder / "fixtures" / "teas.har")
    site.page("/har-two", "<h1>Sold out</h1>")
    return folder


def test_a_script_runs_with_a_har_in_place_of_the_network(browser, recorded):
    assert json.loads(browser.ok("skill", "run", "teas").out) == {"tea": "Sold out"}
    expected = recorded / "fixtures" / "teas.json"
    expected.write_text('{"tea": "Assam"}')

    said = browser.ok("skill", "test", "teas", "--har").out
    assert said == 'Skill "teas" (project): 1 test passed, and its script with 1 HAR file.\n'

    expected.write_text('{"tea": "Darjeeling"}')
    differs = browser.browse("skill", "test", "teas", "--har")
    assert differs.code == 1
    assert "it does not print what fixtures/teas.json has" in differs.err
    assert browser.ok("har").out == "(no HAR is being recorded or replayed)\n"
    assert "Sold out" in browser.ok("skill", "run", "teas").out


def test_a_request_that_is_not_in_the_har_fails_the_test(browser, site, recorded):
    other = site.page("/har-three", "<a href='/'>Next</a>")

    ran = browser.browse("skill", "test", "teas", "--har", "--arg", f"url={other}")

    assert ran.code == 1
    assert "teas.har was the network, and it did not have 1 request" in ran.err
    assert browser.ok("har", "--json").json["state"] is None


def test_no_link_leads_out_of_the_skill_and_no_har_is_told(browser, recorded, tmp_path):
    har = recorded / "fixtures" / "teas.har"
    shutil.move(har, tmp_path / "elsewhere.har")
    none = browser.browse("skill", "test", "teas", "--har")
    assert "has no .har file in fixtures/" in none.err

    har.symlink_to(tmp_path / "elsewhere.har")
    assert browser.browse("skill", "test", "teas", "--har").code == 4
