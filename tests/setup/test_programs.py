import signal
import subprocess
import sys
from pathlib import Path

import pytest

from browse.setup import programs
from support.cli import until
from support.life import lives_still
from support.programs import a_program


def test_output_and_exit_code_are_kept(tmp_path: Path):
    program = a_program(tmp_path / "p", "read word; echo got $word; echo oops >&2; exit 7")

    done = programs.run([str(program)], seconds=20, text="tea\n")
    assert done == programs.ProgramResult(7, "got tea\n", "oops\n")


def test_a_program_that_is_not_there_is_told():
    done = programs.run(["/nowhere/program"], seconds=5)

    assert done.code is None
    assert "No such file" in done.reason()


def test_past_the_limit_the_whole_group_is_ended(tmp_path: Path):
    program = a_program(
        tmp_path / "p", f"sleep 300 & echo $! > '{tmp_path}/child'; echo begun; wait"
    )

    for limit in (1, 4, 16):  # a busy machine may not have begun it in a second
        done = programs.run([str(program)], seconds=limit)
        if done.output:
            break

    assert done.code is None
    assert done.output == "begun\n"
    assert f"stopped after {limit} s" in done.errors
    child = int((tmp_path / "child").read_text())
    until(lambda: not lives_still(child), what="the end of what the program started")


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


@pytest.mark.issue(15)
def test_lines_are_told_as_they_come(tmp_path: Path):
    program = a_program(tmp_path / "p", "echo one; echo oops >&2; echo two; exit 3")
    lines: list[str] = []

    done = programs.run([str(program)], seconds=20, each=lines.append)

    assert lines == ["one", "two"]
    assert done == programs.ProgramResult(3, "one\ntwo\n", "oops\n")


@pytest.mark.issue(15)
def test_a_program_that_is_followed_ends_at_the_limit_too(tmp_path: Path):
    program = a_program(tmp_path / "p", "trap '' TERM; echo begun; exec sleep 300")

    for limit in (1, 4, 16):
        done = programs.run([str(program)], seconds=limit, each=lambda _: None)
        if done.output:
            break

    assert (done.code, done.output) == (None, "begun\n")
    assert f"stopped after {limit} s" in done.errors


@pytest.mark.issue(15)
def test_an_interruption_lets_a_program_tidy_up(tmp_path: Path):
    program = a_program(
        tmp_path / "p",
        f"trap \"echo tidy > '{tmp_path}/done'; exit\" TERM; echo begun; sleep 300 & wait",
    )

    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        programs.run([str(program)], seconds=20, each=interrupt)

    assert (tmp_path / "done").read_text() == "tidy\n"


def test_an_interruption_while_a_program_starts_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    program = a_program(
        tmp_path / "p",
        f"echo $$ > '{tmp_path}/new'; mv '{tmp_path}/new' '{tmp_path}/pid'; exec sleep 300",
    )
    start = subprocess.Popen

    def start_and_be_interrupted(*words, **options):
        child = start(*words, **options)
        until((tmp_path / "pid").exists, what="the start of the program")
        signal.raise_signal(signal.SIGINT)  # as it would come before our caller knows the child
        return child

    monkeypatch.setattr(subprocess, "Popen", start_and_be_interrupted)
    with pytest.raises(KeyboardInterrupt):
        programs.run([str(program)], seconds=60)

    child = int((tmp_path / "pid").read_text())
    until(lambda: not lives_still(child), what="the end of the program")
