"""Text made from declarations."""

import pytest
from msgspec.structs import replace

from browse.registry.params import WORD, Doc
from browse.registry.render import (
    WIDTH,
    family_text,
    flag_form,
    help_text,
    line,
    overview,
    short_usage,
    usage,
)
from browse.registry.shared_flags import ACTING
from browse.registry.signature import Argument
from browse.registry.spec import Group, declared
from support.fakes import SHELF, a_family, a_spec

SPEC = a_spec(
    name="snap",
    aliases=("shot",),
    body="First part\nof it.\n\nSecond part.",
    args=(
        Argument("place", WORD, Doc(""), required=True),
        Argument("words", WORD, Doc(""), required=False, repeats=True),
        Argument("deep", WORD, Doc("Go deep.", short="d"), required=False, flag=True, switch=True),
        Argument("out_file", WORD, Doc("Where to.", metavar="file"), required=False, flag=True),
    ),
)


def test_the_usage_line_shows_what_may_be_left_out():
    assert usage(SPEC) == ("Usage: browse snap <place> [words…] [-d, --deep] [--out-file file]")
    assert short_usage(SPEC) == "snap <place> [words…]"


def test_a_flag_shows_its_value_and_its_short_form():
    assert [flag_form(arg) for arg in SPEC.flags] == ["-d, --deep", "--out-file file"]


def test_help_has_every_part():
    text = help_text(SPEC)

    assert text.startswith(usage(SPEC) + "\n\nDo something.\n\nFirst part of it.\n\nSecond part.\n")
    assert "--deep" in text
    assert "--max-chars N" in text
    assert "Also: shot" in text
    assert text.endswith("Examples:\n  browse snap\n")


@pytest.mark.parametrize("spec", declared(), ids=lambda spec: spec.name)
def test_the_prose_of_help_fits_the_width(spec):
    prose = help_text(spec).partition("Examples:")[0].splitlines()[1:]

    assert all(len(line) <= WIDTH for line in prose)


def test_the_overview_has_every_command_below_its_group():
    text = overview(declared())

    headings = [line.rstrip(":") for line in text.splitlines() if line.rstrip(":") in set(Group)]
    assert headings == [group for group in Group if group in {spec.group for spec in declared()}]
    assert all(f"\n  {spec.command} " in text for spec in declared())


def test_only_commands_that_act_take_the_flags_of_these():
    acting = help_text(replace(SPEC, acts=True))
    heading = "\nCommands that act on the page also take:\n"

    above, found, below = acting.partition(heading)
    assert found
    assert "Every command also takes:" in below
    assert all(f"  {arg.spelled}" in below for arg in ACTING)
    assert not any(f"  {arg.spelled}" in above for arg in ACTING)
    assert heading not in help_text(SPEC)
    assert not any(f"  {arg.spelled}" in help_text(SPEC) for arg in ACTING)


def test_the_help_of_a_family_has_a_line_for_each_sub_command():
    assert family_text(SHELF, a_family()).splitlines() == [
        "Usage: browse shelf <sub-command> [arguments] [flags]",
        "",
        "Keep things on a shelf.",
        "",
        "Until asked.",
        "",
        "Sub-commands:",
        "  shelf list                  Do something.",
        "  shelf put <thing>           Do something.",
        "  shelf rm <thing>            Do something.",
        "",
        "`browse shelf` alone is `browse shelf list`.",
        "",
        "Help on one of them: browse help shelf list",
    ]


def test_the_overview_has_one_entry_for_a_family():
    text = overview(a_family())

    assert "shelf put" not in text
    assert f"  {'shelf …':<27} Keep things on a shelf. Sub-commands: list, put, rm.\n" in text


@pytest.mark.parametrize(
    ("default", "form"), [("list", "shelf [list|put|rm]"), ("", "shelf <list|put|rm>")]
)
def test_a_line_about_a_family_names_its_sub_commands(default, form):
    members = a_family(replace(SHELF, default=default))

    assert line(members) == f"`{form}` Keep things on a shelf."
    assert line([SPEC]) == "`snap <place> [words…]` Do something."
