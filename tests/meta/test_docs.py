"""The documentation says what is there: nothing left out, no dead link, no command that fails."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse import _exit
from browse.client import options
from browse.client._names import START_FLAGS
from browse.core import errors, settings
from browse.core.errors import BrowseError, Code
from browse.dispatch.running import Running
from browse.guard.files import Roots
from browse.registry.bind import Bound, bind
from browse.registry.params import Surroundings
from browse.registry.spec import declared, families
from browse.registry.table import CommandTable
from browse.server.app import local_endpoints
from meta import markdown
from meta.markdown import ROOT
from support.fakes import a_daemon, a_runner

DOCS = ROOT / "docs"
PAGES = markdown.pages()
# Commands that a page adds as an example.
EXAMPLES = {"CONTRIBUTING.md": {"title", "skill rename"}}
CLIENT_WORDS = {"--version", "-V", "--help", "-h", "completion", "--force-restart", *START_FLAGS}
COMMAND_LINES = [
    (page, words) for page in PAGES for words in markdown.command_lines(page.read_text("utf-8"))
]


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def missing(parts: list[str], name: str) -> list[str]:
    """List the parts that a page does not have."""
    text = page(name)
    return [part for part in parts if part not in text]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_command_is_documented():
    headings = [f"### `{spec.name}`" for spec in declared()]
    names = [f"`{name}`" for spec in declared() for name in spec.names]

    assert missing(headings + names, "commands.md") == []


def test_every_flag_has_help():
    flags = [(spec.name, arg) for spec in declared() for arg in spec.flags]

    assert [(name, arg.spelled) for name, arg in flags if not arg.doc.help] == []


def test_every_setting_is_documented():
    rows = [f"| `{about.env}` |" for _, _, about in settings.rows()]

    assert missing(rows, "settings.md") == []


def test_every_error_code_is_documented():
    rows = [
        f"| `{code.value}` | {row.status} | {row.exit} |" for code, row in errors.CATALOGUE.items()
    ]

    assert set(errors.CATALOGUE) == set(Code)
    assert missing(rows, "errors.md") == []


def test_every_exit_code_is_documented():
    rows = [f"| {code} | {meaning} |" for code, meaning in _exit.MEANING.items()]

    assert missing(rows, "errors.md") == []


def test_every_exit_code_has_a_meaning():
    numbers = {value for name, value in vars(_exit).items() if name.isupper() and name != "MEANING"}

    assert numbers == set(_exit.MEANING)


def test_every_route_is_documented():
    endpoints = local_endpoints(a_daemon(Running(a_runner())))
    wanted = {f"## `{it.method} {it.path}`" for it in endpoints}

    assert wanted <= set(page("http.md").splitlines())


def test_links_lead_to_a_file_and_a_heading(case):
    for path in PAGES:
        with case(relative(path)):
            broken = [
                link for link in markdown.links(path.read_text("utf-8")) if not leads(path, link)
            ]

            assert broken == []


def leads(path: Path, link: str) -> bool:
    if re.match(r"https?://", link):
        return True
    place, _, anchor = link.partition("#")
    target = (path.parent / place).resolve() if place else path
    if not target.is_file() or not target.is_relative_to(ROOT):
        return False
    return not anchor or anchor in markdown.anchors(target.read_text("utf-8"))


def test_page_can_be_reached_from_the_index(case):
    for path in sorted(DOCS.rglob("*.md")):
        with case(relative(path)):
            index = DOCS / "index.md"
            reached = {(DOCS / link).resolve() for link in markdown.links(index.read_text("utf-8"))}

            assert path in reached | {index}


def test_printed_command_binds(tmp_path: Path, monkeypatch, case):
    monkeypatch.setenv(options.VARIABLE, "")
    for number, (path, words) in enumerate(COMMAND_LINES):
        if CLIENT_WORDS & set(words[:2]):
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        with case(f"{relative(path)}: {' '.join(words)}"):
            # The client turns `--on` into `fleet run`.
            line = ["fleet", "run", *words[1:]] if words[0] == "--on" else words
            # A page may show what a rule forbids, but no wrong grammar.
            with suppress_refusals():
                assert bound(options.take(line), folder).spec.name


@contextmanager
def suppress_refusals() -> Iterator[None]:
    try:
        yield
    except BrowseError as exc:
        if exc.code not in (Code.URL_REFUSED, Code.PATH_REFUSED):
            raise


def bound(words: list[str], folder: Path) -> Bound:
    """Bind as the daemon would, in a folder that holds every file that the words name."""
    spec, rest = CommandTable(declared()).split(words)
    for word in rest:
        name = word.removeprefix("file://").removeprefix("./").rpartition("=")[2]
        if re.fullmatch(r"(\.gstack/)?[\w-]+\.(html|js|jsonl?|md|har|txt|py)", name):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).touch()
    return bind(spec, rest, Surroundings(str(folder), Roots.of(str(folder))))


def test_page_names_no_command_that_does_not_exist(case):
    for path in PAGES:
        with case(relative(path)):
            known = {word for spec in declared() for word in spec.first_words}
            text = path.read_text("utf-8")
            shown = [" ".join(words) for words in markdown.command_lines(text)]
            named = [re.match(r"(?:\./)?browse ([a-z][\w-]*)", span) for span in spans(text)]
            words = {found[1] for found in named if found} | {
                line.split()[0] for line in shown if line
            }

            unknown = {word for word in words if not word.startswith("-")} - known - CLIENT_WORDS
            assert unknown <= EXAMPLES.get(relative(path), set())


def spans(text: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", markdown.prose(text))


def test_page_names_no_sub_command_that_does_not_exist(case):
    for path in PAGES:
        with case(relative(path)):
            called = re.compile(r"(?:\./)?browse ([a-z][\w-]*) ([a-z][\w-]*)")
            found = filter(None, map(called.match, spans(path.read_text("utf-8"))))
            first_words = {family.name for family in families(declared())}
            known = {name for spec in declared() for name in spec.names}

            unknown = {f"{it[1]} {it[2]}" for it in found if it[1] in first_words} - known
            assert unknown <= EXAMPLES.get(relative(path), set())


def test_decisions_are_numbered_without_gaps():
    names = sorted(path.name for path in (DOCS / "decisions").glob("*.md"))

    assert [name[:4] for name in names] == [f"{number:04}" for number in range(1, len(names) + 1)]


def test_decision_has_its_three_parts(case):
    for path in sorted((DOCS / "decisions").glob("*.md")):
        with case(relative(path)):
            text = path.read_text("utf-8")

            assert text.startswith(f"# {path.name[:4]} ")
            assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
                "Context",
                "Decision",
                "Consequences",
            ]


def test_contributing_names_every_package():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    packages = sorted(path.parent.name for path in (ROOT / "src/browse").glob("*/__init__.py"))

    assert [name for name in packages if f"| `src/browse/{name}` |" not in text] == []
    assert set(re.findall(r"`src/browse/(\w+)` \|", text)) == set(packages)


def test_architecture_draws_the_layers_of_the_contract():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(each["layers"] for each in contracts["contracts"] if each["type"] == "layers")
    wanted = [re.findall(r"\w+", layer) for layer in layers]
    section = page("architecture.md").partition("## Layers")[2]
    drawn = [
        re.findall(r"\w+", re.split(r" {4,}", line.strip())[0])
        for line in markdown.blocks(section)[0].lines
    ]

    assert drawn[: len(wanted)] == wanted


def test_agents_page_is_short():
    assert len((ROOT / "AGENTS.md").read_text("utf-8").splitlines()) <= 25


def test_unknown_command_would_be_noticed(tmp_path: Path):
    with pytest.raises(BrowseError):
        bound(["snapshott"], tmp_path)
