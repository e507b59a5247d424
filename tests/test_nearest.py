"""What is offered for a word that is no command."""

import pytest
from hypothesis import given

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse._nearest import MAX_OFFERED, distance, meant, nearest
from browse.registry.spec import declared
from support.hostile import any_text, fuzz

KNOWN = sorted({word for spec in declared() for word in spec.first_words})
DESTROYS = {name for spec in declared() for name in spec.destroying}
TYPED = (
    ("gto", "goto"),
    ("goot", "goto"),
    ("gotoo", "goto"),
    ("gooto", "goto"),
    ("gotourl", "goto"),
    ("Goto", "goto"),
    ("opne", "open"),
    ("navgate", "navigate"),
    ("naviagte", "navigate"),
    ("vist", "visit"),
    ("bakc", "back"),
    ("foward", "forward"),
    ("forwrd", "forward"),
    ("relaod", "reload"),
    ("refesh", "refresh"),
    ("ulr", "url"),
    ("wiat", "wait"),
    ("waitt", "wait"),
    ("txt", "text"),
    ("tex", "text"),
    ("textt", "text"),
    ("pagetext", "text"),
    ("htm", "html"),
    ("htlm", "html"),
    ("lins", "links"),
    ("linkz", "links"),
    ("linsk", "links"),
    ("snap", "snapshot"),
    ("snaphsot", "snapshot"),
    ("snapshoot", "snapshot"),
    ("snapshott", "snapshot"),
    ("takesnapshot", "snapshot"),
    ("acessibility", "accessibility"),
    ("screeshot", "screenshot"),
    ("screnshot", "screenshot"),
    ("scrnshot", "screenshot"),
    ("screen", "screenshot"),
    ("takescreenshot", "screenshot"),
    ("clik", "click"),
    ("clck", "click"),
    ("cilck", "click"),
    ("clickk", "click"),
    ("clickon", "click"),
    ("fil", "fill"),
    ("fll", "fill"),
    ("flil", "fill"),
    ("fillform", "fill"),
    ("slect", "select"),
    ("selct", "select"),
    ("chek", "check"),
    ("unchek", "uncheck"),
    ("typ", "type"),
    ("tpye", "type"),
    ("pres", "press"),
    ("perss", "press"),
    ("hvoer", "hover"),
    ("hovr", "hover"),
    ("foucs", "focus"),
    ("scrol", "scroll"),
    ("scorll", "scroll"),
    ("uplaod", "upload"),
    ("dowload", "download"),
    ("donwload", "download"),
    ("darg", "drag"),
    ("tabz", "tabs"),
    ("tasb", "tabs"),
    ("newtb", "newtab"),
    ("newatb", "newtab"),
    ("conosle", "console"),
    ("netwrok", "network"),
    ("net", "network"),
    ("cokies", "cookies"),
    ("stroage", "storage"),
    ("stor", "storage"),
    ("statsu", "status"),
    ("satus", "status"),
    ("viewprt", "viewport"),
    ("emulte", "emulate"),
    ("hepl", "help"),
    ("evl", "eval"),
    ("eavl", "eval"),
    ("pfd", "pdf"),
    ("titel", "title"),
    ("load_html", "load-html"),
    ("loadHtml", "load-html"),
    ("markdwon", "markdown"),
    ("chian", "chain"),
    ("inspct", "inspect"),
    ("preformance", ""),
    ("stpo", ""),
    ("sotp", ""),
    ("restat", ""),
    ("resart", ""),
    ("closetb", ""),
    ("delete", ""),
    ("innerText", "innertext"),
    ("inner_text", "inner-text"),
    ("z", ""),
    ("qqqq", ""),
    ("dance", ""),
)


@pytest.mark.parametrize(("typed", "wanted"), TYPED)
def test_a_slip_is_answered_with_what_was_meant(typed, wanted):
    offered = nearest(typed, KNOWN, DESTROYS)

    assert offered == ([wanted] if wanted else [])


def test_a_beginning_of_a_few_commands_offers_them_all():
    assert sorted(nearest("scr", KNOWN, DESTROYS)) == ["scrape", "screenshot", "scroll"]
    assert nearest("shot", KNOWN, DESTROYS) == ["snapshot", "screenshot", "prettyscreenshot"]
    assert nearest("s", KNOWN) == []
    assert nearest("st", KNOWN) == []


@pytest.mark.parametrize("word", sorted(DESTROYS))
def test_a_command_that_destroys_is_never_offered(word):
    assert not DESTROYS & {*nearest(word, KNOWN, DESTROYS), *nearest(word[:-1], KNOWN, DESTROYS)}


@fuzz
@given(any_text)
def test_whatever_is_typed_a_few_known_words_are_offered_or_none(typed):
    offered = nearest(typed, KNOWN, DESTROYS)

    assert len(offered) <= MAX_OFFERED
    assert {*offered} <= {*KNOWN} - DESTROYS


def test_of_equally_close_names_the_one_as_long_as_the_word_is_meant():
    # One letter away from `tab` and from `tabs`.
    assert nearest("tabz", ["tab", "tabs"]) == ["tabs"]


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [
        ("", "", 0),
        ("a", "", 1),
        ("", "ab", 2),
        ("goto", "gto", 1),
        ("goto", "goot", 1),
        ("kitten", "sitting", 3),
    ],
)
def test_distance_counts_slips(one, other, steps):
    assert distance(one, other) == steps


def test_the_question_names_one_two_or_three():
    assert meant([]) == ""
    assert meant(["a"]) == " Did you mean 'a'?"
    assert meant(["a", "b"]) == " Did you mean 'a' or 'b'?"
    assert meant(["a", "b", "c"]) == " Did you mean 'a', 'b' or 'c'?"
