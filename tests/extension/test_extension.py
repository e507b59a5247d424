"""The files of the extension: what Chromium is told, and what no file of it may do."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from browse.core.extension_id import ID, KEY, extension_folder, id_of

HERE = Path(__file__).parent
FOLDER = extension_folder()
MANIFEST = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
SCRIPTS = sorted(path for path in FOLDER.rglob("*.js") if "vendor" not in path.parts)
MAX_LINES = 300
# Ways in which words of a page could become markup or code.
DANGEROUS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser"
    r"|createContextualFragment|setHTMLUnsafe"
)


def test_the_id_follows_from_the_key_that_the_daemon_knows():
    assert MANIFEST["key"] == KEY
    assert id_of(MANIFEST["key"]) == ID


def test_it_asks_for_few_rights():
    assert MANIFEST["manifest_version"] == 3
    assert MANIFEST["permissions"] == ["debugger", "sidePanel", "storage", "tabGroups"]
    assert MANIFEST["host_permissions"] == ["http://127.0.0.1/*"]
    assert MANIFEST["externally_connectable"] == {"ids": []}
    assert "web_accessible_resources" not in MANIFEST


def test_its_pages_run_no_code_of_others():
    policy = MANIFEST["content_security_policy"]["extension_pages"]

    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "https:" not in policy


def test_every_file_that_the_manifest_names_is_there():
    named = [MANIFEST["background"]["service_worker"], MANIFEST["side_panel"]["default_path"]]
    named += [*MANIFEST["icons"].values(), *MANIFEST["action"]["default_icon"].values()]
    named += [file for it in MANIFEST["content_scripts"] for file in it["js"]]

    assert [name for name in named if not (FOLDER / name).is_file()] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_a_script_is_typed_short_and_makes_no_markup_of_words(path: Path):
    source = path.read_text("utf-8")

    assert source.startswith("// @ts-check")
    assert not DANGEROUS.search(source)
    assert len(source.splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", [*FOLDER.rglob("*.html")], ids=lambda path: path.name)
def test_a_page_has_no_code_of_its_own(path: Path):
    page = path.read_text("utf-8")

    assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=|https?:", page)


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node here")
def test_the_units_of_the_extension():
    tests = sorted(map(str, HERE.glob("*.test.js")))
    done = subprocess.run(
        ["node", "--test", "--test-reporter=tap", *tests], capture_output=True, text=True
    )

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE)
