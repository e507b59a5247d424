"""The one grammar: any words are bound or refused, never anything else."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.core.errors import BrowseError, Usage
from browse.core.scopes import Scope
from browse.guard.files import Roots
from browse.registry.bind import Bound, bind
from browse.registry.params import WORD, Doc, Param, Surroundings, whole
from browse.registry.shared_flags import COMMON
from browse.registry.signature import Argument
from browse.registry.spec import Spec
from support.fakes import a_family, a_spec, done
from support.hostile import any_text, attempt, fuzz

NOWHERE = Surroundings("/nowhere", Roots.of("/nowhere"))


def a_switch(name: str, short: str = "") -> Argument:
    return Argument(
        name, WORD, Doc("", short=short), required=False, default=False, flag=True, switch=True
    )


SPEC = a_spec(
    args=(
        Argument("place", WORD, Doc(""), required=True),
        Argument("words", WORD, Doc(""), required=False, repeats=True),
        a_switch("interactive", "i"),
        a_switch("compact", "c"),
        Argument("depth", whole(0, 9), Doc("", short="d"), required=False, flag=True),
        Argument(
            "out",
            Param("file", lambda raw, _: raw, scopes=Scope.WRITE, local_only=True),
            Doc(""),
            required=False,
            flag=True,
        ),
    )
)


def bound(*words: str, spec: Spec = SPEC) -> Bound:
    return bind(spec, words, NOWHERE)


def values(*words: str) -> dict[str, Any]:
    found = bound(*words).values
    return {name: value for name, value in found.items() if value not in (None, False, 0, [])}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["x"], {"place": "x"}),
        (["x", "a", "b"], {"place": "x", "words": ["a", "b"]}),
        (["-i", "x"], {"place": "x", "interactive": True}),
        (["x", "-ic"], {"place": "x", "interactive": True, "compact": True}),
        (["x", "-icd", "3"], {"place": "x", "interactive": True, "compact": True, "depth": 3}),
        (["x", "-d=3"], {"place": "x", "depth": 3}),
        (["x", "--depth=3"], {"place": "x", "depth": 3}),
        (["x", "--depth", "3"], {"place": "x", "depth": 3}),
        (["x", "--interactive=true"], {"place": "x", "interactive": True}),
        (["x", "--interactive=false"], {"place": "x"}),
        (["x", "--out="], {"place": "x", "out": ""}),
        (["x", "--out", "a=b"], {"place": "x", "out": "a=b"}),
        (["x", "--out=a=b"], {"place": "x", "out": "a=b"}),
        (["--", "-x", "--json", "--"], {"place": "-x", "words": ["--json", "--"]}),
        (["-", "-1"], {"place": "-", "words": ["-1"]}),
        ([""], {"place": ""}),
        (["--json", "x", "--tab-id", "4"], {"place": "x", "json": True, "tab_id": 4}),
        (["x", "--max-chars", "9", "--after", "3"], {"place": "x", "max_chars": 9, "after": 3}),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_words_are_bound(words, expected):
    assert values(*words) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "<place> is missing"),
        (["x", "--dpeth", "3"], "Unknown flag: --dpeth. Did you mean --depth?"),
        (["x", "--"[:1] + "z"], "Unknown flag: -z."),
        (["x", "-iz"], "Unknown flag: -iz."),
        (["x", "--=3"], "Unknown flag: --."),
        (["x", "-=3"], "Unknown flag: -."),
        (["x", "-ii"], "-i specified more than once"),
        (["x", "--depth", "1", "-d", "2"], "-d specified more than once"),
        (["x", "--json", "--json"], "--json specified more than once"),
        (["x", "--depth"], "--depth requires a value: --depth <N>"),
        (["x", "--depth", "--json"], "--depth requires a value"),
        (["x", "--depth", "ten"], "--depth: 'ten' is not a whole number"),
        (["x", "--depth="], "--depth: '' is not a whole number"),
        (["x", "--depth", "-1"], "--depth: '-1' is not a whole number"),
        (["x", "--interactive=1"], "--interactive must be true or false"),
        (["x", "a\0b"], "argument 2 contains a NUL character"),
        (["x", "\udcff"], "argument 2 is not valid UTF-8"),
        (["x", "--tab-id", "0"], "--tab-id: '0' is not a whole number"),
        (["x", "--max-chars", "-1"], "--max-chars"),
    ],
    ids=lambda words: ascii(" ".join(words)) if isinstance(words, list) else "",
)
def test_wrong_words_are_refused_with_the_usage(words, message):
    with pytest.raises(Usage) as caught:
        bound(*words)

    assert message in caught.value.message
    assert caught.value.message.startswith("act: ")
    assert caught.value.hint


def test_too_many_words_are_refused():
    with pytest.raises(Usage, match="unexpected argument 'x'"):
        bound("x", spec=a_spec())


def test_a_flag_is_refused_with_the_list_of_those_there_are():
    with pytest.raises(Usage) as caught:
        bound("x", "--colour")

    assert "--compact, --depth, --interactive, --json" in caught.value.hint


def test_a_megabyte_argument_is_bound_as_it_is():
    word = "x" * 1_000_000

    assert bound(word).values["place"] == word


@pytest.mark.parametrize(
    "word", ["--" + "x" * 1_000_000, "-" + "i" * 1_000_000, "-i=" + "x" * 10**6]
)
def test_a_megabyte_flag_is_refused_briefly(word):
    with pytest.raises(Usage) as caught:
        bound("x", word)

    assert len(caught.value.message) < 200


def test_a_hundred_thousand_words_are_bound():
    assert len(bound("x", *["y"] * 100_000).values["words"]) == 100_000


def test_what_a_flag_demands_is_demanded_only_when_it_is_given():
    assert (bound("x").scopes, bound("x").local_only) == (Scope.READ, False)
    assert bound("x", "--out", "f").scopes == Scope.READ | Scope.WRITE
    assert bound("x", "--out", "f").local_only


def test_what_writes_without_being_told_where_may_come_from_afar():
    always = a_spec(writes=True)
    sometimes = a_spec(args=(a_switch("base64"),), writes=lambda given: not given["base64"])

    assert bound(spec=always).scopes == Scope.READ | Scope.WRITE
    assert bound(spec=sometimes).scopes == Scope.READ | Scope.WRITE
    assert not bound(spec=always).local_only
    assert bound("--base64", spec=sometimes).scopes == Scope.READ


def test_a_flag_that_repeats_collects_its_values_and_takes_no_more():
    hide = Argument("hide", WORD, Doc(""), required=False, default=(), flag=True, repeats=True)
    spec = a_spec(args=(Argument("path", WORD, Doc(""), required=False), hide))

    values = bound("--hide", "a", "--hide=b", "out.png", spec=spec).values

    assert (values["hide"], values["path"]) == (("a", "b"), "out.png")
    assert bound(spec=spec).values["hide"] == ()


def test_values_are_split_as_the_handler_takes_them():
    positional, named = bound("x", "a", "b", "-i", "--json").call()

    assert positional == ["x", "a", "b"]
    assert named == {"interactive": True, "compact": False, "depth": None, "out": None}


@dataclass
class Admitted:
    seen: list

    async def __call__(self, value: Any, _: Surroundings) -> None:
        self.seen.append(value)


async def test_admission_sees_the_values_that_were_given():
    admitted = Admitted([])
    spec = a_spec(
        args=(
            Argument(
                "url",
                Param("url", lambda raw, _: raw.upper(), admit=admitted),
                Doc(""),
                required=True,
            ),
        )
    )
    invocation = bound("x", spec=spec)
    before = list(admitted.seen)

    await invocation.admit(NOWHERE)

    assert (before, admitted.seen) == ([], ["X"])


@pytest.mark.parametrize(
    ("deadline", "seconds"), [(7.0, 7.0), (None, None), (lambda given: given["depth"] * 2.0, 6.0)]
)
def test_a_deadline_may_depend_on_the_values(deadline, seconds):
    spec = a_spec(done, args=SPEC.args, deadline=deadline)

    assert bound("x", "-d", "3", spec=spec).deadline_s() == seconds


@pytest.mark.parametrize(("loads", "seconds"), [(0, 7.0), (1, 37.0), (2, 67.0)])
def test_the_time_that_pages_take_to_load_is_added(loads, seconds):
    spec = a_spec(done, args=SPEC.args, deadline=7.0, loads=loads)

    assert bound("x", spec=spec).deadline_s(30.0) == seconds


any_word = any_text | st.sampled_from(
    [
        "--",
        "-",
        "-i",
        "-ic",
        "-d",
        "--depth",
        "--depth=1",
        "--json",
        "--out",
        "--tab-id",
        "1",
        "@e1",
    ]
)


@fuzz
@given(st.lists(any_word, max_size=8))
def test_any_words_are_bound_or_refused(words):
    found = attempt(bound, *words)

    if isinstance(found, BrowseError):
        assert found.hint
    else:
        assert {arg.name for arg in (*SPEC.args, *COMMON)} == set(found.values)


ACTS = a_spec(acts=True)
PLAIN = a_spec()


def test_what_acts_takes_the_flags_of_acting():
    words = ["--snapshot", "--expect", "text=Done", "--within", "3s", "--anyway"]
    values = bind(ACTS, words, NOWHERE).values

    assert [values[name] for name in ("snapshot", "expect", "within", "anyway")] == [
        True, ("text=Done",), 3000, True,
    ]  # fmt: skip


@pytest.mark.parametrize("flag", ["--snapshot", "--expect=x", "--within=1s", "--anyway"])
def test_what_only_reads_has_no_flags_of_acting(flag):
    with pytest.raises(BrowseError, match="Unknown flag"):
        bind(PLAIN, [flag], NOWHERE)


@pytest.mark.parametrize(
    ("given", "ms"), [("500ms", 500), ("2s", 2000), ("750", 750), ("0", 0), ("300s", 300_000)]
)
def test_durations_are_read(given, ms):
    assert bind(ACTS, ["--within", given], NOWHERE).values["within"] == ms


@pytest.mark.parametrize("given", ["", "soon", "-1", "1.5s", "301s", "2 s", "9999999999"])
def test_other_words_are_no_durations(given):
    with pytest.raises(BrowseError, match="is not a duration"):
        bind(ACTS, [f"--within={given}"], NOWHERE)


def test_expecting_takes_as_long_as_it_may():
    assert bind(ACTS, ["--expect", "x", "--within", "60s"], NOWHERE).deadline_s() == 80
    assert bind(ACTS, ["--within", "60s"], NOWHERE).deadline_s() == 20
    assert bind(ACTS, ["--timeout", "60s", "--settle", "5s"], NOWHERE).deadline_s() == 83


def test_the_raw_value_is_for_the_owner():
    assert bound("x", "--raw").scopes == Scope.READ | Scope.ROOT
    assert bound("x").values["raw"] is False


def test_to_reveal_secrets_is_for_the_owner():
    assert bound("x", "--reveal").scopes == Scope.READ | Scope.ROOT
    assert bound("x", "--reveal=false").scopes == Scope.READ


LISTED, PUT, REMOVED = a_family()


@pytest.mark.parametrize("words", [["put", "tea"], ["tea"], ["--", "put", "tea"]])
def test_the_word_of_a_sub_command_is_no_argument_of_it(words):
    assert bound(*words, spec=PUT).values["thing"] == "tea"


def test_only_the_first_word_names_the_sub_command():
    assert bound("put", "put", spec=PUT).values["thing"] == "put"
    with pytest.raises(Usage, match="shelf list: unexpected argument 'list'"):
        bound("list", "list", spec=LISTED)


@pytest.mark.parametrize("word", ["rm", "remove"])
def test_records_have_the_word_of_a_sub_command_as_it_was_typed(word):
    found = bound("--room", "hall", word, "tea", spec=REMOVED)

    assert found.noted == ["--room=hall", word, "tea"]
    assert [given for _, given, _ in found.given] == ["hall", word, "tea"]
    assert bound(spec=LISTED).noted == []


def test_a_wrong_flag_is_told_with_the_name_of_the_sub_command():
    with pytest.raises(Usage, match="shelf rm: Unknown flag: --soft") as caught:
        bound("rm", "tea", "--soft", spec=REMOVED)

    assert "--room" in caught.value.hint
