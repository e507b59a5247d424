"""What the protocol tells of a console, in one line each."""

from typing import Any

import pytest

from browse.browser.logs.console import MAX_TEXT_CHARS, ConsoleLog, ConsoleMessage, _Target
from browse.core.log_file import LogFile

STAMP = 1_800_000_000_123.0


async def nobody(method: str, params: dict[str, Any]) -> None:
    """Take what is sent to the browser; there is none."""


@pytest.fixture
def consoles(tmp_path) -> ConsoleLog:
    return ConsoleLog(LogFile(tmp_path / "browse-console.log"))


def said(consoles: ConsoleLog, event: str, **told: Any) -> ConsoleMessage:
    _Target(consoles, 7, nobody).hear(event, {"timestamp": STAMP, **told})
    return list(consoles.ring)[-1]


def called(consoles: ConsoleLog, *values: dict[str, Any], **more: Any) -> ConsoleMessage:
    return said(consoles, "Runtime.consoleAPICalled", type="log", args=list(values), **more)


def preview(kind: str | None, *properties: tuple[str, str], **more: Any) -> dict[str, Any]:
    rows = [{"name": name, "value": value} for name, value in properties]
    about = {"description": "Object", "properties": rows, **more}
    return {"type": "object", "preview": about | ({"subtype": kind} if kind else {})}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"type": "string", "value": "words"}, "words"),
        ({"type": "number", "value": 1.5}, "1.5"),
        ({"type": "boolean", "value": True}, "true"),
        ({"type": "object", "subtype": "null", "value": None}, "null"),
        ({"type": "undefined"}, "undefined"),
        ({"type": "number", "unserializableValue": "-0", "description": "-0"}, "-0"),
        ({"type": "function", "description": "() => 1"}, "() => 1"),
        (preview(None, ("a", "1"), ("b", "Array(3)")), "{a: 1, b: Array(3)}"),
        (preview("array", ("0", "1"), ("1", "2"), overflow=True), "[1, 2, …]"),
        (preview("map", ("size", "2"), description="Map(2)"), "Map(2)"),
        (preview(None), "Object"),
    ],
)
async def test_a_value_is_shown_as_a_console_shows_it(consoles, value, shown):
    assert called(consoles, value).text == shown


async def test_a_message_is_spelled_in_one_way(consoles):
    words = [{"type": "string", "value": word} for word in ("two", "words")]

    message = called(consoles, *words)

    assert message.spelled == "[2027-01-15T08:00:00.123Z] [log] two words"
    assert message.tab == 7


async def test_an_uncaught_error_says_where(consoles):
    details = {
        "text": "Uncaught",
        "url": "https://a.example/x.js?token=abcd",
        "lineNumber": 11,
        "exception": {"type": "object", "description": "TypeError: no\nreally\n    at f (x:1:2)"},
    }

    message = said(consoles, "Runtime.exceptionThrown", exceptionDetails=details)

    assert message.level == "error"
    assert message.spelled.endswith(
        "[error] Uncaught TypeError: no\nreally (https://a.example/x.js?token=****:12)"
    )


async def test_a_word_of_the_browser_names_the_address(consoles):
    entry = {
        "source": "network",
        "level": "verbose",
        "text": "slow",
        "timestamp": STAMP,
        "url": "https://a.example/",
    }

    message = said(consoles, "Log.entryAdded", entry=entry)

    assert message.spelled.endswith("[debug] slow (https://a.example/)")


async def test_secrets_are_masked_before_they_are_kept(consoles):
    message = called(consoles, {"type": "string", "value": "login password=hunter22 ok"})

    assert message.text == "login password=**** ok"


async def test_a_long_message_is_cut_and_says_so(consoles):
    message = called(consoles, {"type": "string", "value": "x" * 10_000})

    assert message.text == "x" * MAX_TEXT_CHARS + "… (10,000 characters)"


async def test_half_a_character_is_replaced(consoles):
    assert called(consoles, {"type": "string", "value": "a\ud800b"}).text == "a\ufffdb"


async def test_what_was_dropped_is_said_in_the_log(consoles):
    told = {"console": 12_000, "network": 3, "floods": False}

    message = said(consoles, "Browse.dropped", **told)

    assert message.level == "warning"
    assert message.text.startswith("browse left out 12,000 console messages and 3 requests")


async def test_a_flood_is_reported(consoles):
    floods: list[str] = []
    target = _Target(consoles, 7, nobody, lambda: floods.append("flood"))

    target.hear("Browse.dropped", {"console": 1, "network": 0, "floods": False})
    target.hear("Browse.dropped", {"console": 1, "network": 0, "floods": True})

    assert floods == ["flood"]
