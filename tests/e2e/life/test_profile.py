"""`--profile`: a Chromium profile in a folder of the owner's choice."""

import pytest

from support.cli import Project
from support.life import assert_clear

pytestmark = pytest.mark.e2e

IMPORTED = '[{"name": "login", "value": "1", "domain": "shop.example", "expires": 4102444800}]'
FILL = "localStorage.l = 'kept'; document.cookie = 'lasting=1; max-age=900'; 0"


def test_what_sites_store_and_what_was_imported_is_kept_in_the_profile_and_nowhere_else(
    project, site, tmp_path
):
    url, folder = site.page("/pf", "<p>x"), tmp_path / "kept profile"
    named = ("--profile", str(folder))
    project.ok(*named, "goto", url)
    project.ok("js", FILL)

    assert f"Profile: {folder}" in project.ok(*named, "status").out
    other = project.browse("--profile", f"{folder}2", "url")
    assert_clear(
        other, 4, f"The running daemon has --profile {folder}; nothing was done", "restart"
    )
    assert_clear(project.browse("--profile"), 2, "--profile needs a value")
    second = Project.make(tmp_path / "second")
    assert_clear(second.browse(*named, "url"), 1, "the browser of another project uses it (daemon")
    second.end()

    project.ok("cookie-import", "-", "--all", stdin=IMPORTED)
    project.ok("stop")
    project.ok("goto", url, BROWSE_PROFILE=str(folder))
    cookies = project.ok("cookies").page
    assert '"lasting"' in cookies
    assert '"login"' in cookies
    assert "kept" in project.ok("storage").page
    # Scripts stay confined where a profile has imported cookies.
    assert_clear(project.browse("js", "1"), 4, "Imported cookies for: shop.example", "another")
    project.ok("stop")
    assert "lasting" not in project.ok("cookies").out
    assert_clear(project.browse(*named, "url"), 4, "The running daemon has no --profile")
