"""Which display a window gets, and what is said where there is none."""

import socket
from pathlib import Path

import pytest

from browse.browser.process.chromium import System
from browse.browser.window.display import open_display, require_answer, xauthority
from browse.core.errors import BrowseError, Code
from support.programs import a_program


def a_system(root: Path, platform: str = "linux", **environ: str) -> System:
    return System({"PATH": str(root / "bin"), **environ}, platform, root, 1000)


async def test_a_mac_needs_none(tmp_path):
    display = await open_display(a_system(tmp_path, "darwin"), tmp_path)

    assert display.note == ""
    assert display.environ == {}


async def test_wayland_is_taken_as_it_is(tmp_path):
    display = await open_display(a_system(tmp_path, WAYLAND_DISPLAY="wayland-0"), tmp_path)

    assert (display.name, display.note) == ("wayland-0", "")


@pytest.mark.parametrize("variable", ["asked", "DISPLAY"])
async def test_a_display_that_is_gone_is_named(tmp_path, variable):
    asked = {"DISPLAY": ":9871"}
    system = a_system(tmp_path, **({} if variable == "asked" else asked))

    with pytest.raises(BrowseError, match=":9871") as caught:
        await open_display(system, tmp_path, asked if variable == "asked" else None)

    assert caught.value.code is Code.WINDOW


def test_a_display_that_listens_answers():
    name = f"\0/tmp/.X11-unix/X{9000 + socket.AF_UNIX}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()

        require_answer(f":{name.rpartition('X')[2]}.0")


def test_a_display_of_another_machine_is_not_checked():
    require_answer("desk.example:10.0")


async def test_without_xvfb_it_is_said_how_to_get_it(tmp_path):
    (tmp_path / "bin").mkdir()
    a_program(tmp_path / "bin/apt-get")

    with pytest.raises(BrowseError, match="no display") as caught:
        await open_display(a_system(tmp_path), tmp_path)

    assert "sudo apt install xvfb" in caught.value.hint


async def test_a_virtual_display_that_does_not_start_is_told(tmp_path):
    (tmp_path / "bin").mkdir()
    program = a_program(tmp_path / "bin/Xvfb")
    program.write_text("#!/bin/sh\nexit 1\n")

    with pytest.raises(BrowseError, match="did not start"):
        await open_display(a_system(tmp_path), tmp_path)


async def test_a_virtual_display_has_a_cookie_and_ends(tmp_path):
    (tmp_path / "bin").mkdir()
    program = a_program(tmp_path / "bin/Xvfb")
    program.write_text(f"#!/bin/sh\necho $* > '{tmp_path}/words'\necho 42\nexec sleep 60\n")

    display = await open_display(a_system(tmp_path, PATH=f"{tmp_path}/bin:/bin:/usr/bin"), tmp_path)
    await display.close()

    cookies = tmp_path / "Xauthority"
    assert display.environ == {"DISPLAY": ":42", "XAUTHORITY": str(cookies)}
    assert cookies.stat().st_mode & 0o777 == 0o600
    assert f"-auth {cookies}" in (tmp_path / "words").read_text()
    assert display.server
    assert display.server.ended.done()


def test_the_cookie_is_in_the_format_of_x(tmp_path):
    raw = xauthority(b"0123456789abcdef")

    assert raw == (b"\xff\xff\x00\x00\x00\x00\x00\x12MIT-MAGIC-COOKIE-1\x00\x100123456789abcdef")
