"""The memory of processes, by both ways to ask."""

import os
import shutil
from pathlib import Path

import psutil
import pytest

from browse.core import processes

NOBODY = 2**22 + 1


@pytest.mark.parametrize(
    "ask", [processes._from_ps, processes._from_proc, processes.resident_bytes]
)
def test_memory_of_those_that_are_there(ask):
    if ask is processes._from_proc and not Path("/proc/self/statm").exists():
        pytest.skip("no /proc here")
    if ask is processes._from_ps and not shutil.which("ps"):
        pytest.skip("no ps here")

    told = ask([os.getpid(), NOBODY])

    assert set(told) == {os.getpid()}
    assert told[os.getpid()] == pytest.approx(psutil.Process().memory_info().rss, rel=0.5)
