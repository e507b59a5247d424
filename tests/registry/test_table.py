"""Looking commands up."""

import pytest
from msgspec.structs import replace

from browse.core.errors import BrowseError, Code
from browse.registry.params import WORD, Doc
from browse.registry.signature import Argument
from browse.registry.spec import Alias
from browse.registry.table import CommandTable
from support.fakes import SHELF, a_family, a_spec

TABLE = CommandTable([a_spec(name="goto"), a_spec(name="load-html", aliases=("setcontent",))])


@pytest.mark.parametrize("word", ["load-html", "setcontent"])
def test_a_command_is_found_by_name_and_by_alias(word):
    assert TABLE.find(word).name == "load-html"


@pytest.mark.parametrize("word", ["", "GOTO", "go to", "\0", "x" * 1_000_000])
def test_another_word_is_an_unknown_command(word):
    with pytest.raises(BrowseError) as caught:
        TABLE.find(word)

    assert caught.value.code is Code.UNKNOWN_COMMAND
    assert caught.value.hint == "Available commands: goto, load-html"
    assert len(caught.value.message) < 200


def test_a_slip_is_answered_with_what_was_meant():
    with pytest.raises(BrowseError, match="Did you mean 'goto'"):
        TABLE.find("goot")


def test_the_command_is_the_first_word():
    spec, rest = TABLE.split(["goto", "--json", "goto"])

    assert (spec.name, rest) == ("goto", ["--json", "goto"])


def test_flags_may_come_before_the_command():
    spec, rest = TABLE.split(["--json", "--max-chars", "9", "goto", "--raw"])

    assert (spec.name, rest) == ("goto", ["--json", "--max-chars", "9", "--raw"])


@pytest.mark.parametrize("words", [["--json"], ["--json", "--", "goto"]])
def test_a_flag_is_no_command(words):
    with pytest.raises(BrowseError, match="--json"):
        TABLE.split(words)


SHELVES = CommandTable([a_spec(name="goto"), *a_family()])
WITHOUT_DEFAULT = CommandTable(a_family(replace(SHELF, default="")))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["shelf", "put", "tea"], "shelf put"),
        (["shelf", "remove", "tea"], "shelf rm"),
        (["shelf", "list"], "shelf list"),
        (["shelf"], "shelf list"),
        (["shelf", "--json"], "shelf list"),
        (["shelf", "--json", "put", "tea"], "shelf put"),
        (["shelf", "--tab-id", "2", "put", "tea"], "shelf put"),
        (["shelf", "--room", "rm", "put", "tea"], "shelf put"),
        (["shelf", "--room=rm", "put", "tea"], "shelf put"),
        (["shelf", "--soft", "put", "rm"], "shelf put"),
        (["shelf", "--", "put", "-x"], "shelf put"),
        (["shelf", "--", ""], None),
        (["shelf", "PUT", "tea"], None),
        (["shelf put", "tea"], None),
    ],
)
def test_a_sub_command_is_the_first_word_that_is_no_flag(words, name):
    if name is None:
        with pytest.raises(BrowseError):
            SHELVES.split(words)
    else:
        assert SHELVES.split(words)[0].name == name


def test_the_word_of_a_sub_command_stays_among_the_rest():
    assert SHELVES.split(["shelf", "--json", "put", "tea"])[1] == ["--json", "put", "tea"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pt", " Did you mean 'shelf put'?"),
        ("remvoe", " Did you mean 'shelf remove'?"),
        ("zzzzz", ""),
    ],
)
def test_a_slip_in_a_sub_command_is_answered_with_a_sibling(typed, meant):
    with pytest.raises(BrowseError) as caught:
        SHELVES.split(["shelf", typed, "goto"])

    assert caught.value.code is Code.UNKNOWN_COMMAND
    assert caught.value.message == f"Unknown command: 'shelf {typed}'.{meant}"
    assert caught.value.hint == "`browse shelf` has: list, put, rm; see `browse help shelf`"


def test_a_family_without_a_default_needs_a_sub_command():
    with pytest.raises(BrowseError) as caught:
        WITHOUT_DEFAULT.split(["shelf", "--json"])

    assert caught.value.code is Code.USAGE
    assert caught.value.message == "shelf: a sub-command is missing"
    assert caught.value.hint == "browse shelf <list|put|rm>; see `browse help shelf`"


def test_a_default_that_takes_words_gets_those_that_name_no_sub_command():
    where = Argument("where", WORD, Doc(""), required=False)
    table = CommandTable([replace(spec, args=(where,)) for spec in a_family()])

    assert table.split(["shelf", "kitchen"])[0].name == "shelf list"
    assert table.split(["shelf", "put"])[0].name == "shelf put"


ROOM = Argument("room", WORD, Doc(""), required=False, flag=True)


def upper(words: list[str]) -> list[str]:
    return [*map(str.upper, words), "--soft"] if words else words


RENAMED = CommandTable(
    [
        a_spec(name="goto", aliases=("open",)),
        a_spec(name="click", aliases=(Alias("dblclick", "--double --once"),)),
        a_spec(name="text", aliases=(Alias("get text"),), args=(ROOM,)),
        a_spec(name="tab"),
        a_spec(name="newtab", aliases=(Alias("tab new"),)),
        a_spec(name="loud", respell=upper, args=(ROOM,), aliases=("shout",)),
        *(
            replace(spec, aliases=(*spec.aliases, Alias("lay")))
            if spec.name == "shelf put"
            else spec
            for spec in a_family()
        ),
    ]
)


@pytest.mark.parametrize(
    ("words", "name", "rest"),
    [
        (["open", "x"], "goto", ["x"]),
        (["dblclick", "@e1"], "click", ["--double", "--once", "@e1"]),
        (["get", "text", "#a"], "text", ["#a"]),
        (["get", "--json", "text", "text"], "text", ["--json", "text"]),
        (["get", "--room", "text", "text"], "text", ["--room", "text"]),
        (["tab", "new", "x"], "newtab", ["x"]),
        (["tab", "2"], "tab", ["2"]),
        (["tab"], "tab", []),
        (["lay", "tea"], "shelf put", ["put", "tea"]),
        (["loud", "a", "b"], "loud", ["A", "B", "--soft"]),
        (["shout", "--json", "a", "--room", "b"], "loud", ["--json", "--room", "b", "A", "--soft"]),
        (["loud", "--", "a"], "loud", ["--", "a"]),
        (["loud", "a", "--", "b"], "loud", ["A", "--soft", "--", "b"]),
    ],
)
def test_an_alias_becomes_what_its_command_takes(words, name, rest):
    spec, ours = RENAMED.split(words)

    assert (spec.name, ours) == (name, rest)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["get"], "there are: get text (`browse text`)"),
        (["get", "tea"], "there are: get text (`browse text`)"),
        (["close"], "`browse closetab`"),
        (["close", "--json"], "`browse closetab`"),
    ],
)
def test_a_word_of_another_tool_is_answered_with_what_to_type(words, hint):
    with pytest.raises(BrowseError) as caught:
        RENAMED.split(words)

    assert caught.value.code is Code.UNKNOWN_COMMAND
    assert hint in caught.value.hint


def test_a_slip_is_never_answered_with_what_destroys():
    table = CommandTable([a_spec(name="stop", destroys=True), a_spec(name="status")])

    with pytest.raises(BrowseError) as caught:
        table.split(["stpo"])

    assert "Did you mean" not in caught.value.message


def test_what_deletes_only_under_one_name_is_offered_under_the_others():
    aliases = (Alias("cookie-delete", "--delete", destroys=True), Alias("cookie-list"))
    table = CommandTable([a_spec(name="cookies", aliases=aliases)])

    for typed, offered in (("delete", ""), ("cookie-lst", " Did you mean 'cookie-list'?")):
        with pytest.raises(BrowseError) as caught:
            table.split([typed])
        assert caught.value.message.partition(".")[2] == offered


def test_a_family_is_offered_although_a_part_of_it_destroys():
    with pytest.raises(BrowseError, match="Did you mean 'shelf'"):
        SHELVES.split(["shlef"])


def test_names_have_one_word_or_two():
    assert SHELVES.find("shelf remove").name == "shelf rm"
    assert SHELVES.find("shelf").name == "shelf list"
    with pytest.raises(BrowseError, match="goto put"):
        SHELVES.find("goto put")
