"""What is read off a function, and what is refused."""

from typing import Annotated, Literal

import pytest

from browse.registry.params import Doc, Selector, WriteFile
from browse.registry.results import PageText, Text
from browse.registry.signature import Service, read_docstring, read_services, read_signature


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


def test_the_docstring_is_the_help():
    summary, body, examples = read_docstring(well_made)

    assert summary == "Do it."
    assert body == "With care."
    assert examples == ("browse well-made x", "browse well-made x 4 --deep")


def test_the_signature_is_the_grammar():
    args = read_signature(well_made)

    assert [arg.name for arg in args if not arg.flag] == ["selector", "count", "words"]
    assert [arg.spelled for arg in args if arg.flag] == ["--deep", "--until", "--out", "--hide"]


async def served(
    ctx, word: str, *, deep: bool = False, clock: Annotated[object, Service("clock")]
) -> Text:
    return Text("")


def test_a_service_is_filled_in_by_the_daemon_and_no_flag():
    assert read_services(served) == {"clock": "clock"}
    assert [arg.spelled for arg in read_signature(served)] == ["word", "--deep"]
    assert read_services(well_made) == {}


def test_parameters_keep_their_kind():
    selector, count, words, deep, until, out, hide = read_signature(well_made)

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
def test_a_function_that_says_too_little_is_refused(handler, reason):
    with pytest.raises(TypeError, match=reason):
        (read_docstring(handler), read_signature(handler))
