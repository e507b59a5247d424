"""The log of what was refused, through the real client and daemon."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from support.cli import Project

pytestmark = pytest.mark.e2e


@pytest.fixture
def refused(browser) -> Project:
    """A home in which something was refused, today and long ago."""
    path = Path(browser.env["HOME"]) / ".gstack" / "security" / "attempts.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    today = datetime.now(UTC).isoformat()
    rows = [
        {"ts": today, "kind": "log_test", "reason": "one_reason:x", "source": "ab" * 32},
        {"ts": today, "kind": "log_test", "reason": "one_reason:y", "droppedSinceLastWrite": 5},
        {"ts": "2020-01-01T00:00:00Z", "kind": "log_test_of_old", "reason": "one_reason"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "nonsense\n")
    return browser


def test_what_was_refused_is_added_up(refused):
    text = refused.ok("log", "security").out
    facts = refused.ok("log", "security", "--days", "1", "--json").json

    # Other tests of this home may have been refused something as well.
    assert re.match(
        r"Refused in the last 30 days: \d+\. .*Not written, .+: \d+\. Lines .+: 1\.", text
    )
    assert re.search(r"^  log_test +2  #+$", text, re.MULTILINE)
    assert "log_test_of_old" not in text
    assert {"name": "log_test", "count": 2} in facts["byKind"]
    assert {"name": "abababababab", "count": 1} in facts["bySource"]
    assert facts["dropped"] >= 5


def test_a_page_of_it_is_written(refused):
    ran = refused.ok("log", "security", "--html", "refused.html", "--days", "3650")
    written = (refused.root / "refused.html").read_text()

    assert f"Saved: {refused.root}/refused.html" in ran.out
    assert written.startswith("<!doctype html>")
    assert "log_test_of_old" in written
    assert "<script" not in written


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["log"], "security"),
        (["log", "weather"], "security"),
        (["log", "security", "--days", "0"], "whole number from 1 to 3,650"),
        (["log", "security", "--html", "/etc/refused.html"], "Path must be within"),
    ],
)
def test_what_cannot_be_done_is_said(refused, words, said):
    ran = refused.browse(*words)

    assert ran.code != 0
    assert said in ran.err
