"""Declaring commands: what is read off a function, and what is refused at import."""

from collections.abc import Iterator
from typing import Annotated, Literal

import pytest

from browse.core.scopes import Scope, Surface
from browse.registry.params import Doc, Selector, WriteFile
from browse.registry.results import PageText, Text
from browse.registry.spec import DEFAULT_DEADLINE_S, Group, Lane, Spec, command, declared
from support.fakes import own_declarations


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    with own_declarations():
        yield


def declare(handler, **changes) -> Spec:
    command(**{"group": Group.META, "scope": Scope.READ, **changes})(handler)
    return declared()[-1]


async def well_made(
    ctx,
    selector: Selector,
    count: int = 3,
    *words: str,
    deep: Annotated[bool, Doc("Go deep.", short="d")] = False,
    until: Literal["load", "idle"] = "load",
    out: Annotated[WriteFile | None, Doc("Where to.", metavar="place")] = None,
    hide: Annotated[tuple[Selector, ...], Doc("Without these.")] = (),
) -> Text | PageText:
    """Do it.

    With care.

    Examples:
        browse well-made x
        browse well-made x 4 --deep
    """
    return Text("")


def test_everything_is_read_off_the_function():
    spec = declare(well_made)

    assert spec.name == "well-made"
    assert spec.summary == "Do it."
    assert spec.body == "With care."
    assert spec.examples == ("browse well-made x", "browse well-made x 4 --deep")
    assert [arg.name for arg in spec.arguments] == ["selector", "count", "words"]
    assert [arg.spelled for arg in spec.flags] == ["--deep", "--until", "--out", "--hide"]


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


def test_parameters_keep_their_kind():
    selector, count, words, deep, until, out, hide = declare(well_made).args

    assert (selector.required, selector.metavar) == (True, "selector")
    assert (count.required, count.default) == (False, 3)
    assert (words.repeats, words.required) == (True, False)
    assert (deep.switch, deep.doc.short, deep.default) == (True, "d", False)
    assert (until.choices, until.metavar) == (("load", "idle"), "load|idle")
    assert (out.metavar, out.param.local_only) == ("place", True)
    assert (hide.repeats, hide.metavar, hide.default) == (True, "selector", ())


async def undocumented(ctx) -> Text:
    return Text("")


async def without_examples(ctx) -> Text:
    """Do it."""
    return Text("")


async def without_summary(ctx) -> Text:
    """Examples:
    browse x
    """
    return Text("")


async def unannotated(ctx, word) -> Text:
    """Do it.

    Examples:
        browse x
    """
    return Text("")


async def returns_text(ctx) -> str:
    """Do it.

    Examples:
        browse x
    """
    return ""


async def returns_maybe(ctx) -> Text | None:
    """Do it.

    Examples:
        browse x
    """
    return None


async def returns_untold(ctx):
    """Do it.

    Examples:
        browse x
    """


async def unknown_type(ctx, things: dict) -> Text:
    """Do it.

    Examples:
        browse x
    """
    return Text("")


async def ambiguous_type(ctx, thing: str | int) -> Text:
    """Do it.

    Examples:
        browse x
    """
    return Text("")


async def positional_switch(ctx, thing: bool) -> Text:
    """Do it.

    Examples:
        browse x
    """
    return Text("")


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (undocumented, "needs a docstring"),
        (without_examples, "needs a docstring"),
        (without_summary, "needs a docstring"),
        (unannotated, "without a type"),
        (returns_text, "must return one of"),
        (returns_maybe, "must return one of"),
        (returns_untold, "must return one of"),
        (unknown_type, "no parser knows"),
        (ambiguous_type, "no parser knows"),
        (positional_switch, "no parser knows"),
    ],
)
def test_a_wrong_declaration_is_refused_at_import(handler, reason):
    before = declared()

    with pytest.raises(TypeError, match=reason):
        declare(handler)

    assert declared() == before


@pytest.mark.parametrize(
    "changes",
    [{"name": "goto"}, {"name": "setcontent"}, {"aliases": ("goto",)}],
    ids=["a name", "the alias of another", "an alias that is a name"],
)
def test_a_name_is_given_once(changes):
    with pytest.raises(TypeError, match="declared twice"):
        declare(well_made, **changes)
