"""Getting a browser, with the real driver and package manager replaced only at their far ends."""

import http.server
import io
import os
import platform
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from browse.browser.process.chromium import System
from browse.core.errors import BrowseError, Code
from browse.setup import get
from support.programs import a_program

UNPACKED = {
    "x86_64": "chrome-headless-shell-linux64/chrome-headless-shell",
    "aarch64": "chrome-headless-shell-linux-arm64/chrome-headless-shell",
}
OF_NO_KNOWN_KIND = {"PLAYWRIGHT_HOST_PLATFORM_OVERRIDE": "none"}


@pytest.fixture
def said() -> list[str]:
    return []


def a_machine(root: Path, uid: int = 0, *, release: str = "ID=debian", host: str = "") -> System:
    """Make a machine without a browser, whose downloads come from `host`.

    Without one it is a machine that the driver has no download for, which it says at once; from a
    host that does not answer it tries five times.
    """
    (root / "etc").mkdir(parents=True)
    (root / "etc/os-release").write_text(release + "\n")
    (root / "bin").mkdir()
    for tool in ("env", "sh", "true"):
        (root / "bin" / tool).symlink_to(f"/usr/bin/{tool}")
    environ = {
        "HOME": str(root),
        "PATH": str(root / "bin"),
        **({"PLAYWRIGHT_DOWNLOAD_HOST": host} if host else OF_NO_KNOWN_KIND),
    }
    return System(environ, sys.platform, root, uid)


def an_apt(root: Path, package: str = get.SHELL_PACKAGE) -> None:
    """Make an apt-get that has one browser, and refuses to install it before an update."""
    a_program(
        root / "bin/apt-get",
        f"""cd '{root}'
echo "$@" >> asked
case "$*" in
*update*) ;;
*" {package}") grep -q update asked || exit 100
    echo '#!/bin/sh' > bin/{package}; /bin/chmod +x bin/{package} ;;
*) echo "E: Could not find it" >&2; exit 100 ;;
esac""",
    )
    (root / "bin/grep").symlink_to("/usr/bin/grep")


@pytest.fixture
def download_host() -> Iterator[str]:
    """Serve an archive that holds a browser, whatever is asked for."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        for name in (*UNPACKED.values(), "ffmpeg-linux"):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o755 << 16
            made.writestr(entry, "#!/bin/sh\n")

    class Serve(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(archive.getvalue())))
            self.end_headers()
            self.wfile.write(archive.getvalue())

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Serve) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_browser_that_is_there_is_taken_without_a_word(tmp_path: Path, said: list[str]):
    machine = a_machine(tmp_path / "m")
    browser = a_program(tmp_path / "m/bin/chromium")

    assert get.get(said.append, system=machine).path == browser
    assert said == []


def test_a_wrong_choice_is_not_replaced(tmp_path: Path, said: list[str]):
    with pytest.raises(BrowseError, match="/nowhere/chrome"):
        get.get(said.append, chosen="/nowhere/chrome", system=a_machine(tmp_path / "m"))
    assert said == []


@pytest.mark.skipif(sys.platform != "linux", reason="the archive has Linux's layout")
def test_playwrights_download_is_taken(tmp_path: Path, said: list[str], download_host: str):
    machine = a_machine(tmp_path / "m", 1000, host=download_host)

    found = get.get(said.append, system=machine)
    assert found.origin == "playwright"
    assert str(found.path).endswith(UNPACKED[platform.machine()])
    assert said[1:] == ["  100 % of 0 MiB"]


def test_debians_shell_is_taken_when_the_download_fails(tmp_path: Path, said: list[str]):
    machine = a_machine(tmp_path / "m")
    an_apt(machine.root)

    found = get.get(said.append, system=machine)
    assert found.path == tmp_path / "m/bin/chromium-headless-shell"
    assert [line.split(":")[0] for line in said] == [
        "Playwright's download",
        "Playwright's download",
        "The system's chromium-headless-shell",
    ]


def test_a_system_without_that_package_gives_its_chromium(tmp_path: Path, said: list[str]):
    machine = a_machine(tmp_path / "m")
    an_apt(machine.root, "chromium")

    found = get.get(said.append, system=machine)
    assert found.path == tmp_path / "m/bin/chromium"
    assert said[-2] == "The system's chromium-headless-shell: Could not find it"


def test_the_best_is_got_where_another_is_there(tmp_path: Path, said: list[str]):
    machine = a_machine(tmp_path / "m")
    a_program(tmp_path / "m/bin/chromium")
    an_apt(machine.root)

    assert get.get(said.append, system=machine, best=True).kind == "headless-shell"
    assert get.get(said.append, system=machine, best=True).kind == "headless-shell"
    assert len(said) == 3


def test_what_is_there_serves_where_the_best_cannot_be_had(tmp_path: Path, said: list[str]):
    machine = a_machine(tmp_path / "m", 1000)
    browser = a_program(tmp_path / "m/bin/chromium")

    assert get.get(said.append, system=machine, best=True).path == browser
    assert said[-1] == "The system's chromium-headless-shell: only known for Debian"


def test_sudo_without_a_password_serves_as_root(tmp_path: Path, said: list[str]):
    machine = a_machine(tmp_path / "m", 1000)
    an_apt(machine.root)
    a_program(machine.root / "bin/sudo", '[ "$1" = -n ] && shift && exec "$@"')

    assert get.get(said.append, system=machine).origin == "system"


@pytest.mark.parametrize(
    ("uid", "release", "tools", "reason"),
    [
        (1000, "ID=debian", "apt-get", "needs root or sudo without a password"),
        (0, "ID=ubuntu", "apt-get", "only as a snap"),
        (0, "ID=linuxmint\nID_LIKE=ubuntu", "apt-get", "only as a snap"),
        (0, "ID=arch", "pacman", "only known for Debian"),
    ],
)
def test_a_closed_way_says_why(tmp_path: Path, uid: int, release: str, tools: str, reason: str):
    machine = a_machine(tmp_path / "m", uid, release=release)
    a_program(machine.root / "bin" / tools)

    assert reason in get.apt_route(machine, "chromium").closed


def test_no_way_left_tells_each_and_the_three_things_to_do(tmp_path: Path, said: list[str]):
    machine = a_machine(tmp_path / "m", 1000, host="http://127.0.0.1:9")

    with pytest.raises(BrowseError) as caught:
        get.get(said.append, system=machine)
    error = caught.value
    assert error.code is Code.BROWSER_MISSING
    assert "Playwright's download: connect ECONNREFUSED 127.0.0.1:9;" in error.message
    assert "The system's chromium: only known for Debian" in error.message
    assert "\n" not in error.message
    for word in ("Install one yourself", "browse install", "GSTACK_CHROMIUM_PATH="):
        assert word in error.hint


def test_a_download_that_hangs_is_stopped(tmp_path: Path):
    slow = a_program(tmp_path / "slow", "exec sleep 300")
    route = get.Route("slow", "", ((str(slow),),), 1)

    assert "stopped after 1 s" in get._take(route, lambda _: None, os.environ)


@pytest.mark.issue(15)
def test_a_download_says_how_far_it_is():
    said: list[str] = []
    progress = get.Progress(said.append)

    for line in ("|■ |  10% of 101.4 MiB", "|■ |  14% of 101.4 MiB", "|■■|  100% of 101.4 MiB"):
        progress.line(line)

    assert said == ["   10 % of 101.4 MiB", "  100 % of 101.4 MiB"]


@pytest.mark.issue(15)
def test_an_installation_says_how_far_it_is():
    said: list[str] = []
    progress = get.Progress(said.append)

    for line in (
        "Reading package lists...",
        "dlstatus:1:50.5:Retrieving file 1 of 2",
        "pmstatus:chromium:20.0:Unpacking chromium",
        "pmstatus:chromium:25.0:Configuring chromium",
    ):
        progress.line(line)

    assert said == ["   50 % fetched", "   20 % installed"]


@pytest.mark.issue(15)
@pytest.mark.parametrize(("downloads", "there"), [(True, "browse-install-"), (False, "usual")])
def test_what_an_interrupted_download_leaves_is_removed(
    tmp_path: Path, downloads: bool, there: str
):
    program = a_program(tmp_path / "p", f'echo "$TMPDIR" > "{tmp_path}/told"; touch "$TMPDIR/half"')
    (tmp_path / "usual").mkdir()
    environ = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path / "usual")}
    route = get.Route("A way", "", ((str(program),),), 20, downloads=downloads)

    assert get._take(route, lambda _: None, environ) == ""

    told = Path((tmp_path / "told").read_text().strip())
    assert told.name.startswith(there)
    assert told.exists() is not downloads
