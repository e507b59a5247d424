"""Sudden ends: of the daemon, the driver, Chromium, a tab, a client. Nothing is left or hangs."""

import contextlib
import json
import signal
import subprocess

import psutil
import pytest

from support.cli import late, until
from support.life import (
    HEAVY,
    assert_clear,
    chromium,
    driven,
    driver,
    heavy_renderer,
    lives,
    own_daemon,
    see_gone,
    see_none,
    starts,
)

pytestmark = pytest.mark.e2e
SPINNER = "const end = Date.now() + 90; while (Date.now() < end);"
BUSY_PAGE = (
    f"<title>Busy</title><p>busy</p><script>setInterval(() => {{ {SPINNER} }}, 100)</script>"
)
HEAVY_PAGE = f"<title>Heavy</title><p>heavy</p>{HEAVY}"


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


def test_a_killed_daemon_takes_its_family_and_a_spinning_page_along(project, site, told, temporary):
    project.ok("newtab", site.page("/quiet", "<p>quiet"))
    project.ok("newtab", site.page("/busy", BUSY_PAGE))
    project.ok("newtab", site.page("/spin", "<p>spin"))
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
    stopped = project.ok("stop")
    assert "nothing to stop" in stopped.out
    assert not project.state_file.exists()
    assert project.ok("url").page == "about:blank"
    assert starts(project) == 2
    project.end()
    assert list(temporary.iterdir()) == []


def test_the_next_command_after_a_killed_daemon_just_works(lasting):
    lasting.ok("url")
    family = lasting.family()
    family[0].kill()
    see_gone(family[:1])

    assert lasting.ok("url").page == "about:blank"

    assert lasting.state()["pid"] != family[0].pid
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


def test_a_command_that_asks_nothing_of_the_page_is_told_of_the_browsers_death(lasting):
    lasting.ok("newtab")
    begun = starts(lasting)
    client = lasting.start("wait", "60000")
    until(lambda: is_busy(lasting), what="the command to run")

    chromium(lasting).kill()

    _, err = client.communicate(timeout=150)
    assert client.returncode == 1, err
    assert b"Chromium ended" in err
    assert lasting.ok("url").page == "about:blank"  # the dying daemon passes it on to the new one
    assert starts(lasting) == begun + 1


def test_a_command_after_chromiums_death_goes_to_the_next_daemon(lasting):
    lasting.ok("newtab")
    begun = starts(lasting)
    its_driver, its_chromium = driver(lasting), chromium(lasting)
    its_driver.suspend()  # so that nobody can tell the daemon
    try:
        its_chromium.kill()
        see_gone([its_chromium])
        client = lasting.start("url")
        until(lambda: not lasting.state_file.exists(), what="the daemon to notice")
    finally:
        its_driver.resume()

    _, err = client.communicate(timeout=150)
    assert client.returncode == 0, err
    assert starts(lasting) == begun + 1


DRIVER_DIED = ("driver did not start", "Chromium did not start", "Chromium ended")


def test_the_driver_dies_while_chromium_starts(lasting):
    lasting.ok("stop")
    with own_daemon(lasting) as child:
        driver(lasting).kill()

        ran = lasting.browse("url")

        assert child.wait(timeout=150) == 1
    if ran.code:  # the daemon told of it before it ended; otherwise its successor answered
        assert_clear(ran, 1)
        # Which one is true depends on how far the start had come by then.
        assert any(words in ran.err for words in DRIVER_DIED), ran.err
    assert lasting.ok("url").page == "about:blank"


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
    project.ok("goto", site.page("/heavy", HEAVY_PAGE))
    heavy_renderer(project).kill()

    project.ok("goto", site.page("/after", "<p>after"))

    assert project.ok("text").page == "after"


def test_a_crashed_tab_is_told_and_can_be_used_again(lasting, site):
    url = site.page("/heavy", HEAVY_PAGE)
    lasting.ok("newtab", site.page("/other", "<p>other"))
    lasting.ok("newtab", url, "--allowed-domains", "127.0.0.1")
    tab = next(row["id"] for row in lasting.ok("tabs", "--json").json["tabs"] if row["current"])
    lasting.ok("viewport", "640x480", "--scale", "2")
    begun = starts(lasting)

    heavy_renderer(lasting).kill()
    until(lambda: "(crashed)" in lasting.ok("tabs").out, what="the crash to be noticed")

    assert_clear(lasting.browse("text"), 3, "has crashed", "browse reload")
    assert lasting.browse("js", "1", "--json").json["code"] == "tab-crashed"
    assert lasting.browse("screenshot", "--json").json["code"] == "tab-crashed"
    assert lasting.ok("text", "--tab-id", str(tab - 1)).page == "other"

    assert "Reloaded" in lasting.ok("reload").out
    assert lasting.ok("text").page == "heavy"
    assert lasting.ok("url").page == url
    assert lasting.ok("js", "[innerWidth, devicePixelRatio].join()").page == "640,2"

    heavy_renderer(lasting).kill()
    until(lambda: "(crashed)" in lasting.ok("tabs").out, what="the second crash to be noticed")
    lasting.ok("goto", site.page("/after", "<p>after"))

    assert lasting.ok("text", "--tab-id", str(tab)).page == "after"
    assert lasting.ok("tabs", "--json").json["tabs"][-1]["id"] == tab
    fenced = lasting.browse("goto", url.replace("127.0.0.1", "localhost"), "--json")
    assert fenced.json["code"] == "url-refused"
    assert starts(lasting) == begun


def test_a_crash_during_a_command_is_told_to_it(lasting, site, told):
    lasting.ok("newtab", site.page("/doomed", HEAVY_PAGE))
    client = lasting.start("js", tell_and_spin(site, "/told"), "--json")
    until(lambda: told, what="the script to spin")

    heavy_renderer(lasting).kill()

    _, err = client.communicate(timeout=150)
    assert (client.returncode, json.loads(err)["code"]) == (3, "tab-crashed"), err
    lasting.ok("goto", site.page("/well", "<p>well"))
    assert lasting.ok("text").page == "well"


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


def test_a_stopped_daemon_is_busy_and_not_dead(lasting):
    lasting.ok("url")
    daemon = lasting.daemon()
    daemon.suspend()
    try:
        patient = lasting.start("newtab")
        ran = driven(lasting, "url", client={"wire.SILENCE_SECONDS": 0.5})
        assert_clear(ran, 6, "The daemon is busy", "nothing was killed", "--force-restart")
        assert daemon.status() == psutil.STATUS_STOPPED
    finally:
        daemon.resume()

    out, err = patient.communicate(timeout=150)
    assert (patient.returncode, out[:11]) == (0, b"Opened tab "), err
    assert lasting.daemon() == daemon


def test_a_wedged_daemon_is_replaced_on_demand(lasting):
    lasting.ok("newtab")
    family = lasting.family()
    family[0].suspend()

    ran = driven(lasting, "--force-restart", "url", client={"stop.TERM_SECONDS": 0.2})

    assert ran.code == 0, ran.err
    assert ran.page == "about:blank"
    assert f"Ending the daemon (pid {family[0].pid})" in ran.err
    assert lasting.state()["pid"] != family[0].pid
    see_gone(family)


def test_a_wedged_daemon_is_stopped_on_demand(lasting):
    lasting.ok("newtab")
    family = lasting.family()
    family[0].suspend()

    ran = driven(lasting, "--force-restart", "stop", client={"stop.TERM_SECONDS": 0.2})

    assert (ran.code, "forced" in ran.out) == (0, True), ran.err
    see_gone(family)
    see_none(lasting)
    assert not lasting.state_file.exists()


def test_a_wedged_chromium_does_not_hold_up_the_end(lasting):
    lasting.ok("newtab")
    family = lasting.family()
    main = chromium(lasting)
    main.suspend()
    try:
        lasting.ok("stop")
        assert not lives(family[0])
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):  # the driver may have killed it
            main.resume()

    see_gone(family)
