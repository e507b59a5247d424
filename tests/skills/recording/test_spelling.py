import ast

from hypothesis import given

from browse.skills import frontmatter
from browse.skills.recording.spelling import PythonNames, is_plain, literal, scalar, slug
from support.hostile import any_text, fuzz


@fuzz
@given(any_text)
def test_a_literal_is_one_value_and_nothing_else(words):
    written = literal(words)

    assert ast.literal_eval(written) == words
    assert "\n" not in written
    assert written.isprintable()


@fuzz
@given(any_text)
def test_a_scalar_comes_back_as_it_was(words):
    if is_plain(words):
        head = f'---\nhost: "*"\ndescription: {scalar(words)}\n---\n'

        assert frontmatter.parse(head.encode()).description == words


def test_double_quotes_where_they_need_no_escapes():
    assert literal("tea") == '"tea"'
    assert literal('say "tea"') == "'say \"tea\"'"
    assert literal("it's") == '"it\'s"'


def test_a_name_is_made_of_plain_letters():
    assert slug("Search tea…") == "search_tea"
    assert slug("Größe (cm)") == "groe_cm"
    assert slug("firstHeading") == "first_heading"
    assert slug("日本") == ""
    assert slug("2nd street") == ""
    assert slug("one two three four five six seven eight") == "one_two_three_four_five_six"
    assert len(slug("x" * 10_000)) == 32


def test_each_name_is_given_once_and_none_is_pythons():
    names = PythonNames({"main"})

    assert [names.give(wish, "value") for wish in ("Tea", "tea!", "", "main", "class")] == [
        "tea", "tea_2", "value", "main_2", "class_2",
    ]  # fmt: skip
