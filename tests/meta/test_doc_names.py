"""What documents name exists: files, folders, modules, classes, functions, variables and flags."""

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.client._names import START_FLAGS
from browse.registry.shared_flags import ACTING, COMMON
from browse.registry.spec import declared
from meta import markdown
from meta.markdown import ROOT

PAGES = markdown.pages()
PACKAGE = ROOT / "src" / "browse"
SUFFIXES = ("py", "js", "cjs")
CLIENT_WORDS = {"--version", "--help", "--force-restart", *START_FLAGS}
# Of `./check`, of our own tools, and of programs that we start.
OTHER_FLAGS = {
    *("--apps", "--fast", "--fix", "--count", "--hypothesis-profile", "--kills", "--seed"),
    *("--seeds", "--peers", "--browse"),
    *("--require-hashes", "--no-deps", "--try", "--site-per-process", "--proxy-server"),
    *("--proxy-bypass-list", "--host-resolver-rules", "--webrtc-ip-handling-policy"),
    *("--force-webrtc-ip-handling-policy", "--disable-quic"),
    "--enable-unsafe-swiftshader",
    *("--append-system-prompt", "--model"),
}
# Names that belong to browsers, to Playwright, or to an example.
FOREIGN = {
    "Array",
    "Document",
    "Error",
    "ElementInternals",
    "HttpOnly",
    "uvicorn",
    "Config",
    "Server",
    "BW_SESSION",
} | {
    # Domains of the DevTools protocol: tests/meta/test_private_uses.py looks for their methods.
    *(
        "Accessibility",
        "CSS",
        "Console",
        "DOM",
        "Emulation",
        "Network",
        "Page",
        "Runtime",
        "SystemInfo",
        "Target",
    )
}
EXAMPLES = {"test_goto_refuses_metadata_address", "parse_prices"}
CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(rf"[\w.-]+\.(?:{'|'.join(SUFFIXES)})")
PATH = re.compile(r"[\w.-]+(?:/[\w.<>*{},…-]+)+/?")
MODULE = re.compile(r"(?:-m |^)((?:browse|tools)(?:\.(?!json|pth)[a-z_]+)+)(?= |$)")
NAME_IN_FILE = re.compile(r"`(\w+)`(?:[^`(]{0,20}\(| in )`([\w./-]+\.(?:py|js|cjs))`")
MEMBER = re.compile(r"([A-Z]\w*[a-z]\w*)\.(\w+)(?:\(.*\))?")
NAME = re.compile(r"(?P<call>[A-Za-z_]\w*)\(.*\)|[A-Z][a-z]+(?:[A-Z]\w*)+|\w*[a-zA-Z]_[a-zA-Z]\w*")
FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*")


def spans(path: Path) -> list[str]:
    """List what a page sets in code type within its prose."""
    return CODE.findall(markdown.prose(path.read_text("utf-8")))


@cache
def sources() -> dict[Path, str]:
    """Read every source file; the tests of documents do not count as proof of a name."""
    found = [path for kind in SUFFIXES for path in ROOT.rglob(f"*.{kind}")]
    kept = [path for path in found if not markdown.SKIPPED & set(path.parts)]
    return {path: path.read_text("utf-8") for path in kept if path.parent.name != "meta"}


@cache
def known_words() -> frozenset[str]:
    return frozenset(word for text in sources().values() for word in re.findall(r"\w+", text))


def called(name: str) -> list[Path]:
    """Find the files that a page may mean by a path: all that end like it."""
    files = [*sources(), *(ROOT / "tests" / "meta").glob("*.py")]
    return [path for path in files if f"/{path.relative_to(ROOT).as_posix()}".endswith(f"/{name}")]


def is_ours(path: str) -> bool:
    """Tell whether a path begins in a folder of the project or of the package."""
    first = path.partition("/")[0]
    if first in markdown.SKIPPED:
        return False
    return (ROOT / first).is_dir() or (PACKAGE / first).is_dir()


def leads_somewhere(path: str) -> bool:
    """Tell whether a path, with `<name>`, `*`, `…` or `{a,b}` in it, names files that exist."""
    pattern = re.sub(r"<\w+>", "*", path.rstrip("/")).replace("…", "**")
    choices = [part.split(",") for part in re.findall(r"\{([^}]*)\}", pattern)]
    shape = re.sub(r"\{[^}]*\}", "{}", pattern)
    return all(
        any(any(base.glob(shape.format(*chosen))) for base in (ROOT, PACKAGE))
        for chosen in product(*choices)
    )


def has_member(owner: str, name: str) -> bool:
    defined = [text for text in sources().values() if re.search(rf"^class {owner}\b", text, re.M)]
    return any(re.search(rf"^    (?:async def |def )?{name}\b", text, re.M) for text in defined)


def test_files_and_folders_exist(case):
    for path in PAGES:
        with case(path.relative_to(ROOT).as_posix()):
            named = spans(path)
            files = [code for code in named if FILE.fullmatch(code)]
            paths = [code for code in named if PATH.fullmatch(code) and is_ours(code)]

            assert [name for name in files if not called(name)] == []
            assert [name for name in paths if not leads_somewhere(name)] == []


def test_modules_exist(case):
    for path in PAGES:
        with case(path.relative_to(ROOT).as_posix()):
            modules = [name for code in spans(path) for name in MODULE.findall(code)]
            places = {name: ROOT / "src" / name.replace(".", "/") for name in modules}
            places |= {
                name: ROOT / name.replace(".", "/") for name in modules if name.startswith("tools")
            }

            assert [
                name
                for name, at in places.items()
                if not (at.is_dir() or at.with_suffix(".py").is_file())
            ] == []


def test_names_exist(case):
    for path in PAGES:
        with case(path.relative_to(ROOT).as_posix()):
            text = markdown.prose(path.read_text("utf-8"))
            members = [found for code in spans(path) if (found := MEMBER.fullmatch(code))]
            names = {
                (found["call"] or code) for code in spans(path) if (found := NAME.fullmatch(code))
            }

            assert [
                it[0] for it in members if it[1] not in FOREIGN and not has_member(*it.groups())
            ] == []
            assert names - known_words() - FOREIGN - EXAMPLES == set()
            assert [
                name
                for name, file in NAME_IN_FILE.findall(text)
                if not any(re.search(rf"\b{name}\b", it.read_text("utf-8")) for it in called(file))
            ] == []


def test_flags_exist(case):
    for path in PAGES:
        with case(path.relative_to(ROOT).as_posix()):
            ours = {arg.spelled for spec in declared() for arg in spec.flags}
            known = ours | {arg.spelled for arg in (*COMMON, *ACTING)} | CLIENT_WORDS | OTHER_FLAGS

            assert {flag for code in spans(path) for flag in FLAG.findall(code)} - known == set()


@pytest.mark.parametrize(
    "name", ["browser/door.py", "src/browse/lids", "tests/<package>/no_{a,b}.py", "docs/x*.md"]
)
def test_a_path_that_is_gone_would_be_noticed(name: str):
    assert PATH.fullmatch(name)
    assert is_ours(name)
    assert not leads_somewhere(name)


def test_a_name_that_is_gone_would_be_noticed():
    assert has_member("Tab", "unstick")
    assert not has_member("Tab", "unsticky")
    assert NAME.fullmatch("no_such_name(…)")
    assert "no_such_" + "name" not in known_words()
