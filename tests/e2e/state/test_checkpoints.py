"""`checkpoint`: a whole session to go back to."""

import json
import stat

import pytest

from support.life import assert_clear

pytestmark = pytest.mark.e2e

SEEN = """<script>
document.title = [localStorage.l, sessionStorage.s, document.cookie].join("|");
</script>"""


def test_a_session_goes_back_to_its_checkpoint(browser, site):
    home, other = site.page("/cp-home", SEEN), site.page("/cp-other", "<title>other</title>")
    browser.ok("goto", home)
    browser.ok("js", "localStorage.l = 'l'; sessionStorage.s = 's'; document.cookie = 'c=1'; 0")
    browser.ok("newtab", other, BROWSE_AGENT="ada")

    saved = browser.ok("checkpoint", "before", "--json").json
    browser.ok("js", "localStorage.clear(); sessionStorage.clear(); document.cookie = 'c=2'; 0")
    browser.ok("goto", site.page("/cp-lost", "<p>lost"))
    browser.ok("closetab", BROWSE_AGENT="ada")
    restored = browser.ok("checkpoint", "restore", "before", "--json").json

    assert stat.S_IMODE((browser.root / ".gstack/browse-checkpoints").stat().st_mode) == 0o700
    assert (
        stat.S_IMODE((browser.root / ".gstack/browse-checkpoints/before.json").stat().st_mode)
        == 0o600
    )
    assert (saved["cookies"], saved["pages"], restored["pages"]) == (1, 2, 2)
    rows = json.loads(browser.post("tabs", "--json"))["tabs"]
    assert [row["id"] for row in rows] == restored["tabs"]
    assert browser.ok("js", "document.title").page == "l|s|c=1"
    assert browser.ok("url", BROWSE_AGENT="ada").page == other
    browser.ok("closetab", str(rows[1]["id"]), BROWSE_AGENT="ada")


def test_checkpoints_are_listed_and_removed_and_bad_ones_change_nothing(browser, site):
    url = site.page("/cp-stays", "<p>stays")
    browser.ok("goto", url)
    assert_clear(browser.browse("checkpoint", "restore", "none"), 1, "Checkpoint not found: none")
    browser.ok("checkpoint", "save", "list")  # the name of a sub-command, by its long form
    (browser.root / ".gstack/browse-checkpoints/bad.json").write_text('{"version": 1, "cookies"')

    listed = browser.ok("checkpoint", "list").out
    assert "(cannot be used)" in listed
    assert "1 page" in listed
    assert_clear(
        browser.browse("checkpoint", "restore", "bad"),
        1,
        "cannot be used: Input data was truncated",
    )
    assert_clear(browser.browse("checkpoint", "../x"), 2, "Checkpoint name must be alphanumeric")
    assert_clear(browser.browse("checkpoint"), 2, "<name> is missing")
    assert browser.ok("url").page == url
    for name in ("list", "bad"):
        assert browser.ok("checkpoint", "rm", name).out == f"Checkpoint removed: {name}\n"
    assert_clear(browser.browse("checkpoint", "rm", "bad"), 1, "Checkpoint not found: bad")
