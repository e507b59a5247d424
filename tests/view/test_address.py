"""How a person reaches a page of ours."""

import sys

import psutil
import pytest

from browse.core.settings import Settings
from browse.view.address import forwarding, open_in_browser
from support.cli import until
from support.programs import a_program

PAGE = "http://127.0.0.1:4000/view?tab=1#code"


def test_over_ssh_the_command_to_type_is_known():
    told = forwarding(Settings(ssh_connection="10.0.0.9 55000 10.0.0.5 2222"), PAGE)

    assert told.startswith("ssh -N -L 4000:127.0.0.1:4000 -p 2222 ")
    assert told.endswith("10.0.0.5")
    assert "code" not in told


def test_without_ssh_there_is_none():
    assert forwarding(Settings(), PAGE) == ""
    assert forwarding(Settings(ssh_connection="nonsense"), PAGE) == ""


async def test_without_a_desktop_nothing_is_opened():
    assert not await open_in_browser(Settings(), PAGE)
    over_ssh = Settings(display=":0", ssh_connection="10.0.0.9 55000 10.0.0.5 22")
    assert not await open_in_browser(over_ssh, PAGE)


@pytest.mark.skipif(sys.platform == "darwin", reason="there it is `open`")
async def test_a_browser_that_is_opened_goes_on_by_itself(tmp_path, monkeypatch):
    told, pid = tmp_path / "told.txt", tmp_path / "pid.txt"
    script = f'sleep 300 & echo $! > "{pid}"; echo "$1" > "{told}.new"; mv "{told}.new" "{told}"'
    program = a_program(tmp_path / "bin" / "xdg-open", script)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")

    assert await open_in_browser(Settings(display=":7"), PAGE)

    until(told.exists, what="the program that opens addresses")
    assert told.read_text() == f"{PAGE}\n"
    browser = psutil.Process(int(pid.read_text()))
    assert browser.is_running()
    browser.kill()


async def test_a_program_that_cannot_be_started_opened_nothing(tmp_path, monkeypatch):
    program = a_program(tmp_path / "bin" / "xdg-open")
    program.write_text("#!/nowhere/at/all\n")
    monkeypatch.setenv("PATH", str(program.parent))

    assert not await open_in_browser(Settings(display=":7"), PAGE)
