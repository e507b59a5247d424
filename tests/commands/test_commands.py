"""What must be true of every command, asked of each declaration."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from browse import _exit
from browse.core.errors import BrowseError, Code
from browse.core.scopes import NOTHING, Scope, Surface
from browse.dispatch.gates import only_reads
from browse.guard.files import Roots
from browse.registry.bind import bind
from browse.registry.params import Surroundings
from browse.registry.results import RESULTS, Text
from browse.registry.spec import ChangedTabs, Lane, Spec, declared
from browse.registry.table import CommandTable
from support.fakes import a_caller, a_runner, run
from support.hostile import any_text, attempt, fuzz

SPECS = declared()
TABLE = CommandTable(SPECS)
EXAMPLES = [(spec, example) for spec in SPECS for example in spec.examples]
NAMED = (
    "report.html",
    "page.html",
    "payload.json",
    "extract.js",
    "cookies.json",
    "cookies.txt",
    "note.md",
    "shop.har",
    "prices.py",
)
JOURNAL = ".gstack/browse-journal.jsonl"
NOWHERE = Surroundings("/nowhere", Roots.of("/nowhere"))
# What a paired agent on another machine may use. A longer list is a decision, not an accident.
TUNNEL = {
    "goto", "back", "forward", "reload", "url", "wait",
    "text", "html", "markdown", "title", "links", "table", "snapshot", "find", "options",
    "is", "attrs", "value", "count", "forms", "accessibility", "media", "data",
    "click", "fill", "select", "type", "paste", "press", "scroll",
    "screenshot",
    "eval", "run", "tools list", "tools call",
    "tabs", "newtab", "closetab", "downloads list", "downloads wait",
}  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A project with the files that the examples name."""
    folder = tmp_path_factory.mktemp("project")
    (folder / JOURNAL).parent.mkdir()
    for name in (*NAMED, JOURNAL):
        (folder / name).write_text("<p>x")
    return folder


@pytest.fixture
def place(project) -> Surroundings:
    return Surroundings(str(project), Roots.of(str(project)))


def words_of(example: str) -> list[str]:
    program, *words = shlex.split(example)
    assert program == "browse"
    return words


class Spy:
    """A handler that remembers whether it was called."""

    def __init__(self) -> None:
        self.called = False

    async def __call__(self, *_: object, **__: object) -> Text:
        self.called = True
        return Text("called")


def test_a_summary_is_one_sentence_or_two(case):
    for spec in SPECS:
        with case(spec.name):
            assert spec.summary.endswith(".")
            assert spec.summary[0].isupper()
            assert "\n" not in spec.summary


def test_an_example_binds_to_its_own_command(place, case):
    for spec, example in EXAMPLES:
        with case(example):
            found, rest = TABLE.split(words_of(example))

            assert found is spec
            assert bind(spec, rest, place).spec is spec


def test_an_unknown_flag_is_refused_by_name(case):
    for spec in SPECS:
        with case(spec.name):
            with pytest.raises(BrowseError) as caught:
                bind(spec, ["--no-such-flag"], NOWHERE)

            assert caught.value.code is Code.USAGE
            assert caught.value.exit == _exit.USAGE
            assert "Unknown flag: --no-such-flag" in caught.value.message


def test_every_command_takes_the_common_flags(place, case):
    for spec in SPECS:
        with case(spec.name):
            words = words_of(spec.examples[0])[1:]
            common = {"--json": [], "--max-chars": ["9"], "--after": ["1"], "--tab-id": ["2"]}
            own = {form for arg in spec.flags for form in arg.doc.also}
            flags = [
                word for name, value in common.items() if name not in own for word in (name, *value)
            ]

            values = bind(spec, [*flags, *words], place).values

            after = 0 if "--after" in own else 1  # `drag a b --after` is a side
            names = ("json", "max_chars", "after", "tab_id")
            assert [values[name] for name in names] == [True, 9, after, 2]


def test_flags_have_help_and_short_names_of_their_own(case):
    for spec in SPECS:
        with case(spec.name):
            shorts = [arg.doc.short for arg in spec.flags if arg.doc.short]

            assert len(set(shorts)) == len(shorts)
            assert all(arg.doc.help.endswith(".") for arg in spec.flags if arg.doc.help)


@fuzz
@given(st.sampled_from(SPECS), st.lists(any_text, max_size=4))
def test_no_words_break_any_command(spec: Spec, words: list[str]):
    found = attempt(bind, spec, words, NOWHERE)

    if isinstance(found, BrowseError):
        assert found.hint
    else:
        assert spec.scope in found.scopes


async def test_a_caller_without_the_scope_is_refused_before_anything_runs(project, case):
    for spec in SPECS:
        with case(spec.name):
            spy = Spy()
            runner = a_runner(replace(spec, handler=spy, surfaces=Surface.LOCAL, runs_here=""))
            poor = a_caller(Scope.every() & ~spec.scope)

            _, error = await run(runner, *words_of(spec.examples[0]), caller=poor, cwd=str(project))

            assert error
            assert error.code is Code.SCOPE
            assert spec.scope.words() in error.message
            assert not spy.called


async def test_a_caller_with_just_the_scope_is_let_in(project, case):
    for spec in SPECS:
        with case(spec.name):
            spy = Spy()
            needed = bind(
                spec,
                words_of(spec.examples[0])[1:],
                Surroundings(str(project), Roots.of(str(project))),
            ).scopes
            runner = a_runner(
                replace(
                    spec,
                    handler=spy,
                    runs_here="",
                    acts=False,
                    args=(),
                    lane=Lane.FREE,
                    deadline=5.0,
                )
            )

            _, error = await run(
                runner, *spec.name.split(), caller=a_caller(needed), cwd=str(project)
            )

            assert error is None
            assert spy.called


@pytest.mark.parametrize(
    "words", ["js 1", "wait --js 1", "wait #x --js 1", "chain 'wait --js 1'"], ids=str
)
async def test_javascript_needs_the_admin_scope_wherever_it_is_typed(project, words):
    caller = a_caller(Scope.READ | Scope.WRITE | Scope.META)

    _, error = await run(a_runner(*SPECS), *shlex.split(words), caller=caller, cwd=str(project))

    assert error
    assert error.code is Code.SCOPE
    assert "admin" in error.message


@pytest.mark.parametrize(
    "spec", [spec for spec in SPECS if spec.runs_here], ids=lambda spec: spec.name
)
async def test_a_command_of_the_terminal_is_refused_by_the_daemon(spec):
    spy = Spy()

    _, error = await run(a_runner(replace(spec, handler=spy, args=())), *spec.name.split())

    assert error
    assert error.code is Code.SURFACE
    assert error.hint == f"type `browse {spec.name}` in a terminal"
    assert not spy.called


def test_the_tunnel_offers_exactly_these_commands():
    assert {spec.name for spec in SPECS if Surface.TUNNEL in spec.surfaces} == TUNNEL


async def test_only_what_the_tunnel_offers_passes_on_it(project, case):
    for spec in SPECS:
        with case(spec.name):
            spy = Spy()
            afar = a_caller(surface=Surface.TUNNEL)
            bare = replace(spec, acts=False, writes=False, mutates=False, args=(), deadline=5.0)
            runner = a_runner(replace(bare, handler=spy))

            _, error = await run(runner, *spec.name.split(), caller=afar, cwd=str(project))

            assert spy.called is (spec.name in TUNNEL)
            assert (error is None) is spy.called


ALIASES = [(spec, alias) for spec in SPECS for alias in spec.aliases]


def test_an_alias_is_its_command_and_takes_its_flags(case):
    for spec, alias in ALIASES:
        with case(alias.name):
            found, rest = TABLE.split([*alias.name.split(), "--json"])

            assert found is spec
            assert set(alias.flags.split()) <= {*rest} & {arg.spelled for arg in spec.flags}


async def test_an_alias_never_widens_rights(project, case):
    """Who may not use a command may not use it by another name either: same error, nothing runs."""
    for spec, alias in ALIASES:
        with case(alias.name):
            bare = replace(spec, acts=False, writes=False, mutates=False, args=(), respell=None)
            bare = replace(bare, aliases=(replace(alias, flags=""),), deadline=5.0)
            for caller in (a_caller(surface=Surface.TUNNEL), a_caller(scopes=Scope.READ)):
                spy = Spy()
                runner = a_runner(replace(bare, handler=spy))
                _, real = await run(runner, *spec.name.split(), caller=caller, cwd=str(project))
                allowed, spy.called = spy.called, False

                _, other = await run(runner, *alias.name.split(), caller=caller, cwd=str(project))

                assert spy.called is allowed
                assert (other and other.code) == (real and real.code)


def test_the_client_answers_no_alias_itself():
    """What the client does by a command's name it would not do for another name of it."""
    own = {"stop", "restart", "status", "confirm", "automate", "skill", "domain-skill"}

    assert not [spec.name for spec, alias in ALIASES if spec.command in own and spec.family is None]
    assert not [spec.name for spec, _ in ALIASES if spec.runs_here]


@pytest.mark.parametrize(
    ("spec", "flag"),
    [(spec, arg) for spec in SPECS for arg in spec.flags if arg.param.local_only],
    ids=lambda part: part.name,
)
@pytest.mark.parametrize("surface", Surface)
async def test_no_file_is_written_from_afar(project, spec, flag, surface):
    spy = Spy()
    runner = a_runner(replace(spec, handler=spy))
    words = [*words_of(spec.examples[0]), f"{flag.spelled}=out.txt"]

    _, error = await run(runner, *words, caller=a_caller(surface=surface), cwd=str(project))

    assert spy.called is (surface is Surface.LOCAL)
    assert error is None or error.code is Code.SURFACE


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.reads_stdin], ids=lambda s: s.name)
def test_what_reads_stdin_needs_no_argument(spec):
    """Of a sub-command, the client knows how many arguments it has beside stdin."""
    assert spec.family or bind(spec, [], NOWHERE)


def test_only_these_run_beside_a_person_though_they_need_more_than_reading():
    """A new command with such a scope is refused while a person has a tab, unless it says why."""
    assert {it.name for it in SPECS if it.changes is ChangedTabs.NONE} == {
        "archive", "checkpoint list", "checkpoint rm", "checkpoint save", "downloads clear",
        "emulate devices", "emulate list", "fork", "har record", "har status", "memory",
        "run", "scrape", "state list", "state rm", "state save", "storage get", "storage list",
        "trace start", "trace status", "trace stop",
    }  # fmt: skip


def test_no_command_is_without_a_scope(case):
    for spec in SPECS:
        with case(spec.name):
            assert spec.scope is not NOTHING


def test_results_are_the_only_thing_a_command_gives():
    names = {kind.__name__ for kind in RESULTS}

    assert names == {"Text", "PageText", "Relayed", "SkillOutput"}


@pytest.mark.parametrize(
    "line",
    [
        "tab 2", "frame main", "frame --name editor", "console --clear", "errors --clear",
        "dialog --clear", "network --clear", "network --capture", "network stop",
        "network --capture --filter /api/", "video start",
        "diff https://one.example https://two.example",
        "screenshot a.png", "snapshot -a", "text --session work --reveal",
    ],
)  # fmt: skip
def test_who_only_reads_alters_nothing(place, line):
    spec, rest = TABLE.split(line.split())
    reader = replace(a_caller(), only_reads=True)

    with pytest.raises(BrowseError) as caught:
        only_reads(bind(spec, rest, place), reader)

    assert caught.value.code is Code.SCOPE


@pytest.mark.parametrize(
    "line", ["console --errors", "dialog", "network --here", "network --bodies", "video", "tabs"]
)
def test_who_only_reads_sees_what_was_recorded(place, line):
    spec, rest = TABLE.split(line.split())

    only_reads(bind(spec, rest, place), replace(a_caller(), only_reads=True))
