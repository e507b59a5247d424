from dataclasses import replace
from pathlib import Path

import pytest

from browse.browser.process.chromium import System
from browse.setup import chromium
from browse.setup.check import Scene
from support.programs import a_program


def with_browser(scene: Scene, script: str, **environ: str) -> Scene:
    """Give the machine a browser that does what the script says."""
    path = a_program(Path(scene.environ["PATH"]) / "chromium", script)
    return Scene(replace(scene.system, environ={"PATH": str(path.parent), **environ}))


def test_a_browser_is_named_with_its_version(scene: Scene):
    check = chromium.found(with_browser(scene, "echo Chromium 156.0.1"))

    assert check.ok
    assert check.detail.startswith("Chromium 156.0.1, ")
    assert "of this system" in check.detail


def test_a_browser_with_an_interface_is_told_to_be_the_slower_one(scene: Scene):
    slow = chromium.found(with_browser(scene, "echo Chromium 156.0.1"))
    a_program(Path(scene.environ["PATH"]) / "chromium-headless-shell")
    fast = chromium.found(Scene(scene.system))

    assert slow.ok
    assert "browse install" in slow.detail
    assert "headless-shell" in fast.detail
    assert "browse install" not in fast.detail


def test_no_browser_tells_what_to_do(scene: Scene):
    for look in (chromium.found, chromium.starts):
        check = look(scene)

        assert not check.ok
        assert "browse install" in check.fix


def test_a_browser_that_renders_starts(scene: Scene):
    script = f"echo '<p>{chromium.MARK} HeadlessChrome/156.0.0.0</p>'"

    check = chromium.starts(with_browser(scene, script))
    assert check.ok
    assert "Chrome 156" in check.detail


@pytest.mark.parametrize(
    ("script", "detail", "fix"),
    [
        ("echo error while loading shared libraries: libnss3.so >&2; exit 127", "libnss3", "deps"),
        ("echo FATAL: No usable sandbox! >&2; exit 1", "No usable sandbox", "NO_SANDBOX=1"),
        ("exit 3", "exit code 3", "--headless"),
        ("echo '<p>another page</p>'", "exit code 0", "--headless"),
    ],
)
def test_a_browser_that_does_not_start_tells_why(scene: Scene, script: str, detail: str, fix: str):
    check = chromium.starts(with_browser(scene, script))

    assert not check.ok
    assert detail in check.detail
    assert fix in check.fix


def test_the_sandbox_rule_is_that_of_the_daemon(scene: Scene):
    script = 'case "$*" in *--no-sandbox*) exit 1 ;; *) echo ' + chromium.MARK + " ;; esac"

    assert chromium.starts(with_browser(scene, script)).ok
    assert not chromium.starts(with_browser(scene, script, GSTACK_CHROMIUM_NO_SANDBOX="1")).ok


def test_a_denied_sandbox_is_told(scene: Scene):
    check = chromium.sandbox(with_browser(scene, "echo No usable sandbox! >&2; exit 1"))

    assert not check.ok
    assert "sysctl" in check.fix


def test_a_sandbox_that_works_is_on(scene: Scene):
    assert chromium.sandbox(with_browser(scene, f"echo {chromium.MARK}")).detail == "on"


def test_a_sandbox_left_off_on_purpose_tells_why(scene: Scene):
    check = chromium.sandbox(with_browser(scene, "exit 1", GSTACK_CHROMIUM_NO_SANDBOX="1"))

    assert check.ok
    assert "GSTACK_CHROMIUM_NO_SANDBOX" in check.detail


@pytest.mark.e2e
def test_the_browser_of_this_machine_starts():
    check = chromium.starts(Scene(System.here()))

    assert check.ok, check.detail
    assert "as Chrome" in check.detail


@pytest.fixture(autouse=True)
def _forget_launches():
    chromium._launch.cache_clear()
    yield
    chromium._launch.cache_clear()


def test_the_profile_of_the_trial_is_removed(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))

    chromium.starts(with_browser(scene, f"echo {chromium.MARK}"))
    assert list((tmp_path / "temp").iterdir()) == []
