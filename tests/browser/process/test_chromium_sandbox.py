import subprocess
import sys
from pathlib import Path

import pytest

from browse.browser.process import chromium_sandbox
from browse.browser.process.chromium import System
from browse.browser.process.chromium_sandbox import why_no_sandbox


@pytest.mark.parametrize(
    ("uid", "file", "off", "contained", "works", "reason"),
    [
        (1000, "", None, False, False, ""),
        (1000, "", True, False, True, "GSTACK_CHROMIUM_NO_SANDBOX"),
        (0, "", None, False, True, "root"),
        (1000, "", None, True, False, "CI"),
        (1000, ".dockerenv", None, False, False, "Docker"),
        (1000, "run/.containerenv", None, False, False, "container"),
        # A dev container whose kernel allows it; and who insists on it.
        (1000, ".dockerenv", None, True, True, ""),
        (1000, ".dockerenv", False, True, False, ""),
        (0, "", False, False, False, ""),
    ],
)
def test_when_the_sandbox_is_left_off(
    tmp_path: Path, uid: int, file: str, off: bool | None, contained: bool, works: bool, reason: str
):
    if file:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    system = System({}, "linux", tmp_path, uid)

    why = why_no_sandbox(off=off, contained=contained, system=system, works=lambda: works)

    assert reason in why
    assert bool(why) == bool(reason)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has namespaces")
def test_whether_namespaces_are_allowed_is_tried_and_leaves_this_process_alone():
    before = Path("/proc/self/ns/user").readlink()
    tool = subprocess.run(["unshare", "-Upn", "true"], capture_output=True, check=False)

    assert chromium_sandbox.namespaces() is (tool.returncode == 0)
    assert Path("/proc/self/ns/user").readlink() == before
