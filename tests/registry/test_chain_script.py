"""The language of `chain`."""

import json
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.core.errors import BrowseError, Usage
from browse.registry.chain_script import parse
from support.hostile import any_text, attempt, fuzz

steps = st.lists(
    st.lists(st.text(max_size=12), min_size=1, max_size=4).map(tuple), min_size=1, max_size=4
)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("text", [("text",)]),
        ("goto x | text | links", [("goto", "x"), ("text",), ("links",)]),
        ("  goto\tx\n|\ntext  ", [("goto", "x"), ("text",)]),
        ("js '1 | 2'", [("js", "1 | 2")]),
        ('js "it\'s"', [("js", "it's")]),
        ("js 'a' '|' 'b'", [("js", "a", "|", "b")]),
        (r"js \| b", [("js", "|", "b")]),
        (r"js a\ b", [("js", "a b")]),
        (r"js 'a\b'", [("js", r"a\b")]),
        (r'js "a\"b"', [("js", 'a"b')]),
        ("js ''", [("js", "")]),
        ("js a'b c'd", [("js", "ab cd")]),
        ("goto x|text|links", [("goto", "x"), ("text",), ("links",)]),
        ("goto x| text |links", [("goto", "x"), ("text",), ("links",)]),
        ("goto 'x'|text", [("goto", "x"), ("text",)]),
        ("js a||b", [("js", "a||b")]),
        ("js a || b | text", [("js", "a", "||", "b"), ("text",)]),
        ("text |", [("text",)]),
        ("| text", [("text",)]),
        ("text | | links", [("text",), ("links",)]),
        ("| |text| |", [("text",)]),
        ("js a '' | text", [("js", "a", ""), ("text",)]),
        ('[["text"], []]', [("text",)]),
        ("js a\\", [("js", "a\\")]),
        ('[["goto", "x"], ["text"]]', [("goto", "x"), ("text",)]),
        (' [["js", "a | b"]] ', [("js", "a | b")]),
    ],
)
def test_a_script_is_split_into_steps(script, expected):
    assert parse(script) == expected


def test_bars_inside_words_of_a_shell_do_not_separate():
    assert parse("| js 1|2 | js |3 | text |", bars_alone=True) == [
        ("js", "1|2"),
        ("js", "|3"),
        ("text",),
    ]


@pytest.mark.parametrize(
    "script",
    [
        "",
        " \n",
        "|",
        " | | ",
        "js 'open",
        'js "open',
        "[]",
        "[[]]",
        "[1]",
        '["text"]',
        '[["text", 1]]',
        '[["text"]',
        "[" * 100_000,
        '[["\ud800"]]',
    ],
    ids=lambda script: ascii(script[:20]),
)
def test_a_script_that_is_none_is_a_usage_error(script):
    with pytest.raises(Usage, match=r"^chain: ") as caught:
        parse(script)

    assert "browse chain" in caught.value.hint


@fuzz
@given(steps)
def test_steps_as_json_come_back_as_they_are(wanted):
    assert parse(json.dumps(wanted)) == wanted


@fuzz
@given(steps.filter(lambda found: not shlex.quote(found[0][0]).startswith("[")))
def test_quoted_steps_come_back_as_they_are(wanted):
    script = " | ".join(" ".join(map(shlex.quote, step)) for step in wanted)

    assert parse(script) == wanted


@fuzz
@given(any_text)
def test_any_text_is_a_script_or_a_usage_error(text):
    found = attempt(parse, text)

    assert isinstance(found, BrowseError) or all(found)
