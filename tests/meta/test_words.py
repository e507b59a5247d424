"""No file names a developer's machine, a package mirror or a note to self; prose is plain."""

import ast
import re
from collections.abc import Iterator

import pytest

from meta import markdown
from meta.markdown import ROOT, project_files

# Spelled in parts, so that this file may hold them.
WORDS = {
    "a home folder": re.compile(r"/(?:root|home/(?!(?:user|you|me|someone|x)\b)\w+)/"),
    "a workspace": re.compile(r"(?<![\w.])/wor[k]/|/tmp/[v]/"),
    "a package registry": re.compile(
        r"(?<![\w.-])[\w.-]*(?:pyp[i]\.org|pythonhoste[d]\.org|artifactor[y]|devp[i]|/simpl[e]/?[\"'\s])"
    ),
    "a note to self": re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b"),
}
ALLOWED = {
    # A skill that reads its pages.
    "a package registry": ("src/browse/skills/bundled/pypi-package/",),
    # Attack strings and made-up homes are the point of these.
    "a home folder": ("tests/adversarial/", "tests/guard/", "tests/browser/", "tests/setup/"),
}
# Names that the project once had for things which the glossary names plainly.
PRIVATE = re.compile(r"\b(?:veils?|lids?|doors?|strangers?|tombs?|deeds?|sayings|fences?)\b", re.I)
TEXTS = [path for path in project_files() if path.suffix not in (".png", ".ico", ".woff2", ".bin")]


@pytest.mark.parametrize("what", WORDS)
def test_no_file_names(what: str):
    found = []
    for path in TEXTS:
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(ALLOWED.get(what, ())) and ALLOWED.get(what):
            continue
        text = path.read_text("utf-8", "replace")
        found += [f"{name}: {match[0]}" for match in WORDS[what].finditer(text)]

    assert found == []


def test_no_module_has_a_branch_for_a_system_that_it_cannot_run_on():
    branch = re.compile(r"win3[2]|os\.name\b|USERPROFIL[E]|\.ex[e]\b")
    code = [path for path in TEXTS if path.is_relative_to(ROOT / "src") and path.suffix == ".py"]

    assert [path.name for path in code if branch.search(path.read_text("utf-8"))] == []


def docstrings() -> Iterator[tuple[str, str]]:
    """List the docstrings of our Python files that hold such a name, each with its file."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for path in (path for path in TEXTS if path.suffix == ".py" and "bundled" not in path.parts):
        code = path.read_text("utf-8")
        for node in ast.walk(ast.parse(code if PRIVATE.search(code) else "")):
            if isinstance(node, kinds) and (text := ast.get_docstring(node)):
                yield path.relative_to(ROOT).as_posix(), text


def pages() -> Iterator[tuple[str, str]]:
    """List the prose of our documents, each with its file."""
    for path in markdown.pages():
        yield path.relative_to(ROOT).as_posix(), markdown.prose(path.read_text("utf-8"))


def test_documents_and_docstrings_use_the_words_of_the_glossary():
    """What is set in code type may be a name that a file or a page has."""
    plain = [(name, re.sub(r"`[^`]*`", "", text)) for name, text in (*pages(), *docstrings())]

    assert [f"{name}: {it[0]}" for name, text in plain for it in PRIVATE.finditer(text)] == []
