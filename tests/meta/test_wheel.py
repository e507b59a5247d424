"""The wheel holds everything that it needs: built, installed into a clean venv, and run."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from tools import xterm

import browse

ROOT = Path(__file__).parents[2]
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
DATA = (
    "browse/py.typed",
    "browse/guard/blocklist.txt",
    "browse/registry/guide.md",
    "browse/security/classifier/weights.bin",
    "browse/setup/demo.html",
    "browse/skills/resolve_ts.mjs",
    *(
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src/browse/setup/skills").rglob("SKILL.md")
    ),
    *(
        path.relative_to(ROOT / "src").as_posix()
        for folder in ("bundled", "start")
        for path in (ROOT / "src/browse/skills" / folder).rglob("*.*")
        if path.is_file() and path.suffix != ".pyc"
    ),
    *(
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src/browse/browser/page/js").rglob("*.js")
    ),
)
pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory) -> Path:
    """Install the wheel alone, without network, and give the `browse` script."""
    place = tmp_path_factory.mktemp("venv")
    venv.create(place, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python"), "install"]
    done = subprocess.run(
        [*pip, "--no-deps", "--no-index", "--quiet", "--disable-pip-version-check", str(wheel)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return place / "bin" / "browse"


def run(script: Path, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    return subprocess.run([script, *words], cwd=folder, env=env, capture_output=True, text=True)


def test_wheel_holds_the_data(wheel: Path):
    assert set(DATA) - set(zipfile.ZipFile(wheel).namelist()) == set()


def test_wheel_holds_every_module_and_no_tests(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    modules = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py")}

    assert modules <= names
    assert [name for name in names if name.startswith(("tests/", "tools/", "docs/"))] == []


@pytest.mark.skipif(not xterm.is_there(), reason="xterm.js is not here: python3 tools/xterm.py")
def test_wheel_brings_the_display_of_the_terminal_with_its_licences(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {file for package in xterm.PACKAGES for file in package.files.values()}

    assert {f"browse/extension/vendor/xterm/{name}" for name in wanted} <= names


def test_installed_browse_tells_its_version(installed: Path, tmp_path: Path):
    done = run(installed, "--version", folder=tmp_path)

    assert (done.returncode, done.stdout) == (0, f"browse {browse.__version__}\n")


def test_installed_browse_shows_help(installed: Path, tmp_path: Path):
    done = run(installed, "help", "goto", folder=tmp_path)

    assert done.returncode == 0
    assert done.stdout.startswith("Usage: browse goto <url>")
