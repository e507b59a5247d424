"""Starts with unusual settings, and those that cannot succeed: each says why and leaves nothing."""

import socket
from collections.abc import Iterator

import pytest

from browse.browser.process import chromium
from support.cli import CALL_S, Project
from support.life import assert_clear, driven, see_gone, see_none, starts
from support.programs import a_program

pytestmark = pytest.mark.e2e
CLIENTS = 3
TOKEN = "a-token-of-my-own-choice"


@pytest.fixture(scope="module")
def unusual(tmp_path_factory) -> Iterator[Project]:
    """A project whose daemon was started by a command with settings that few have."""
    folder = tmp_path_factory.mktemp("unusual")
    deep = folder / ("x" * 90)
    deep.mkdir()
    (folder / "file").write_text("")
    made = Project.make(folder, AUTH_TOKEN=TOKEN, BROWSE_IDLE_TIMEOUT="0", TMPDIR=str(deep))
    made.env["GSTACK_HOME"] = str(folder / "file" / "home")
    made.ok("url")
    yield made
    made.end()


def test_a_port_can_be_chosen_and_restart_gives_a_new_daemon_there_with_blank_tabs(lasting, site):
    lasting.ok("stop")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = lasting.browse("url", BROWSE_PORT=str(port))

        assert_clear(ran, 6, f"Port {port} is in use", "BROWSE_PORT")
        see_none(lasting)
        assert not lasting.state_file.exists()

    page = site.page("/before", "<title>Before</title>")
    lasting.ok("goto", page, BROWSE_PORT=str(port))
    assert lasting.state()["port"] == port
    old = lasting.family()

    ran = lasting.ok("restart", BROWSE_PORT=str(port))  # at once, by the successor

    assert ran.out.endswith(f"Restarted (pid {lasting.state()['pid']})\n")
    assert lasting.state()["pid"] != old[0].pid
    assert lasting.state()["port"] == port
    see_gone(old)
    assert lasting.ok("url").page == "about:blank"


@pytest.mark.parametrize("port", ["abc", "99999", "-1", "80 80"])
def test_a_port_that_is_none_is_refused(project, port):
    ran = project.browse("url", BROWSE_PORT=port)

    assert_clear(ran, 6, "BROWSE_PORT must be a whole number", "docs/settings.md")
    see_none(project)


def test_all_bad_settings_are_told_at_once(lasting):
    lasting.ok("stop")

    ran = lasting.browse(
        "url",
        BROWSE_PORT="abc",
        BROWSE_IDLE_TIMEOUT="soon",
        BROWSE_MAX_TABS="0",
        AUTH_TOKEN="short",
    )

    assert_clear(ran, 6, "BROWSE_PORT", "BROWSE_IDLE_TIMEOUT", "BROWSE_MAX_TABS", "AUTH_TOKEN")
    assert "short" not in ran.err
    see_none(lasting)
    lasting.ok("url")


def test_a_chosen_token_is_used(unusual):
    assert unusual.state()["token"] == TOKEN
    assert unusual.ok("url").page == "about:blank"
    assert TOKEN not in unusual.log


def test_an_idle_limit_of_zero_is_none(unusual):
    unusual.ok("wait", "600")
    unusual.ok("url")

    assert starts(unusual) == 1
    assert "idle" not in unusual.log


def test_a_browser_with_a_user_interface_serves_as_well(project, site):
    others = [
        it for it in chromium._candidates(chromium.System.here()) if it.kind != chromium.SHELL
    ]
    if not others:
        pytest.skip("this machine has the headless shell only")
    page = site.page("/with-interface", "<title>T</title><p>words</p><button>Press</button>")
    project.env["GSTACK_CHROMIUM_PATH"] = str(others[0].path)
    project.ok("goto", page)

    assert project.ok("text").page == "words\nPress"
    assert "Press" in project.ok("snapshot", "-i").page
    project.ok("click", "text=Press")
    project.ok("screenshot", "full.png")
    assert (project.root / "full.png").read_bytes().startswith(b"\x89PNG")


def test_a_missing_chromium_is_told_by_its_path(lasting, tmp_path):
    lasting.ok("stop")

    nothing = str(tmp_path / "nothing")
    ran = lasting.browse("goto", "about:blank", "--json", GSTACK_CHROMIUM_PATH=nothing)

    assert_clear(ran, 1, "GSTACK_CHROMIUM_PATH", "nothing", "does not exist")
    assert '"code":"browser-missing"' in ran.err
    lasting.ok("url")  # at once: the dying daemon passes it on
    assert starts_with_good_chromium(lasting)


def starts_with_good_chromium(project) -> bool:
    return project.ok("js", "1 + 1").page == "2"


def test_a_chromium_that_cannot_be_run_is_told(project, tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("not a program")

    assert_clear(project.browse("url", GSTACK_CHROMIUM_PATH=str(plain)), 1, str(plain))
    plain.chmod(0o755)
    assert_clear(project.browse("url", GSTACK_CHROMIUM_PATH=str(plain)), 1, str(plain))
    assert_clear(project.browse("url", GSTACK_CHROMIUM_PATH=str(tmp_path)), 1, str(tmp_path))
    see_none(project)


def test_a_chromium_that_ends_at_once_is_quoted(project, tmp_path):
    broken = a_program(
        tmp_path / "broken",
        "echo '9: [: 252: unexpected operator' >&2; echo 'some ERROR: noise' >&2;"
        " echo '[1:1:0101/0.0:FATAL:a/b.cc:3] The zygote is unwell.' >&2; exit 127",
    )

    ran = project.browse("newtab", GSTACK_CHROMIUM_PATH=str(broken))

    assert_clear(ran, 1, "Chromium did not start", str(broken), ": The zygote is unwell.")
    assert_clear(ran, 1, "browse doctor")


def test_a_chromium_that_never_answers_is_given_up(lasting, tmp_path):
    asleep = a_program(tmp_path / "asleep", "exec sleep 600")
    lasting.ok("stop")

    ran = driven(
        lasting,
        "url",
        daemon={"browser.process.launch.LAUNCH_MS": 500},
        GSTACK_CHROMIUM_PATH=str(asleep),
    )

    assert_clear(ran, 1, "Chromium did not start", str(asleep))
    see_none(lasting)
    assert starts_with_good_chromium(lasting)


def test_a_driver_that_ends_at_once_is_told_and_not_tried_for_ever(project, tmp_path):
    broken = a_program(tmp_path / "node", "exit 3")

    ran = project.browse("url", PLAYWRIGHT_NODEJS_PATH=str(broken))

    assert_clear(ran, 1, "Playwright's driver did not start")
    see_none(project)
    assert project.log.count("listening on ") == 1


def test_a_start_that_nobody_asks_about_is_given_up(project, tmp_path):
    ran = driven(
        project, "restart", daemon={"browser.process.browser.FAILED_START_S": 0.1},
        GSTACK_CHROMIUM_PATH=str(tmp_path / "nothing"),
    )  # fmt: skip

    assert ran.code == 0
    see_none(project)
    assert "stopping: GSTACK_CHROMIUM_PATH" in project.log


def test_many_clients_with_a_broken_chromium_are_all_told(project, tmp_path):
    broken = a_program(tmp_path / "broken", "exit 1")
    clients = [project.start("url", GSTACK_CHROMIUM_PATH=str(broken)) for _ in range(CLIENTS)]
    ends = [client.communicate(timeout=CALL_S) for client in clients]

    assert [client.returncode for client in clients] == [1] * CLIENTS, ends
    assert all(b"Chromium did not start" in err for _, err in ends), ends
    see_none(project)


def test_a_home_that_cannot_be_written_to_and_a_long_temporary_folder_are_no_obstacle(unusual):
    assert unusual.ok("js", "1 + 1").page == "2"
