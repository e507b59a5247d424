"""Sizes, margins and payloads of `pdf`."""

import json

import pytest

from browse.browser.visual.pdf_options import (
    EMPTY,
    PAGE_NUMBERS,
    PdfOptions,
    PdfOptionsFile,
    paper_format,
    parse_length,
    parse_payload,
    print_settings,
)
from browse.core.errors import BrowseError, Usage
from browse.guard.files import Roots, check_read
from browse.registry.params import Surroundings


@pytest.mark.parametrize(
    ("raw", "length"),
    [("1in", 1), ("2.54cm", 1), ("25.4mm", 1), ("96px", 1), ("96", 1), ("0", 0), (" .5 in ", 0.5)],
)
def test_lengths_have_units(raw, length):
    assert parse_length(raw, "width") == pytest.approx(length)


@pytest.mark.parametrize("raw", ["", "wide", "-1in", "1em", "1e3", "300in", "1 2in", "nan"])
def test_other_words_are_no_lengths(raw):
    with pytest.raises(Usage, match=r"pdf: top margin: .* is not a length"):
        parse_length(raw, "top margin")


@pytest.mark.parametrize(
    ("raw", "name"), [("a4", "A4"), ("LETTER", "Letter"), (" Legal ", "Legal")]
)
def test_formats_go_by_name_in_any_case(raw, name):
    assert paper_format(raw) == name


def test_a_format_that_is_almost_right_is_suggested():
    with pytest.raises(Usage, match="Did you mean Letter") as caught:
        paper_format("leter")

    assert "A6" in caught.value.hint


@pytest.mark.parametrize(
    "wanted",
    [
        {"margins": "1in", "margin_left": "2in"},
        {"format": "A4", "width": "3in"},
        {"format": "A4", "height": "3in"},
    ],
)
def test_what_excludes_each_other_is_refused(wanted):
    with pytest.raises(Usage, match="cannot be combined"):
        print_settings(PdfOptions(**wanted))


@pytest.mark.parametrize(
    "wanted", [{"margins": "5in"}, {"width": "2in", "margin_left": "1in", "margin_right": "1in"}]
)
def test_margins_leave_room(wanted):
    with pytest.raises(Usage, match="no room"):
        print_settings(PdfOptions(**wanted))


def test_an_empty_part_stands_beside_a_header_or_a_footer():
    assert (print_settings(PdfOptions()).header, print_settings(PdfOptions()).footer) == ("", "")
    assert print_settings(PdfOptions(header_template="<p>")).footer == EMPTY
    numbered = print_settings(PdfOptions(page_numbers=True))
    assert (numbered.header, numbered.footer) == (EMPTY, PAGE_NUMBERS)


def test_page_numbers_come_after_a_footer():
    both = print_settings(PdfOptions(page_numbers=True, footer_template="<p>Draft</p>"))

    assert both.footer == "<p>Draft</p>" + PAGE_NUMBERS


def test_one_margin_is_for_its_side_and_all_for_all():
    assert print_settings(PdfOptions(margin_top="1in")).margins == {"top": 1}
    assert set(print_settings(PdfOptions(margins="1in")).margins.values()) == {1}
    assert len(print_settings(PdfOptions(margins="1in")).margins) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not valid JSON"),
        ("\xff", "is not valid JSON"),
        ("[]", "must be a JSON object, got an array"),
        ("3", "got a number"),
        ("null", "got null"),
        ('{"widht": "3in"}', "widht"),
        ('{"tagged": "yes"}', "tagged"),
        ('{"marginTop": 3}', "marginTop"),
    ],
)
def test_a_payload_that_is_none_is_refused(text, message):
    with pytest.raises(Usage, match=message):
        parse_payload(text.encode("latin-1"), "p.json")


def test_a_payload_obeys_the_same_rules(tmp_path):
    told = {"output": "b.pdf", "preferCSSPageSize": True, "format": "A4", "width": "3in"}
    (tmp_path / "p.json").write_text(json.dumps(told))
    here = Surroundings(str(tmp_path), Roots.of(str(tmp_path)))
    payload = PdfOptionsFile(check_read("p.json", cwd=here.cwd, roots=here.roots), here)

    wanted, output = payload.read()

    assert output
    assert output.real.endswith("/b.pdf")
    assert wanted.prefer_css_page_size
    with pytest.raises(Usage, match="cannot be combined"):
        print_settings(wanted)


def test_a_payload_cannot_write_elsewhere(tmp_path):
    (tmp_path / "p.json").write_text('{"output": "/etc/b.pdf"}')
    here = Surroundings(str(tmp_path), Roots.of(str(tmp_path)))

    with pytest.raises(BrowseError, match="Path must be within"):
        PdfOptionsFile(check_read("p.json", cwd=here.cwd, roots=here.roots), here).read()
