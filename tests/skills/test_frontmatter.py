from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.skills import frontmatter
from browse.skills.frontmatter import MAX_HEAD_BYTES, Faulty, SkillArg, parse
from support.hostile import fuzz

WHOLE = b"""---
name: price-list
host: shop.example.com
description: >
  What things
  cost.
triggers:
  - prices
  - 'what does it cost: now'
args:
  - name: url
    description: Where.
    default: https://shop.example.com/
  - name: kind
    required: true
trusted: true
version: 1.10
source: agent
---
# Prose with --- in it
---
"""


def head(lines: str) -> bytes:
    return f"---\n{lines}\n---\n".encode()


def reason(raw: bytes) -> str:
    with pytest.raises(Faulty) as caught:
        parse(raw)
    return str(caught.value)


def test_every_field_is_read():
    about = parse(WHOLE)

    assert (about.name, about.host, about.description) == (
        "price-list", "shop.example.com", "What things cost.\n",
    )  # fmt: skip
    assert about.triggers == ("prices", "what does it cost: now")
    assert about.args == (
        SkillArg("url", "Where.", "https://shop.example.com/"),
        SkillArg("kind", required=True),
    )
    assert (about.trusted, about.version, about.source) == (True, "1.10", "agent")


def test_only_the_host_is_needed_and_nothing_is_trusted_by_default():
    about = parse(head("host: a.example"))

    assert (about.trusted, about.args, about.triggers) == (False, (), ())


@pytest.mark.parametrize(
    ("word", "kept"), [("no", "no"), ("1.10", "1.10"), ("2026-01-01", "2026-01-01"), ("~", "~")]
)
def test_values_stay_words(word, kept):
    assert parse(head(f"host: a.example\ndescription: {word}")).description == kept


def test_line_ends_of_windows_are_read():
    assert parse(WHOLE.replace(b"\n", b"\r\n")) == parse(WHOLE)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("host: a.example\ntusted: true", "line 3: unknown field 'tusted'; the fields are: host"),
        ("host: a.example\nargs:\n  - nmae: x", "line 4: unknown field 'nmae'; the fields are"),
        ("host: a.example\nargs:\n  - description: x", "line 4: the field 'name' is missing"),
        ("description: x", "line 2: the field 'host' is missing"),
        ("host: a.example\ntrusted: yes", "line 3: trusted: Expected `bool`, got `str`"),
        ("host: a.example\nsource: robot", "line 3: source: Invalid enum value 'robot'"),
        ("host: a.example\nhost: b.example", "line 3: a key must be one word, and stand"),
        ("host: a.example\ntriggers: one", "line 3: triggers: Expected `array`, got `str`"),
        ("host: A b", "line 2: host must be a host name such as news.example.com, or '*'"),
        ("host: https://a.example/", "line 2: host must be a host name"),
        ("host: a.example\nname: ../x", "line 3: '../x' is not a name: use lower-case-words"),
        ("host: a.example\nargs:\n  - name: a b", "line 4: an argument's name is one word"),
        ("host: a.example\nargs: [{name: a}, {name: a}]", "an argument's name is one word, and"),
        ("host: a.example\nargs: [{name: a, required: true, default: b}]", "a is required, so"),
        ("host: &x a.example", "line 2: anchors and aliases are not allowed"),
        ("host: a.example\ndescription: *x", "line 3: anchors and aliases are not allowed"),
        ("host: !!str a.example", "line 2: tags are not allowed"),
        ("host: a.example\n\tname: x", "line 3: found "),
        ('host: a.example\ndescription: "\\e[31m"', "line 3: there is a control character in it"),
        ("host: a.example\ndescription: [[[[[[x]]]]]]", "line 3: it is nested too deeply"),
        ("- host", "line 2: the fields must be written as `key: value`"),
        ("host: [a", "line"),
        ("", "there are no fields in it"),
        ("host: a.example\n--- \nhost: b", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(lines, said):
    if not said:  # the second line of dashes ends the fields, also with a space after it
        assert parse(head(lines)).host == "a.example"
        return
    assert said in reason(head(lines))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "line 1: there must be `---`"),
        (b"# Title\n---\nhost: a.example\n---\n", "line 1: there must be `---`"),
        (b"---\nhost: a.example\n", "the fields do not end"),
        (b"---\n" + b"x" * 1_000_000, f"in the first {MAX_HEAD_BYTES:,} bytes"),
        (b"---\nhost: \xff\n---\n", "it is not UTF-8"),
    ],
    ids=["empty", "no dashes", "no end", "a megabyte", "not UTF-8"],
)
def test_a_head_that_is_none_is_told(raw, said):
    assert said in reason(raw)


def test_aliases_cannot_grow():
    lines = ["a: &a [x, x]"] + [f"{c}: &{c} [*{p}, *{p}]" for p, c in pairwise("abcdefghi")]

    assert "line 2: anchors" in reason(head("\n".join(lines)))


@fuzz
@given(st.binary(max_size=300))
def test_no_bytes_break_it(raw):
    for whole in (raw, b"---\n" + raw + b"\n---\n"):
        with suppress(Faulty):
            assert parse(whole).host


@pytest.mark.parametrize("name", ["a", "a-b", "a1-2b", "a" * 64])
def test_names_that_are_good(name):
    assert frontmatter.is_name(name)


@pytest.mark.parametrize(
    "name", ["", "A", "1a", "a_b", "a--b", "-a", "a-", "a/b", "..", "a.b", "a\n", "ä", "a" * 65]
)
def test_names_that_are_not(name):
    assert not frontmatter.is_name(name)


def test_a_name_must_be_that_of_the_folder(tmp_path):
    path = tmp_path / "SKILL.md"
    path.write_bytes(WHOLE)

    assert frontmatter.read(path, "price-list").name == "price-list"
    with pytest.raises(Faulty, match="its name is 'price-list', but its folder's is 'other'"):
        frontmatter.read(path, "other")
