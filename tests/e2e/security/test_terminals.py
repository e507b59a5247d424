"""What a page or a caller wrote reaches no terminal with control characters in it."""

import pytest

pytestmark = pytest.mark.e2e
# Copies to the clipboard (OSC 52), clears the screen (CSI with eight bits), deletes, ends a line.
HOSTILE = "a\x1b]52;c;cm0=\x07\x9b2J\x7f\nforged"
CONTROLS = {chr(code) for code in [*range(0x20), *range(0x7F, 0xA0)]} - {"\n", "\t"}
PAGE = "<title>t\x1b]0;x\x07\x9b2J\x7f</title><p>words\x1b[2J\x9b2J\x7f"


def found(*texts: str) -> set[str]:
    return {char for text in texts for char in text} & CONTROLS


@pytest.fixture
def page(browser, site):
    browser.ok("goto", site.page("/hostile", PAGE))
    browser.ok("js", "console.log('\\x1b[2J\\x9b2J\\x7f')")
    return browser


@pytest.mark.parametrize(
    "words",
    [
        ["text"],
        ["html"],
        ["tabs"],
        ["snapshot"],
        ["console"],
        ["js", "document.title"],
        ["tab-each", "text"],
        ["chain", "text | tabs"],
        ["status"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_a_page_cannot_write_to_a_terminal(page, words, form):
    ran = page.ok(*form, *words)

    assert not found(ran.out, ran.err)


@pytest.mark.parametrize(
    "words",
    [[HOSTILE], ["help", HOSTILE], ["click", HOSTILE], ["text", "--" + HOSTILE], ["goto", HOSTILE]],
    ids=["command", "help", "selector", "flag", "address"],
)
def test_a_callers_words_are_quoted(browser, words):
    ran = browser.browse(*words)

    assert ran.code != 0
    assert not found(ran.out, ran.err)
    assert "\nforged" not in ran.err


def test_the_activity_feed_has_a_line_for_each_command(browser):
    status, text = browser.ask("POST", "/command", {"command": HOSTILE, "args": [HOSTILE]})
    history = browser.ask("GET", "/activity/history")[1]

    ran = browser.ok("activity")

    assert status == 400
    assert not found(text, history, ran.out)
    assert "a\\x1b]52;c;cm0=\\x07\\x9b2J\\x7f\\nforged" in ran.out
    assert "\nforged" not in ran.out


def test_logs_have_no_control_characters(project, site):
    project.ok("goto", site.page("/logged", PAGE))
    project.ok("js", "console.log('\\x1b[2J\\x9b2J\\x7f\\nforged')")
    project.browse(HOSTILE)
    project.end()

    for log in (project.root / ".gstack").glob("*.log*"):
        text = log.read_text("utf-8")
        assert not found(text), log
        assert "\nforged" not in text, log
