import json

import pytest

from browse.browser.process.own_extensions import REFUSED, extension_flags, find_extensions
from browse.core.errors import BrowseError, Code


def extension(folder, **more):
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps({"manifest_version": 3, **more}))
    return folder


def test_one_or_several_are_found(tmp_path):
    several = [extension(tmp_path / name) for name in ("a", "b")]
    (tmp_path / "notes.txt").touch()

    assert find_extensions(str(tmp_path)) == several
    assert find_extensions(str(several[0])) == several[:1]
    assert extension_flags(several)[1] == f"--load-extension={several[0]},{several[1]}"


@pytest.mark.parametrize("key", ["permissions", "optional_permissions"])
@pytest.mark.parametrize("permission", sorted(REFUSED))
def test_one_that_could_undo_our_rules_is_refused(tmp_path, key, permission):
    extension(tmp_path / "a", **{key: ["storage", permission]})

    with pytest.raises(BrowseError, match=f"asks for `{permission}`: it could") as raised:
        find_extensions(str(tmp_path))

    assert raised.value.code is Code.SETTING_INVALID


def test_what_is_no_extension_is_refused(tmp_path):
    empty, broken = tmp_path / "empty", extension(tmp_path / "broken")
    empty.mkdir()
    (broken / "manifest.json").write_text("{")
    comma = extension(tmp_path / "a,b")

    for place in (tmp_path / "none", empty, broken, comma):
        with pytest.raises(BrowseError, match="cannot be loaded"):
            find_extensions(str(place))
