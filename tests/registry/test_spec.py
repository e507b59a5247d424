"""Declaring commands: what follows from a declaration, and what is refused at import."""

from collections.abc import Iterator

import pytest

from browse.core.scopes import Scope, Surface
from browse.registry.results import Text
from browse.registry.spec import (
    DEFAULT_DEADLINE_S,
    Alias,
    Family,
    Group,
    Lane,
    Spec,
    by_command,
    command,
    declared,
    families,
)
from support.fakes import SHELF, a_family, a_spec, own_declarations


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    with own_declarations():
        yield


def declare(handler, **changes) -> Spec:
    command(**{"group": Group.META, "scope": Scope.READ, **changes})(handler)
    return declared()[-1]


def declare_below(family: Family, handler, **changes) -> Spec:
    return declare(handler, group=None, family=family, **changes)


async def well_made(ctx) -> Text:
    """Do it.

    With care.

    Examples:
        browse well-made x
    """
    return Text("")


async def shelf_throw_away(ctx) -> Text:
    """Do it.

    Examples:
        browse shelf throw-away
    """
    return Text("")


async def undocumented(ctx) -> Text:
    return Text("")


def test_a_command_is_called_like_its_function():
    spec = declare(well_made, aliases=("made",))

    assert (spec.name, spec.command, spec.words) == ("well-made", "well-made", ())
    assert spec.first_words == ("well-made", "made")
    assert (spec.summary, spec.body) == ("Do it.", "With care.")
    assert spec.examples == ("browse well-made x",)


def test_an_alias_of_two_words_takes_no_first_word():
    spec = declare(well_made, aliases=("made", Alias("get made", "--json")))

    assert spec.names == ("well-made", "made", "get made")
    assert spec.first_words == ("well-made", "made")


def test_an_alias_of_a_sub_command_may_stand_outside_its_family():
    spec = declare_below(SHELF, shelf_throw_away, aliases=("bin", Alias("shelf-bin")))

    assert spec.words == ("throw-away", "bin")
    assert spec.first_words == ("shelf", "shelf-bin")


def test_a_sub_command_is_called_like_its_function_below_its_family():
    spec = declare_below(SHELF, shelf_throw_away, aliases=("bin",))

    assert (spec.name, spec.command) == ("shelf throw-away", "shelf")
    assert spec.names == ("shelf throw-away", "shelf bin")
    assert spec.words == ("throw-away", "bin")
    assert spec.first_words == ("shelf",)
    assert spec.group is SHELF.group


def test_a_sub_command_may_be_given_a_name():
    assert declare_below(SHELF, well_made, name="dust").name == "shelf dust"


def test_a_sub_command_whose_function_is_called_otherwise_is_refused():
    with pytest.raises(TypeError, match="a sub-command of shelf is shelf_"):
        declare_below(SHELF, well_made)


@pytest.mark.parametrize("changes", [{"group": None}, {"family": SHELF}], ids=["neither", "both"])
def test_a_command_has_a_group_or_a_family(changes):
    with pytest.raises(TypeError, match="needs a group or a family"):
        declare(shelf_throw_away, **changes)


def test_what_is_not_said_is_the_careful_choice():
    spec = declare(well_made)

    assert spec.surfaces is Surface.LOCAL
    assert spec.lane is Lane.TAB
    assert spec.deadline == DEFAULT_DEADLINE_S
    assert not spec.runs_here
    assert not spec.writes


@pytest.mark.parametrize(
    ("changes", "waits"),
    [
        ({"scope": Scope.READ}, False),
        ({"scope": Scope.WRITE}, True),
        ({"scope": Scope.ADMIN}, True),
        ({"scope": Scope.ROOT}, False),
        ({"scope": Scope.WRITE, "mutates": False}, False),
        ({"scope": Scope.ROOT, "mutates": True}, True),
    ],
)
def test_what_writes_or_administers_waits_for_a_person_unless_it_says_otherwise(changes, waits):
    assert declare(well_made, **changes).mutates is waits


def test_a_wrong_declaration_is_refused_at_import():
    before = declared()

    with pytest.raises(TypeError, match="needs a docstring"):
        declare(undocumented)

    assert declared() == before


@pytest.mark.parametrize(
    "changes",
    [{"name": "goto"}, {"name": "setcontent"}, {"aliases": ("goto",)}],
    ids=["a name", "the alias of another", "an alias that is a name"],
)
def test_a_name_is_given_once(changes):
    with pytest.raises(TypeError, match="declared twice"):
        declare(well_made, **changes)


@pytest.mark.parametrize(
    ("family", "changes"),
    [
        (None, {"name": "shelf"}),
        (None, {"aliases": ("shelf",)}),
        (SHELF, {"name": "throw-away"}),
        (SHELF, {"name": "dust", "aliases": ("throw-away",)}),
        (Family("shelf", Group.TABS, "Another one."), {"name": "put"}),
        (Family("goto", Group.META, "A command is in its way."), {"name": "put"}),
        (Family("setcontent", Group.META, "An alias is in its way."), {"name": "put"}),
    ],
)
def test_a_first_word_is_one_command_or_one_family(family, changes):
    declare_below(SHELF, shelf_throw_away)

    with pytest.raises(TypeError, match="declared twice"):
        declare(well_made, group=None if family else Group.META, family=family, **changes)


def test_sub_commands_are_found_below_their_first_word():
    goto, members = a_spec(name="goto"), a_family()

    assert by_command([goto, *members]) == {"goto": [goto], "shelf": members}
    assert families([goto, *members]) == {SHELF: members}
