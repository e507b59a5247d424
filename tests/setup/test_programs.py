import os
import sys
import time
from pathlib import Path

import pytest

from browse.setup import programs
from support.programs import a_program


def test_output_and_exit_code_are_kept(tmp_path: Path):
    program = a_program(tmp_path / "p", "read word; echo got $word; echo oops >&2; exit 7")

    done = programs.run([str(program)], seconds=20, text="tea\n")
    assert done == programs.Done(7, "got tea\n", "oops\n")


def test_a_program_that_is_not_there_is_told():
    done = programs.run(["/nowhere/program"], seconds=5)

    assert done.code is None
    assert "No such file" in done.reason()


def test_past_the_limit_the_whole_group_is_ended(tmp_path: Path):
    program = a_program(
        tmp_path / "p", f"sleep 300 & echo $! > '{tmp_path}/child'; echo begun; wait"
    )
    start = time.monotonic()

    done = programs.run([str(program)], seconds=1)
    assert time.monotonic() - start < 30
    assert done.code is None
    assert done.output == "begun\n"
    assert "stopped after 1 s" in done.errors
    child = int((tmp_path / "child").read_text())
    with pytest.raises(ProcessLookupError):
        _wait_until_gone(child)


def _wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        os.kill(pid, 0)
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            raise ProcessLookupError


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("print('one'); print('Error: two'); print('three')", "Error: two"),
        ("print('one'); print('three')", "three"),
        ("raise SystemExit(9)", "exit code 9"),
    ],
)
def test_the_telling_line_is_the_reason(script: str, reason: str):
    done = programs.run([sys.executable, "-I", "-c", f"{script}\nraise SystemExit(9)"], seconds=20)

    assert done.reason() == reason
