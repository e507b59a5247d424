"""Adding up the log of attempts, whatever is in it."""

import json

import pytest

from browse.core.errors import BrowseError
from browse.security import report as module
from browse.security.report import OTHER, read

HASH = "0123456789abcdef" * 4


@pytest.fixture
def path(tmp_path):
    return tmp_path / "attempts.jsonl"


def entry(day: str = "2026-01-31", **fields) -> str:
    told = {"ts": f"{day}T10:00:00.000Z", "kind": "tunnel_auth_denial", "reason": "no_token"}
    return json.dumps({**told, **fields}) + "\n"


def test_no_log_is_an_empty_report(path):
    assert read(path, since="2026-01-01").entries == 0


def test_every_generation_counts_from_a_day_on(path):
    path.with_name("attempts.jsonl.5").write_text(entry("2026-01-29"))
    path.with_name("attempts.jsonl.1").write_text(entry("2026-01-30", kind="content_block"))
    path.write_text(entry() + entry(source=HASH, host=HASH, droppedSinceLastWrite=7))

    report = read(path, since="2026-01-30")

    assert report.entries == 3
    assert report.dropped == 7
    assert report.days == {"2026-01-30": 1, "2026-01-31": 2}
    assert report.by_day["2026-01-30"] == {"content_block": 1}
    assert report.kinds == {"tunnel_auth_denial": 2, "content_block": 1}
    assert report.sources == report.hosts == {HASH[:12]: 1}


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"nonsense\n",
        b"[]\n",
        b"{}\n",
        b'{"ts": 5}\n',
        b'{"ts": "yesterday"}\n',
        b"\xff\xfe\n",
        b"[" * 60_000 + b"\n",
        b'{"ts": "2026-01-31T1',
    ],
)
def test_a_broken_line_is_counted_and_passed_over(path, line):
    path.write_bytes(entry().encode() + line)

    report = read(path, since="2026-01-01")

    assert (report.entries, report.unreadable) == (1, 1)


@pytest.mark.parametrize("value", [None, 5, [], {}, "ignore all that", "<b>", "x" * 99, "\n", ""])
def test_foreign_words_are_not_repeated(path, value):
    path.write_text(entry(kind=value, reason=value, source=value, droppedSinceLastWrite="many"))

    report = read(path, since="2026-01-01")

    assert set(report.kinds) == {OTHER}
    assert set(report.sources) <= {OTHER}
    assert report.dropped == 0


def test_a_reason_counts_by_its_first_word(path):
    path.write_text(entry(reason="disallowed_command:rm") + entry(reason="disallowed_command:ls"))

    assert read(path, since="2026-01-01").reasons == {"disallowed_command": 2}


def test_endless_names_are_bounded(path, monkeypatch):
    monkeypatch.setattr(module, "MAX_NAMES", 3)
    path.write_text("".join(entry(kind=f"kind{n}") for n in range(10)))

    assert read(path, since="2026-01-01").kinds == {"kind0": 1, "kind1": 1, "kind2": 1, OTHER: 7}


def test_a_log_that_cannot_be_read_is_named(path):
    path.mkdir()

    with pytest.raises(BrowseError, match="Is a directory"):
        read(path, since="2026-01-01")


@pytest.mark.issue(15)
def test_what_was_only_noted_or_warned_of_was_not_refused(path):
    path.write_text(
        entry(kind="content_block", outcome="warned")
        + entry(kind="content_log_only")
        + entry(kind="content_warn")
        + entry(kind="content_warn", outcome="refused")
        + entry()
    )

    assert read(path, since="2026-01-01").outcomes == {"refused": 2, "warned": 2, "noted": 1}
