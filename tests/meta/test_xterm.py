"""Getting xterm.js: the archive that is pinned, all files or none, and why where it cannot be."""

import base64
import hashlib
import io
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest
from tools import xterm

ROOT = Path(__file__).parents[2]


def archive(**files: str) -> bytes:
    """Pack an archive as npm does."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as opened:
        for name, text in files.items():
            about = tarfile.TarInfo(f"package/{name}")
            about.size = len(text)
            opened.addfile(about, io.BytesIO(text.encode()))
    return packed.getvalue()


def pinned(content: bytes) -> xterm.Package:
    digest = base64.b64encode(hashlib.sha512(content).digest()).decode()
    files = {"package/LICENSE": "LICENSE"}
    return replace(xterm.PACKAGES[0], integrity=f"sha512-{digest}", files=files)


def test_only_the_pinned_archive_is_unpacked():
    content = archive(LICENSE="MIT", other="more")

    assert xterm.wanted(pinned(content), content) == {"LICENSE": b"MIT"}
    with pytest.raises(xterm.Unavailable, match="not the archive that is pinned"):
        xterm.wanted(pinned(content), archive(LICENSE="changed"))


def test_every_package_brings_its_licence():
    assert all("package/LICENSE" in it.files for it in xterm.PACKAGES)
    names = [name for it in xterm.PACKAGES for name in it.files.values()]
    assert len(names) == len(set(names))


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "vendor"
    folder.mkdir()
    (folder / "xterm.mjs").write_text("old")
    monkeypatch.setattr(xterm, "_packed", lambda _: b"not an archive")

    with pytest.raises(xterm.Unavailable):
        xterm.get(folder)
    assert (folder / "xterm.mjs").read_text() == "old"
    assert not xterm.is_there(folder)


def test_the_files_are_replaced_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    content = archive(LICENSE="MIT")
    monkeypatch.setattr(xterm, "PACKAGES", (pinned(content),))
    monkeypatch.setattr(xterm, "_packed", lambda _: content)
    folder = tmp_path / "deep" / "vendor"
    for _ in range(2):
        xterm.get(folder)

    assert {it.name for it in folder.iterdir()} == {"LICENSE", xterm.STAMP}
    assert [it.name for it in folder.parent.iterdir()] == ["vendor"]


def test_without_npm_it_says_so_and_ends_well(tmp_path: Path):
    tool = tmp_path / "tools" / "xterm.py"
    tool.parent.mkdir()
    tool.write_bytes((ROOT / "tools" / "xterm.py").read_bytes())
    done = subprocess.run(
        [sys.executable, "-I", str(tool)], env={"PATH": "/nowhere"}, capture_output=True, text=True
    )

    assert done.returncode == 0
    assert "there is no npm here" in done.stderr
    assert "python3 tools/xterm.py" in done.stderr


def test_git_does_not_keep_it():
    assert "/extension/vendor/" in (ROOT / ".gitignore").read_text().splitlines()
