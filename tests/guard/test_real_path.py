"""Where a path leads, and whose links are followed on the way."""

import os
from pathlib import Path

import pytest

from browse.core.errors import BrowseError, Code
from browse.guard.real_path import real_path

OTHER = 65_534


def test_links_are_resolved_as_the_system_does_it(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "to-b").symlink_to("a/b")
    (tmp_path / "absolute").symlink_to(tmp_path / "to-b")

    for typed in ("to-b/../x", "absolute/../x", "./a//x", "missing/../a/x"):
        assert real_path(typed, str(tmp_path)) == str(tmp_path / "a" / "x"), typed


def test_links_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")

    with pytest.raises(BrowseError, match="circle") as caught:
        real_path("one/../x", str(tmp_path))
    assert caught.value.code is Code.FILE_UNUSABLE


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a link to another user")
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    link = shared / "page.html"
    link.symlink_to("/etc/passwd")
    os.lchown(link, OTHER, OTHER)

    assert real_path(str(link), "/") == "/etc/passwd"
    shared.chmod(0o1777)
    for typed in (str(link), f"{shared}/page.html/../x"):
        with pytest.raises(BrowseError, match="another user") as caught:
            real_path(typed, "/")
        assert caught.value.code is Code.PATH_REFUSED

    os.chown(shared, OTHER, OTHER)  # the owner of the folder may make links in it
    assert real_path(str(link), "/") == "/etc/passwd"
    os.chown(shared, 0, 0)
    os.lchown(link, 0, 0)  # and so may we
    assert real_path(str(link), "/") == "/etc/passwd"
