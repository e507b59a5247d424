"""How a person reaches a page of ours."""

from browse.core.settings import Settings
from browse.view.address import forwarding, open_in_browser

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
