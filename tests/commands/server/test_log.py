"""How the report on attempts is printed."""

import pytest

from browse.commands.server.log import _about, _tables
from browse.security.report import AttemptReport


def a_report() -> AttemptReport:
    report = AttemptReport()
    for number in range(3):
        report.add("2026-01-02", {"kind": "a_kind", "reason": "r"})
        report.add(f"2026-01-0{number + 3}", {"kind": "another", "reason": "r"})
    return report


def test_tables_are_aligned_and_only_those_that_have_rows():
    assert _tables(a_report())[:10] == [
        "",
        "By day",
        f"  2026-01-02  3  {'#' * 40}",
        f"  2026-01-03  1  {'#' * 13}",
        f"  2026-01-04  1  {'#' * 13}",
        f"  2026-01-05  1  {'#' * 13}",
        "",
        "By kind",
        f"  a_kind   3  {'#' * 40}",
        f"  another  3  {'#' * 40}",
    ]
    assert "By source" not in _tables(a_report())


def test_nothing_is_a_sentence():
    assert _about(AttemptReport(), 1) == "Nothing was refused today."
    assert _tables(AttemptReport()) == []


@pytest.mark.issue(15)
def test_only_refusals_are_called_that():
    report = AttemptReport()
    report.add("2026-01-02", {"kind": "content_log_only", "reason": "below_warning"})

    assert _about(report, 1) == "Nothing was refused today. Only noted: 1."

    report.add("2026-01-02", {"kind": "content_warn", "outcome": "warned"})
    report.add("2026-01-02", {"kind": "tunnel_auth_denial"})
    assert _about(report, 1) == ("Refused today: 1. Passed on with a warning: 1. Only noted: 1.")
