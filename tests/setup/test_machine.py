import importlib.metadata
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from browse.setup import machine, programs
from browse.setup.check import Scene
from browse.skills import sandbox


def with_environ(scene: Scene, **environ: str) -> Scene:
    return Scene(replace(scene.system, environ={**scene.environ, **environ}))


def test_settings_that_can_be_read(scene: Scene):
    assert machine.settings(scene).ok


def test_settings_that_cannot_be_read_are_named(scene: Scene):
    check = machine.settings(with_environ(scene, BROWSE_PORT="many"))

    assert not check.ok
    assert "BROWSE_PORT" in check.detail
    assert "BROWSE_PORT" in check.fix


def test_this_python_will_do(scene: Scene):
    assert machine.python(scene).ok


def test_an_older_python_will_not(scene: Scene, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))

    check = machine.python(scene)
    assert not check.ok
    assert "3.10.4" in check.detail


def test_the_installed_packages_will_do(scene: Scene):
    check = machine.packages(scene)

    assert check.ok
    assert f"playwright {importlib.metadata.version('playwright')}" in check.detail


@pytest.mark.parametrize(
    ("floors", "wrong"),
    [
        ({"msgspec": "99.1"}, "is older than 99.1"),
        ({"no-such-package": "1"}, "no-such-package is missing"),
    ],
)
def test_packages_below_their_floor_are_named(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, floors: dict[str, str], wrong: str
):
    monkeypatch.setattr(machine, "floors", lambda: floors)

    check = machine.packages(scene)
    assert not check.ok
    assert wrong in check.detail
    assert check.fix


def test_every_runtime_dependency_has_a_floor():
    assert {"playwright", "starlette", "uvicorn", "msgspec"} <= set(machine.floors())


def test_the_temp_folder_can_be_written(scene: Scene):
    assert machine.temp(scene).ok


def test_a_temp_folder_that_cannot_be_written_is_named(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(machine, "temp_folder", lambda: Path("/proc/1"))

    check = machine.temp(scene)
    assert not check.ok
    assert "/proc/1" in check.detail


def test_loopback_works(scene: Scene):
    assert machine.loopback(scene).ok


def test_loopback_that_is_refused_is_told(scene: Scene, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> socket.socket:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(socket, "create_server", refuse)

    check = machine.loopback(scene)
    assert not check.ok
    assert "Operation not permitted" in check.detail


def test_a_disk_with_room(scene: Scene):
    assert machine.disk(scene, low_mb=0).ok


def test_a_disk_without_room(scene: Scene):
    check = machine.disk(scene, low_mb=10**12)

    assert not check.ok
    assert "Free" in check.fix


def test_a_plain_pth_file_is_no_burden(scene: Scene, tmp_path: Path):
    (tmp_path / "plain.pth").write_text("../src\n")

    assert machine.start_up(scene, [tmp_path]).ok


@pytest.mark.issue(15)
def test_the_program_of_a_checkout_has_no_such_burden(scene: Scene):
    assert "loads no site-packages" in machine.start_up(scene, slow_ms=-1e6).detail


@pytest.mark.parametrize(("slow_ms", "ok"), [(-1e6, False), (1e6, True)])
def test_a_pth_file_that_runs_code_is_named_with_its_cost(
    scene: Scene, tmp_path: Path, slow_ms: float, ok: bool
):
    (tmp_path / "hook.pth").write_text("import this_is_slow\n")

    check = machine.start_up(scene, [tmp_path], slow_ms)
    assert check.ok is ok
    assert "hook.pth" in check.detail
    assert " ms to every command" in check.detail


def test_starts_are_timed_in_turn(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "hook.pth").write_text("import nothing\n")
    plain: list[bool] = []
    monkeypatch.setattr(programs, "run", lambda argv, **_: plain.append("-S" in argv))

    machine.start_up(scene, [tmp_path])

    assert plain == [False, True] * machine.START_ROUNDS


@pytest.mark.parametrize(
    ("found", "ok"), [("UTF-8", True), ("utf8", True), ("ISO-8859-1", False), ("cp1252", False)]
)
def test_only_utf_8_will_do(scene: Scene, found: str, ok: bool):
    assert machine.encoding(scene, found).ok is ok


def test_the_sandbox_of_skills_is_named(scene: Scene):
    check = machine.skills(scene)

    assert check.ok
    assert check.detail == f"sandbox of untrusted skills: {sandbox.available()}"


@pytest.mark.issue(15)
def test_packages_of_extras_are_not_needed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "_checkout_requirements", list)
    monkeypatch.setattr(
        importlib.metadata,
        "requires",
        lambda _: ["msgspec>=0.20", "ngrok>=1.4; extra == 'ngrok'", 'x>=1 ; extra=="models"'],
    )

    assert machine.floors() == {"msgspec": "0.20"}


@pytest.mark.parametrize(
    ("script", "ok", "said"),
    [
        (None, True, "no browse on the PATH"),
        ("#!/x/python\nfrom browse.client.main import main\n", True, "another installation"),
        ("#!/usr/bin/env node\nrequire('browse')\n", False, "another program"),
    ],
)
def test_a_browse_on_the_path_that_is_not_this_tool_is_told(
    scene: Scene, tmp_path: Path, script: str | None, ok: bool, said: str
):
    if script:
        (tmp_path / "browse").write_text(script)
        (tmp_path / "browse").chmod(0o755)

    check = machine.name(with_environ(scene, PATH=str(tmp_path)))

    assert (check.ok, said in check.detail) == (ok, True)
    assert ok or "gbrowse" in check.fix
