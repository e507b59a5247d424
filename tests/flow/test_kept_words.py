"""Words are kept so that they can be typed again, and no secret is among them."""

import pytest

import browse.commands  # noqa: F401 - the real declarations are what this is about
from browse.flow.kept_words import kept_words, placed, valued
from browse.flow.steps import HIDDEN, Target
from browse.guard.files import Roots
from browse.registry.bind import bind
from browse.registry.params import Surroundings
from browse.registry.spec import declared
from browse.registry.table import CommandTable

TABLE = CommandTable(declared())
HERE = Surroundings("/tmp", Roots.of("/tmp"))


def kept(*words: str, secret: bool = False) -> tuple[str, ...]:
    spec, rest = TABLE.split(words)
    return kept_words(bind(spec, rest, HERE), secret=secret)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["click", "@e3", "--double"], ("@e3", "--double")),
        (["click", "--tab-id", "7", "--json", "#a"], ("#a",)),
        (["click", "#a", "--modifiers", "Shift"], ("#a", "--modifiers=Shift")),
        (["fill", "#name", "Ada", "Lovelace"], ("#name", "Ada", "Lovelace")),
        (["fill", "#n", "--", "-5%"], ("--", "#n", "-5%")),
        (["select", "#size", "Large"], ("#size", "Large")),
        (["fill", "#pw", "--secret-env", "PW"], ("#pw", HIDDEN)),
        (["fill", "--secret-stdin", "#pw"], ("#pw", HIDDEN)),
        (["goto", "http://a.test/x"], ("http://a.test/x",)),
        (["screenshot", "shot.png"], ("/tmp/shot.png",)),
    ],
)
def test_words_can_be_typed_again(typed: list[str], expected: tuple[str, ...]):
    words = kept(*typed)

    assert words == expected
    assert kept(typed[0], *words) == words


KEY = "ghp_" + "a1B2c3D4e5" * 4


@pytest.mark.parametrize(
    ("typed", "secret", "expected"),
    [
        (["fill", "#pw", "my", "pass", "word"], True, ("#pw", HIDDEN)),
        (["type", "hunter2x"], True, (HIDDEN,)),
        (["type", "hello", "there"], False, ("hello", "there")),
        (["press", "h"], True, (HIDDEN,)),
        (["press", "Digit7"], True, (HIDDEN,)),
        (["press", "Shift+KeyH"], True, (HIDDEN,)),
        (["press", "h"], False, ("h",)),
        (["press", "Enter"], True, ("Enter",)),
        (["js", "document.title"], False, ("document.title",)),
        (["fill", "#key", KEY], False, ("#key", HIDDEN)),
        (["cookie", "theme=dark"], False, (HIDDEN,)),
        (["storage", "set", "cart", "42"], False, ("set", "cart", HIDDEN)),
    ],
)
def test_secrets_are_not_kept(typed: list[str], secret: bool, expected: tuple[str, ...]):
    assert kept(*typed, secret=secret) == expected


def test_address_is_kept_without_its_secrets():
    (word,) = kept("goto", "http://ada:pw12345@localhost/a?token=abcdef123&q=tea")

    assert "pw12345" not in word
    assert "abcdef123" not in word
    assert "q=tea" in word


def test_what_was_found_takes_the_place_of_the_word_that_meant_it():
    targets = {"target": Target("#a"), "on": Target("#b")}
    found = {"target": "@e1", "on": "@e2"}

    assert placed(("#a", "#a", "--on=#b"), targets, found) == ["@e1", "#a", "--on=@e2"]


@pytest.mark.parametrize(
    ("words", "value", "expected"),
    [
        (["#pw", HIDDEN], "s3", ["#pw", "s3"]),
        (["http://a.test/?token=****"], "http://a.test/?token=1", ["http://a.test/?token=1"]),
        (["#a", f"--body={HIDDEN}"], "x", ["#a", "--body=x"]),
        (["#pw", HIDDEN, "--anyway"], "-x", ["--anyway", "--", "#pw", "-x"]),
        (["#pw", "Ada"], None, ["#pw", "Ada"]),
    ],
)
def test_value_takes_the_place_of_what_is_hidden(words, value, expected):
    assert valued(words, value) == expected
