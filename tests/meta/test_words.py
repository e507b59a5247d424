"""No file of the project speaks of one developer's machine, of a package mirror, or to itself."""

import re

import pytest

from meta.markdown import ROOT, project_files

# Spelled in parts, so that this file may hold them.
WORDS = {
    "a home folder": re.compile(r"/(?:root|home/(?!(?:user|you|me|someone|x)\b)\w+)/"),
    "a workspace": re.compile(r"(?<![\w.])/wor[k]/|/tmp/[v]/"),
    "a package registry": re.compile(
        r"[\w.-]*(?:pyp[i]\.org|pythonhoste[d]\.org|artifactor[y]|devp[i]|/simpl[e]/?[\"'\s])"
    ),
    "a note to self": re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b"),
}
ALLOWED = {
    # A skill that reads its pages.
    "a package registry": ("src/browse/skills/bundled/pypi-package/",),
    # Attack strings and made-up homes are the point of these.
    "a home folder": ("tests/adversarial/", "tests/guard/", "tests/browser/", "tests/setup/"),
}
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
