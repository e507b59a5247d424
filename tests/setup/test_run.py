"""Ctrl-C in `python -m browse.setup`, with real processes and real signals."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from browse import _exit
from support.cli import HANG_S, until
from support.life import lives_still
from support.programs import a_program

pytestmark = pytest.mark.issue(15)


def interrupted(
    tmp_path: Path, command: str, number: signal.Signals = signal.SIGINT
) -> tuple[int, str, int]:
    """Send one signal while a program that the command started runs: code, stderr, its pid."""
    (tmp_path / "temp").mkdir()
    browser = a_program(
        tmp_path / "chromium",
        f"echo $$ > '{tmp_path}/new'; mv '{tmp_path}/new' '{tmp_path}/pid'; exec sleep 300",
    )
    environ = {
        **os.environ,
        "GSTACK_CHROMIUM_PATH": str(browser),
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path / "temp"),
    }
    words = [sys.executable, "-I", "-m", "browse.setup", command]
    with subprocess.Popen(words, env=environ, stdout=-1, stderr=-1, text=True) as process:
        until((tmp_path / "pid").exists, what="the start of the browser")
        process.send_signal(number)
        _, errors = process.communicate(timeout=HANG_S)
    return process.returncode, errors, int((tmp_path / "pid").read_text())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_ends_doctor_and_what_it_started(tmp_path: Path, number: signal.Signals):
    code, errors, child = interrupted(tmp_path, "doctor", number)

    assert code == _exit.INTERRUPTED
    assert errors == "\nbrowse: interrupted. It changes nothing.\n"
    until(lambda: not lives_still(child), what="the end of the browser")
    assert list((tmp_path / "temp").iterdir()) == []


def test_an_interruption_while_it_still_loads_has_no_traceback():
    code = (
        "import sys, runpy, types\n"
        "class Late:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'browse.setup.run':\n"
        "            import os, signal\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Late())\n"
        "runpy.run_module('browse.setup', run_name='__main__')\n"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=HANG_S
    )

    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
