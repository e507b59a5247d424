import http.server
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from browse import _where
from browse.setup import project
from browse.setup.check import Scene


@pytest.fixture
def folder(scene: Scene) -> Path:
    made = scene.paths.state_dir
    made.mkdir(mode=0o700)
    return made


def write_state(folder: Path, pid: int, port: int, started: str = "") -> Path:
    path = folder / "browse.json"
    lines = [f'"pid": {pid}', f'"port": {port}', '"token": "secret"', f'"pidStart": "{started}"']
    path.write_text("{\n  " + ",\n  ".join(lines) + "\n}\n")
    return path


@pytest.fixture
def healthy_port() -> Iterator[int]:
    class Healthy(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Healthy) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_a_private_state_folder_is_well(scene: Scene, folder: Path):
    assert project.state_folder(scene).ok


def test_a_missing_state_folder_is_not_made(scene: Scene):
    assert project.state_folder(scene).ok
    assert not scene.paths.state_dir.exists()


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o777])
def test_a_state_folder_open_to_others_is_told(scene: Scene, folder: Path, mode: int):
    folder.chmod(mode)

    check = project.state_folder(scene)
    assert not check.ok
    assert f"{mode:04o}" in check.detail
    assert check.fix == f"chmod 700 {folder}"
    assert folder.stat().st_mode & 0o777 == mode


def test_a_file_in_the_folders_place_is_told(scene: Scene):
    scene.paths.state_dir.write_text("")

    assert not project.state_folder(scene).ok


def test_no_daemon_is_well(scene: Scene):
    assert project.daemon(scene).detail.startswith("none is running")


def test_a_daemon_that_answers_is_running(scene: Scene, folder: Path, healthy_port: int):
    write_state(folder, os.getpid(), healthy_port, _where.pid_start(os.getpid()))

    check = project.daemon(scene)
    assert check.ok
    assert check.detail == f"running, pid {os.getpid()}, port {healthy_port}"


def test_a_daemon_that_has_ended_is_told_and_its_file_kept(scene: Scene, folder: Path):
    ended = subprocess.Popen([sys.executable, "-I", "-c", "pass"])
    ended.wait()
    path = write_state(folder, ended.pid, 1, "1")

    check = project.daemon(scene)
    assert check.ok
    assert "has ended" in check.detail
    assert path.exists()


def test_a_daemon_that_does_not_answer_is_told(scene: Scene, folder: Path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        write_state(folder, os.getpid(), closed.getsockname()[1], _where.pid_start(os.getpid()))

        check = project.daemon(scene)
    assert not check.ok
    assert "does not answer" in check.detail
    assert "--force-restart" in check.fix


def test_a_state_file_that_is_cut_off_is_told(scene: Scene, folder: Path):
    (folder / "browse.json").write_text('{\n  "pid": 1')

    check = project.daemon(scene)
    assert not check.ok
    assert "cannot be used" in check.detail
