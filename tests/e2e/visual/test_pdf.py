"""Pages as PDF."""

import json
import re

import pytest

pytestmark = pytest.mark.e2e
PAGE = "<title>Report</title><h1>One</h1><p>text<div style='height: 1500px'></div><h2>Two</h2>"


@pytest.fixture
def report(browser, site):
    browser.post("goto", site.page("/report", PAGE))
    return browser


def boxes(data: bytes) -> set[tuple[int, int]]:
    """Tell the sizes of the pages, in points."""
    found = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", data)
    return {(round(float(width)), round(float(height))) for width, height in found}


def test_a_page_is_printed_on_letter_and_stays_as_it_is(report):
    before = report.ok("js", "[innerWidth, innerHeight, devicePixelRatio].join()").page

    ran = report.ok("pdf", "out/report.pdf")

    assert ran.out == f"PDF saved: {report.root.resolve()}/out/report.pdf\n"
    data = (report.root / "out/report.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    assert boxes(data) == {(612, 792)}
    assert b"StructTreeRoot" not in data
    assert report.ok("js", "[innerWidth, innerHeight, devicePixelRatio].join()").page == before


def test_flags_change_the_sheet(report):
    flags = [
        "--page-size",
        "a4",
        "--margins",
        "1cm",
        "--page-numbers",
        "--tagged",
        "--outline",
        "--toc",
    ]
    told = report.ok("pdf", "a4.pdf", *flags, "--json").json

    data = (report.root / "a4.pdf").read_bytes()
    assert told == {"path": str(report.root.resolve() / "a4.pdf"), "bytes": len(data)}
    assert boxes(data) == {(596, 842)}
    assert b"StructTreeRoot" in data
    assert b"/Outlines" in data


def test_a_payload_says_all_of_it(report):
    told = {"output": "from.pdf", "width": "4in", "height": "100mm", "headerTemplate": "<b>x</b>"}
    (report.root / "payload.json").write_text(json.dumps(told))

    report.ok("pdf", "--from-file", "payload.json")

    assert boxes((report.root / "from.pdf").read_bytes()) == {(288, 284)}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--format", "leter"], "Did you mean Letter?"),
        (["--format", "A4", "--page-size", "A5"], "are the same"),
        (["--margins", "1in", "--margin-top", "2in"], "cannot be combined"),
        (["--width", "3 miles"], "pdf: width: '3 miles' is not a length"),
        (["--format", "--tagged"], "--format requires a value"),
        (["--colour"], "Unknown flag: --colour"),
        (["--from-file", "both.json"], "cannot be combined"),
        (
            ["--from-file", "both.json", "--tagged"],
            "cannot be combined with a path or another flag",
        ),
        (["--from-file", "list.json"], "must be a JSON object, got an array"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_what_cannot_be_printed_is_refused(report, words, message):
    (report.root / "both.json").write_text('{"margins": "1in", "marginTop": "2in"}')
    (report.root / "list.json").write_text("[1]")

    ran = report.browse("pdf", *words)

    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
