"""The way in from a checkout: compiled at every run, so it must stay tiny."""

import os
import subprocess
import sys

from support.fake_daemon import FakeDaemon, says


def test_boot_is_at_most_ten_lines(project):
    assert len(project.boot.read_text().splitlines()) <= 10


def test_boot_runs_through_a_link_from_anywhere(project, tmp_path):
    link = tmp_path / "elsewhere.py"
    link.symlink_to(project.boot)

    done = subprocess.run(
        [sys.executable, "-I", "-S", os.path.realpath(link), "--version"],
        cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip

    assert done.stdout.startswith(b"browse ")


def test_boot_passes_the_exit_code_on(project):
    with FakeDaemon(project.state, says(b"out", b"", 5)):
        done = project.run("text")

    assert (done.returncode, done.stdout) == (5, b"out\n")
