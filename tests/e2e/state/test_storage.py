"""What pages store: shown, changed, and out of a page's reach."""

import json

import pytest

pytestmark = pytest.mark.e2e
# A page that sabotages its own storage, as far as a page can.
HOSTILE = """<script>
Storage.prototype.getItem = () => 'forged'; Storage.prototype.key = () => 'forged';
JSON.stringify = () => 'forged';
localStorage.length = 99;
</script>"""


def test_storage_is_shown_and_changed(browser, site):
    browser.post("goto", site.page("/stored", HOSTILE))
    browser.post("storage", "clear")

    done = [
        browser.ok("storage", *words).out
        for words in (
            ["set", "theme", "dark"],
            ["set", "empty"],
            ["set", "apiKey", "abcdefgh"],
            ["set", "blob", '{"token": "abcdefgh", "n": 1}'],
            ["set", "--session-storage", "step", "2"],
            ["rm", "empty"],
        )
    ]
    both = json.loads(browser.ok("storage").page)
    session = browser.ok("storage", "--session-storage", "--json").json["page"]

    assert done == [
        'Set localStorage["theme"]\n',
        'Set localStorage["empty"]\n',
        'Set localStorage["apiKey"]\n',
        'Set localStorage["blob"]\n',
        'Set sessionStorage["step"]\n',
        'Removed localStorage["empty"]\n',
    ]
    assert both == {
        "localStorage": {
            "theme": "dark",
            "apiKey": "[REDACTED — 8 chars]",
            "blob": '{"token": "****", "n": 1}',
        },
        "sessionStorage": {"step": "2"},
    }
    assert session == {"sessionStorage": {"step": "2"}}
    assert browser.ok("storage", "get", "theme").page == "dark"
    assert browser.ok("storage", "clear").out == "Cleared localStorage\n"
    assert json.loads(browser.ok("storage").page)["localStorage"] == {}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["get", "nothing"], 1, 'There is no localStorage["nothing"].'),
        (["set"], 2, "storage set: <key> is missing"),
        (["clear", "key"], 2, "storage clear: unexpected argument 'key'"),
        (["rm", "key", "value"], 2, "storage rm: unexpected argument 'value'"),
        (["drop", "key"], 2, "Unknown command: 'storage drop'."),
    ],
)
def test_what_storage_refuses(browser, site, words, code, message):
    browser.post("goto", site.page("/refusing", "<p>x"))

    status, told = browser.ask("POST", "/command", {"command": "storage", "args": words})

    assert message in json.loads(told)["error"]
    assert (status == 400) is (code == 2)


def test_a_value_for_which_there_is_no_room_changes_nothing(browser, site):
    browser.post("goto", site.page("/full", "<p>x"))
    browser.post("js", "localStorage.setItem('much', 'x'.repeat(3_000_000))")

    body = {"command": "storage", "args": ["set", "key", "x" * 4_000_000]}
    _, told = browser.ask("POST", "/command", body)

    assert "localStorage is full; nothing was changed." in json.loads(told)["error"]
    assert browser.post("js", "Object.keys(localStorage)").count("key") == 0


@pytest.mark.parametrize("words", [[], ["set", "a", "b"], ["get", "a"]])
def test_a_page_of_no_site_has_no_storage(browser, words):
    ran = browser.browse("storage", *words)

    assert ran.code == 1
    assert "This page has no storage" in ran.err
