"""Whether a process is still there, with real ones."""

import os
import signal
import subprocess

import pytest

from browse.browser.process.liveness import Liveness, child_above


@pytest.fixture
def child():
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def test_without_processes_nothing_is_lost():
    assert not Liveness().is_lost


def test_one_that_has_ended_is_lost_even_before_anybody_took_note(child):
    sign = Liveness()
    sign.watch(os.getpid())
    sign.watch(child.pid, parent=os.getpid())
    assert not sign.is_lost

    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # dead, and not reaped

    assert sign.is_lost


def test_a_stranger_that_has_the_pid_is_not_watched(child):
    sign = Liveness()
    sign.watch(child.pid, parent=1)
    child.kill()
    child.wait()

    assert not sign.is_lost


def test_one_that_is_gone_already_is_not_watched(child):
    child.kill()
    child.wait()
    sign = Liveness()

    sign.watch(child.pid)
    sign.watch(child.pid, parent=os.getpid())

    assert not sign.is_lost


def test_the_child_of_ours_above_a_process_is_found(child):
    script = "sleep 600 & echo $!; wait"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None
        grandchild = int(shell.stdout.readline())

        assert child_above(grandchild) == shell.pid
        assert child_above(child.pid) is None

        os.kill(grandchild, signal.SIGKILL)
