"""Every line of traversal.txt, put to the path policy on a real tree of files and links."""

import os
from pathlib import Path

import pytest

from browse.core.errors import BrowseError
from browse.guard.files import Roots, check_read, check_write, write_output
from browse.guard.urls import check_url

CORPUS = Path(__file__).with_name("traversal.txt")
ACTS = {"read": check_read, "write": check_write, "url": check_url}
CODES = {"path-refused": "refused", "file-unusable": "unusable", "usage": "usage"}

FILES = (
    "project/page.html",
    "project/README",
    "project/sub/deep.txt",
    "project/~odd/x.txt",
    "project-evil/page.html",
    "secret/key.txt",
    "temp/note.txt",
)
LINKS = {
    "link-in": "sub",
    "file-in": "sub/deep.txt",
    "link-temp": "../temp",
    "dangling-in": "sub/not-yet.txt",
    "link-out": "../secret",
    "file-out": "../secret/key.txt",
    "dangling-out": "../secret/not-yet.txt",
    "dangling-out-folder": "../elsewhere",
    "chain-1": "chain-2",
    "chain-2": "../secret/key.txt",
    "loop": "loop",
    "via-loop": "loop/../link-out",
    "via-via-loop": "loop/../via-loop",
}


def cases() -> list[tuple[str, str, str, str]]:
    found = []
    for line in CORPUS.read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            act, verdict, path, reason = line.split(" | ")
            found.append((act, verdict, path.encode().decode("unicode_escape"), reason))
    return found


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(name)
    for name, target in LINKS.items():
        (tmp_path / "project" / name).symlink_to(target)
    os.mkfifo(tmp_path / "project" / "pipe")
    return tmp_path


def verdict_on(act: str, path: str, top: Path) -> str:
    roots = Roots.of(f"{top}/project", f"{top}/temp")
    try:
        ACTS[act](path.replace("{top}", str(top)), cwd=f"{top}/project", roots=roots)
    except BrowseError as error:
        return CODES[error.code]
    return "allowed"


@pytest.mark.parametrize(("act", "verdict", "path", "reason"), cases())
def test_path_gets_its_verdict(act: str, verdict: str, path: str, reason: str, top: Path) -> None:
    assert verdict_on(act, path, top) == verdict, reason


@pytest.mark.parametrize("path", [c[2] for c in cases() if c[:2] == ("write", "allowed")])
def test_admitted_output_lands_inside_the_roots(path: str, top: Path) -> None:
    roots = Roots.of(f"{top}/project", f"{top}/temp")
    checked = check_write(path.replace("{top}", str(top)), cwd=f"{top}/project", roots=roots)
    write_output(checked, b"output")

    assert Path(checked.real).read_bytes() == b"output"
    assert roots.hold(os.path.realpath(checked.real))


def test_no_path_is_listed_twice() -> None:
    asked = [(act, path) for act, _, path, _ in cases()]

    assert len(asked) == len(set(asked))
