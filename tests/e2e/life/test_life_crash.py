"""Sudden ends: of the daemon, the driver, Chromium, a tab, a client. Nothing is left or hangs."""

import contextlib
import json
import signal
import subprocess

import psutil
import pytest

from support.cli import late, until
from support.life import (
    assert_clear,
    chromium,
    driven,
    driver,
    lives,
    own_daemon,
    renderer_at_work,
    see_gone,
    see_none,
    starts,
)

pytestmark = pytest.mark.e2e
SPINNER = "const end = Date.now() + 90; while (Date.now() < end);"
BUSY_PAGE = (
    f"<title>Busy</title><p>busy</p><script>setInterval(() => {{ {SPINNER} }}, 100)</script>"
)


def tell_and_spin(site, path: str) -> str:
    """Write a script that tells the site that it runs, and then never ends."""
    return (
        f"const call = new XMLHttpRequest(); call.open('GET', '{site.url}{path}', false);"
        " call.send(); while (true);"
    )


@pytest.fixture
def told(site):
    """An address that a page calls when its script has begun, and the calls so far."""
    calls: list[str] = []

    def answer(request) -> None:
        calls.append(request.path)
        request.send_response(204)
        request.send_header("access-control-allow-origin", "*")
        request.end_headers()

    site.answer("/told", answer)
    return calls


def test_a_killed_daemon_takes_its_family_along(project, site, temporary):
    for number in range(4):
        project.ok("newtab", site.page(f"/tab/{number}", BUSY_PAGE if number else "<p>quiet"))
    family = project.family()

    project.daemon().kill()

    see_gone(family)
    see_none(project)
    stopped = project.ok("stop")
    assert "nothing to stop" in stopped.out
    assert not project.state_file.exists()
    assert project.ok("url").page == "about:blank"
    assert starts(project) == 2
    project.end()
    assert list(temporary.iterdir()) == []


def test_a_killed_daemon_takes_a_spinning_page_along(project, site, told):
    project.ok("goto", site.page("/spin", "<p>spin"))
    client = project.start("js", tell_and_spin(site, "/told"))
    until(lambda: told, what="the script to spin")
    family = project.family()

    project.daemon().kill()

    see_gone(family)
    see_none(project)
    out, err = client.communicate(timeout=150)
    assert client.returncode == 6, err
    assert b"ended while the command ran" in err
    assert out == b""
    project.ok("url")


def test_the_next_command_after_a_killed_daemon_just_works(project):
    project.ok("url")
    family = project.family()
    family[0].kill()
    see_gone(family[:1])

    assert project.ok("url").page == "about:blank"

    assert project.state()["pid"] != family[0].pid
    see_gone(family)


@pytest.mark.parametrize("victim", [driver, chromium])
def test_the_death_of_the_browser_ends_the_daemon(project, temporary, victim):
    child = own_daemon(project)
    project.ok("newtab")
    family = project.family()
    client = project.start("wait", "--js", "document.title = 'waiting', false", "--json")
    until(lambda: "waiting" in project.ok("tabs").out, what="the command to wait")

    victim(project).kill()

    _, err = client.communicate(timeout=150)
    assert (client.returncode, json.loads(err)["code"]) == (1, "browser-gone"), err
    assert child.wait(timeout=150) == 1
    see_gone(family)
    see_none(project)
    assert not project.state_file.exists()
    assert project.ok("url").page == "about:blank"
    assert len(list(temporary.iterdir())) == 1  # what the dead left behind is gone
    project.end()
    assert list(temporary.iterdir()) == []


def test_a_command_that_asks_nothing_of_the_page_is_told_of_the_browsers_death(project):
    project.ok("newtab")
    client = project.start("wait", "60000")
    until(lambda: is_busy(project), what="the command to run")

    chromium(project).kill()

    _, err = client.communicate(timeout=150)
    assert client.returncode == 1, err
    assert b"Chromium ended" in err
    assert project.ok("url").page == "about:blank"  # the dying daemon passes it on to the new one
    assert starts(project) == 2


def test_a_command_after_chromiums_death_goes_to_the_next_daemon(project):
    project.ok("newtab")
    its_driver, its_chromium = driver(project), chromium(project)
    its_driver.suspend()  # so that nobody can tell the daemon
    try:
        its_chromium.kill()
        see_gone([its_chromium])
        client = project.start("url")
        until(lambda: not project.state_file.exists(), what="the daemon to notice")
    finally:
        its_driver.resume()

    _, err = client.communicate(timeout=150)
    assert client.returncode == 0, err
    assert starts(project) == 2


DRIVER_DIED = ("driver did not start", "Chromium did not start", "Chromium ended")


def test_the_driver_dies_while_chromium_starts(project):
    with own_daemon(project) as child:
        driver(project).kill()

        ran = project.browse("url")

        assert child.wait(timeout=150) == 1
    if ran.code:  # the daemon told of it before it ended; otherwise its successor answered
        assert_clear(ran, 1)
        # Which one is true depends on how far the start had come by then.
        assert any(words in ran.err for words in DRIVER_DIED), ran.err
    assert project.ok("url").page == "about:blank"


def is_busy(project) -> bool:
    """Tell whether a command holds the current tab, by asking for it and not waiting long."""
    asker = project.start("url")
    try:
        asker.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        return True
    finally:
        asker.kill()
        asker.communicate()
    return False


def test_a_goto_right_after_a_crash_finds_its_way(project, site):
    project.env |= late("300")  # the daemon has not heard of the crash when the command comes
    project.ok("goto", site.page("/busy", BUSY_PAGE))
    renderer_at_work(project).kill()

    project.ok("goto", site.page("/after", "<p>after"))

    assert project.ok("text").page == "after"


def test_a_crashed_tab_is_told_and_can_be_used_again(project, site):
    url = site.page("/busy", BUSY_PAGE)
    project.ok("newtab", site.page("/other", "<p>other"))
    project.ok("newtab", url, "--allowed-domains", "127.0.0.1")
    tab = next(row["id"] for row in project.ok("tabs", "--json").json["tabs"] if row["current"])
    project.ok("viewport", "640x480", "--scale", "2")

    renderer_at_work(project).kill()
    until(lambda: "(crashed)" in project.ok("tabs").out, what="the crash to be noticed")

    assert_clear(project.browse("text"), 3, "has crashed", "browse reload")
    assert project.browse("js", "1", "--json").json["code"] == "tab-crashed"
    assert project.browse("screenshot", "--json").json["code"] == "tab-crashed"
    assert project.ok("text", "--tab-id", str(tab - 1)).page == "other"

    assert "Reloaded" in project.ok("reload").out
    assert project.ok("text").page == "busy"
    assert project.ok("url").page == url
    assert project.ok("js", "[innerWidth, devicePixelRatio].join()").page == "640,2"

    renderer_at_work(project).kill()
    until(lambda: "(crashed)" in project.ok("tabs").out, what="the second crash to be noticed")
    project.ok("goto", site.page("/after", "<p>after"))

    assert project.ok("text", "--tab-id", str(tab)).page == "after"
    assert project.ok("tabs", "--json").json["tabs"][-1]["id"] == tab
    fenced = project.browse("goto", url.replace("127.0.0.1", "localhost"), "--json")
    assert fenced.json["code"] == "url-refused"
    assert starts(project) == 1


def test_a_crash_during_a_command_is_told_to_it(project, site, told):
    project.ok("newtab", site.page("/doomed", "<p>doomed"))
    client = project.start("js", tell_and_spin(site, "/told"), "--json")
    until(lambda: told, what="the script to spin")

    renderer_at_work(project).kill()

    _, err = client.communicate(timeout=150)
    assert (client.returncode, json.loads(err)["code"]) == (3, "tab-crashed"), err
    project.ok("goto", site.page("/well", "<p>well"))
    assert project.ok("text").page == "well"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_client_that_is_killed_takes_its_command_along(browser, site, told, number):
    begun = starts(browser)
    browser.ok("goto", site.page("/script", "<p>script"))
    waiting = browser.start("wait", "60000")
    until(lambda: is_busy(browser), what="the command to run")

    waiting.send_signal(number)
    waiting.communicate(timeout=150)

    assert browser.ok("text").page == "script"

    spinning = browser.start("js", tell_and_spin(site, "/told"))
    until(lambda: told, what="the script to spin")
    spinning.send_signal(number)
    spinning.communicate(timeout=150)

    assert browser.ok("text").page == "script"
    assert starts(browser) == begun


def test_a_stopped_daemon_is_busy_and_not_dead(project):
    project.ok("url")
    daemon = project.daemon()
    daemon.suspend()
    try:
        patient = project.start("newtab")
        ran = driven(project, "url", client={"wire.SILENCE_SECONDS": 0.5})
        assert_clear(ran, 6, "The daemon is busy", "nothing was killed", "--force-restart")
        assert daemon.status() == psutil.STATUS_STOPPED
    finally:
        daemon.resume()

    out, err = patient.communicate(timeout=150)
    assert (patient.returncode, out) == (0, b"Opened tab 2\n"), err
    assert project.daemon() == daemon


def test_a_wedged_daemon_is_replaced_on_demand(project):
    project.ok("newtab")
    family = project.family()
    family[0].suspend()

    ran = driven(project, "--force-restart", "url", client={"stop.TERM_SECONDS": 0.2})

    assert ran.code == 0, ran.err
    assert ran.page == "about:blank"
    assert f"Ending the daemon (pid {family[0].pid})" in ran.err
    assert project.state()["pid"] != family[0].pid
    see_gone(family)


def test_a_wedged_daemon_is_stopped_on_demand(project):
    project.ok("newtab")
    family = project.family()
    family[0].suspend()

    ran = driven(project, "--force-restart", "stop", client={"stop.TERM_SECONDS": 0.2})

    assert (ran.code, "forced" in ran.out) == (0, True), ran.err
    see_gone(family)
    see_none(project)
    assert not project.state_file.exists()


def test_a_wedged_chromium_does_not_hold_up_the_end(project):
    project.ok("newtab")
    family = project.family()
    main = chromium(project)
    main.suspend()
    try:
        project.ok("stop")
        assert not lives(family[0])
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):  # the driver may have killed it
            main.resume()

    see_gone(family)
