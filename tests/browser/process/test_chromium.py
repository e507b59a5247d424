from collections.abc import Mapping
from pathlib import Path

import pytest

from browse.browser.process import chromium
from browse.core.errors import BrowseError, Code
from support.programs import a_program

CHROME_MAC = "Google Chrome.app/Contents/MacOS/Google Chrome"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    return tmp_path


def a_system(
    root: Path, platform: str = "linux", uid: int = 1000, environ: Mapping[str, str] | None = None
) -> chromium.System:
    usual = {"HOME": str(root), "PATH": str(root / "bin")}
    return chromium.System({**usual, **(environ or {})}, platform, root, uid)


def own_chromium(home: Path, revision: int) -> Path:
    inside = f".cache/ms-playwright/chromium-{revision}/chrome-linux64/chrome"
    return a_program(home / inside)


def test_the_chosen_browser_comes_first(home: Path):
    a_program(home / "bin/chromium")
    chosen = a_program(home / "elsewhere/brave-nightly")

    assert chromium.find(str(chosen), a_system(home)) == chromium.FoundChromium(
        chosen, "brave", "setting"
    )


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("missing", "does not exist"), ("folder", "not a program"), ("plain.txt", "not a program")],
)
def test_a_chosen_browser_that_cannot_run_is_named(home: Path, name: str, wrong: str):
    (home / "folder").mkdir()
    (home / "plain.txt").write_text("not a browser")
    a_program(home / "bin/chromium")

    with pytest.raises(BrowseError, match=wrong) as caught:
        chromium.find(str(home / name), a_system(home))
    assert caught.value.code is Code.BROWSER_MISSING
    assert str(home / name) in caught.value.message
    assert "GSTACK_CHROMIUM_PATH" in caught.value.hint


def test_playwrights_own_comes_before_the_systems(home: Path):
    a_program(home / "bin/google-chrome")
    own = own_chromium(home, 7)

    assert chromium.find("", a_system(home)) == chromium.FoundChromium(
        own, "chromium", "playwright"
    )


def own_shell(home: Path, revision: int) -> Path:
    below = f".cache/ms-playwright/chromium_headless_shell-{revision}"
    return a_program(home / below / "chrome-headless-shell-linux64/chrome-headless-shell")


def test_a_headless_shell_comes_before_a_browser_with_an_interface(home: Path):
    own_chromium(home, 7)
    own = own_shell(home, 7)

    assert chromium.find("", a_system(home)) == chromium.FoundChromium(
        own, "headless-shell", "playwright"
    )


def test_the_drivers_revision_comes_before_a_shell_of_another(home: Path):
    wanted = own_chromium(home, chromium._driver_revision())
    own_shell(home, 7)

    assert chromium.find("", a_system(home)).path == wanted


def test_the_systems_shell_comes_before_its_browsers_and_its_script_is_passed_by(home: Path):
    a_program(home / "usr/bin/google-chrome")
    a_program(home / "usr/bin/chromium-headless-shell", "exec something else")
    shell = a_program(home / "usr/lib/chromium/chromium-headless-shell")
    system = a_system(home, environ={"PATH": str(home / "usr/bin")})

    assert chromium.find("", system) == chromium.FoundChromium(shell, "headless-shell", "system")


def test_the_drivers_revision_comes_before_a_newer_one(home: Path):
    wanted = own_chromium(home, chromium._driver_revision())
    own_chromium(home, 999_999)

    assert chromium.find("", a_system(home)).path == wanted


def test_the_newest_of_other_revisions_is_taken(home: Path):
    own_chromium(home, 998)
    newest = own_chromium(home, 1001)

    assert chromium.find("", a_system(home)).path == newest


def test_a_half_unpacked_download_is_passed_over(home: Path):
    (home / ".cache/ms-playwright/chromium-1001/chrome-linux64").mkdir(parents=True)
    whole = own_chromium(home, 998)

    assert chromium.find("", a_system(home)).path == whole


@pytest.mark.parametrize(
    ("platform", "environ", "below"),
    [
        ("linux", {}, ".cache/ms-playwright"),
        ("linux", {"XDG_CACHE_HOME": "{home}/other"}, "other/ms-playwright"),
        ("darwin", {"XDG_CACHE_HOME": "{home}/other"}, "Library/Caches/ms-playwright"),
        ("linux", {"PLAYWRIGHT_BROWSERS_PATH": "{home}/own"}, "own"),
    ],
)
def test_playwrights_folder(home: Path, platform: str, environ: dict[str, str], below: str):
    given = {name: value.format(home=home) for name, value in environ.items()}

    assert chromium.playwright_folder(a_system(home, platform, environ=given)) == home / below


def test_playwrights_folder_inside_the_driver(home: Path):
    folder = chromium.playwright_folder(a_system(home, environ={"PLAYWRIGHT_BROWSERS_PATH": "0"}))

    assert folder == chromium.driver_package() / ".local-browsers"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("chromium-headless-shell", "headless-shell"),
        ("google-chrome-stable", "chrome"),
        ("chromium", "chromium"),
        ("microsoft-edge", "edge"),
        ("brave-browser", "brave"),
    ],
)
def test_browsers_on_path_are_found(home: Path, name: str, kind: str):
    path = a_program(home / "bin" / name)

    assert chromium.find("", a_system(home)) == chromium.FoundChromium(path, kind, "system")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("platform", "inside", "environ"),
    [
        ("linux", "opt/google/chrome/chrome", {}),
        ("linux", "snap/bin/chromium", {}),
        ("darwin", f"Applications/{CHROME_MAC}", {}),
        ("darwin", f"me/Applications/{CHROME_MAC}", {"HOME": "{home}/me"}),
    ],
)
def test_browsers_in_usual_places_are_found(
    home: Path, platform: str, inside: str, environ: dict[str, str]
):
    path = a_program(home / inside)
    given = {name: value.format(home=home) for name, value in environ.items()}

    assert chromium.find("", a_system(home, platform, environ=given)).path == path


def test_ubuntus_shim_is_no_browser(home: Path):
    a_program(home / "bin/chromium-browser", "echo please run: snap install chromium; exit 1")

    with pytest.raises(BrowseError):
        chromium.find("", a_system(home))


def test_ubuntus_shim_works_once_the_snap_is_there(home: Path):
    shim = a_program(home / "bin/chromium-browser", "exec /snap/bin/chromium")
    a_program(home / "snap/bin/chromium")

    assert chromium.find("", a_system(home)).path == shim


def test_a_link_to_nowhere_is_passed_over(home: Path):
    (home / "bin/google-chrome").symlink_to(home / "gone")
    real = a_program(home / "bin/chromium")

    assert chromium.find("", a_system(home)).path == real


@pytest.mark.parametrize(
    ("tool", "command"), [("apt-get", "apt install"), ("pacman", "pacman -S"), ("none", "https://")]
)
def test_nothing_found_tells_the_three_things_to_do(home: Path, tool: str, command: str):
    a_program(home / "bin" / tool)

    with pytest.raises(BrowseError) as caught:
        chromium.find("", a_system(home))
    assert caught.value.code is Code.BROWSER_MISSING
    assert "browse install" in caught.value.hint
    assert "GSTACK_CHROMIUM_PATH=" in caught.value.hint
    assert command in caught.value.hint


def test_a_window_needs_more_than_the_headless_shell(home: Path):
    a_program(home / "bin/chromium-headless-shell")

    with pytest.raises(BrowseError, match="headless shell cannot") as caught:
        chromium.find_with_window("", a_system(home))

    assert caught.value.code is Code.BROWSER_MISSING


def test_a_window_is_opened_with_chromium_rather_than_chrome(home: Path):
    a_program(home / "bin/google-chrome")
    wanted = a_program(home / "bin/chromium")

    assert chromium.find_with_window("", a_system(home)).path == wanted


def test_a_headless_shell_that_was_chosen_is_named(home: Path):
    shell = a_program(home / "elsewhere/chrome-headless-shell")
    a_program(home / "bin/chromium")

    with pytest.raises(BrowseError, match="a headless shell, which cannot"):
        chromium.find_with_window(str(shell), a_system(home))
