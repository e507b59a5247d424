"""Whether a process is still there, with real ones."""

import os
import subprocess

import pytest

from browse.browser.process.liveness import Lifesign


@pytest.fixture
def child():
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def test_without_processes_nothing_is_lost():
    assert not Lifesign().is_lost


def test_one_that_has_ended_is_lost_even_before_anybody_took_note(child):
    sign = Lifesign()
    sign.watch(os.getpid())
    sign.watch(child.pid, parent=os.getpid())
    assert not sign.is_lost

    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # dead, and not reaped

    assert sign.is_lost


def test_a_stranger_that_has_the_pid_is_not_watched(child):
    sign = Lifesign()
    sign.watch(child.pid, parent=1)
    child.kill()
    child.wait()

    assert not sign.is_lost


def test_one_that_is_gone_already_is_not_watched(child):
    child.kill()
    child.wait()
    sign = Lifesign()

    sign.watch(child.pid)
    sign.watch(child.pid, parent=os.getpid())

    assert not sign.is_lost
