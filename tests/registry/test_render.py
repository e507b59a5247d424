"""Text made from declarations."""

import pytest

from browse.registry.bind import COMMON
from browse.registry.params import WORD, Doc
from browse.registry.render import WIDTH, flag_form, help_text, overview, short_usage, usage
from browse.registry.spec import Arg, Group, declared
from support.fakes import a_spec

SPEC = a_spec(
    name="snap",
    aliases=("shot",),
    body="First part\nof it.\n\nSecond part.",
    args=(
        Arg("place", WORD, Doc(""), required=True),
        Arg("words", WORD, Doc(""), required=False, repeats=True),
        Arg("deep", WORD, Doc("Go deep.", short="d"), required=False, flag=True, switch=True),
        Arg("out_file", WORD, Doc("Where to.", metavar="file"), required=False, flag=True),
    ),
)


def test_the_usage_line_shows_what_may_be_left_out():
    assert usage(SPEC) == ("Usage: browse snap <place> [words…] [-d, --deep] [--out-file file]")
    assert short_usage(SPEC) == "snap <place> [words…]"


def test_a_flag_shows_its_value_and_its_short_form():
    assert [flag_form(arg) for arg in SPEC.flags] == ["-d, --deep", "--out-file file"]


def test_help_has_every_part():
    text = help_text(SPEC, COMMON)

    assert text.startswith(usage(SPEC) + "\n\nDo something.\n\nFirst part of it.\nSecond part.\n")
    assert "--deep" in text
    assert "--max-chars N" in text
    assert "Also called: shot" in text
    assert text.endswith("Examples:\n  browse snap\n")


@pytest.mark.parametrize("spec", declared(), ids=lambda spec: spec.name)
def test_the_prose_of_help_fits_the_width(spec):
    prose = help_text(spec, COMMON).partition("Examples:")[0].splitlines()[1:]

    assert all(len(line) <= WIDTH for line in prose)


def test_the_overview_has_every_command_below_its_group():
    text = overview(declared())

    headings = [line.rstrip(":") for line in text.splitlines() if line.rstrip(":") in set(Group)]
    assert headings == [group for group in Group if group in {spec.group for spec in declared()}]
    assert all(f"\n  {spec.name}" in text for spec in declared())
