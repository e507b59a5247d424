"""What the runner of the tests ignores, it goes on to ignore; what tests start does not."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
CHILD = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
RUNNER = f"""
import os, signal, subprocess, sys
from support.signals import keep_ignored_from_children

signal.signal(signal.SIGINT, signal.SIG_IGN)
subprocess.run([sys.executable, "-c", {CHILD!r}])
keep_ignored_from_children()
subprocess.run([sys.executable, "-c", {CHILD!r}])
os.kill(os.getpid(), signal.SIGINT)
print("goes on")
"""


def test_children_do_not_ignore_what_the_runner_ignores():
    env = {**os.environ, "PYTHONPATH": str(TESTS)}

    ran = subprocess.run(
        [sys.executable, "-c", RUNNER], env=env, capture_output=True, text=True, check=True
    )

    assert ran.stdout.split("\n") == ["True", "False", "goes on", ""]
