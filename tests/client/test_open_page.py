"""A page whose address a command prints is opened where there is a desktop."""

import sys

import pytest

from support.cli import until
from support.fake_daemon import FRAMES_HEAD, FakeDaemon, frames
from support.programs import a_program

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="there it is `open`")


@pytest.fixture
def desktop(project, tmp_path):
    """A desktop whose program for addresses writes down what it was asked to open."""
    opened = tmp_path / "opened.txt"
    script = f'echo "$1" > {opened}.new && mv {opened}.new {opened}'
    program = a_program(tmp_path / "bin" / "xdg-open", script)
    project.env |= {"PATH": f"{program.parent}:{project.env['PATH']}", "DISPLAY": ":7"}
    return opened


def prints(text: str):
    """Have the daemon print an address of its own, in small pieces."""

    def script(peer, _) -> None:
        here = f"http://127.0.0.1:{peer.getsockname()[1]}/"
        data = FRAMES_HEAD + frames(text.format(here=here).encode())
        for at in range(0, len(data), 7):
            peer.sendall(data[at : at + 7])

    return script


@pytest.mark.parametrize("text", ["Dashboard: {here}#code\nOnce.\n", '{{"url":"{here}#code"}}\n'])
def test_the_address_is_opened_and_printed(project, desktop, text):
    with FakeDaemon(project.state, prints(text)) as daemon:
        done = project.run("dashboard")
        here = f"http://127.0.0.1:{daemon.port}/#code"

        assert here in done.stdout.decode()
        assert until(lambda: desktop.exists() and desktop.read_text()) == f"{here}\n"


@pytest.mark.parametrize(
    ("words", "env"),
    [
        (["dashboard", "--no-open"], {}),
        (["dashboard"], {"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}),
        (["dashboard"], {"DISPLAY": ""}),
        (["url"], {}),
    ],
)
def test_elsewhere_it_is_only_printed(project, desktop, words, env):
    project.env |= env
    with FakeDaemon(project.state, prints("Dashboard: {here}#code\n")):
        done = project.run(*words)

    assert b"#code" in done.stdout
    assert not desktop.exists()


def test_an_address_elsewhere_is_not_opened(project, desktop):
    words = "Dashboard: http://evil.example/#code http://127.0.0.1:1/#x\n"
    with FakeDaemon(project.state, prints(words)):
        project.run("dashboard")

    assert not desktop.exists()
