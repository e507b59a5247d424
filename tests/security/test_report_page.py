"""The report as a page: whole, escaped, and without anything that runs or is fetched."""

import re
from collections import Counter
from html.parser import HTMLParser

from browse.security.report import AttemptReport
from browse.security.report_page import MAX_ROWS, page


class Seen(HTMLParser):
    """Takes a page apart."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.words.append(data)


def a_report(kind: str = "tunnel_auth_denial", days: int = 3) -> AttemptReport:
    report = AttemptReport()
    for day in range(1, days + 1):
        report.add(f"2026-01-{day:02}", {"kind": kind, "reason": "no_token"})
    return report


def test_each_day_has_a_bar_and_each_name_a_row():
    seen = Seen(page(a_report(), title="Refused", about="Three."))

    assert seen.tags.count("rect") == 3
    assert "tunnel_auth_denial" in seen.words
    assert "no_token" in seen.words
    assert "Three." in seen.words


def test_nothing_runs_and_nothing_is_fetched():
    text = page(a_report(), title="Refused", about="")
    seen = Seen(text)

    assert not {"script", "link", "img", "iframe", "object"} & set(seen.tags)
    assert not {name for name in seen.names if name in ("src", "href") or name.startswith("on")}
    assert not re.search(r"https?:|url\(|@import", text)


def test_everything_is_escaped():
    report, evil = AttemptReport(), "</title><script>alert(1)</script>"
    report.entries = 1
    report.days[evil] = 1
    report.by_day[evil] = Counter({evil: 1})
    for names in (report.kinds, report.reasons, report.sources, report.hosts):
        names[evil] = 1

    seen = Seen(page(report, title=evil, about=evil))

    assert "script" not in seen.tags


def test_long_tables_say_how_many_more_there_are():
    report = a_report()
    report.reasons.update({f"reason{n}": 1 for n in range(100)})

    assert f"{101 - MAX_ROWS} more" in Seen(page(report, title="", about="")).words


def test_an_empty_report_is_a_page_too():
    seen = Seen(page(AttemptReport(), title="Refused", about="Nothing was refused today."))

    assert "Nothing was refused today." in seen.words
    assert "svg" not in seen.tags


def test_more_kinds_than_colours_are_drawn():
    report = AttemptReport()
    for n in range(9):
        report.add("2026-01-01", {"kind": f"kind{n}", "reason": "r"})

    assert Seen(page(report, title="", about="")).tags.count("rect") == 9
