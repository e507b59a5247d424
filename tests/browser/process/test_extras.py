import pytest

from browse.browser.process import extras
from browse.browser.process.extras import Extras
from browse.core.errors import BrowseError
from browse.core.settings import load


def test_scripts_are_read_at_the_start(tmp_path):
    first, second = tmp_path / "a.js", tmp_path / "b.js"
    first.write_text("1")
    second.write_text("\ufeff2")

    assert Extras.of(load({"BROWSE_INIT_SCRIPTS": f"{first}:{second}"})).init_scripts == ("1", "2")
    assert Extras.of(load({})) == Extras()


def test_scripts_that_cannot_be_used_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(extras, "MAX_SCRIPT_BYTES", 4)
    large, binary = tmp_path / "large.js", tmp_path / "binary.js"
    large.write_text("12345")
    binary.write_bytes(b"\xff")

    for path in (large, binary, tmp_path, tmp_path / "none.js"):
        with pytest.raises(BrowseError, match=f"The script {path} of --init-script"):
            Extras.of(load({"BROWSE_INIT_SCRIPTS": str(path)}))
