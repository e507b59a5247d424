"""The scripts of a checkout, run for real: `./browse`, `tools/setup`, `tools/setup.py`."""

import fcntl
import os
import runpy
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pip
import pytest

from support.checkouts import a_checkout
from support.programs import a_program
from support.running import running

ENVIRON = {**os.environ, "PYTHON": sys.executable}
SETUP = Path(__file__).parents[2] / "tools/setup.py"


@pytest.fixture(scope="session")
def ready_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout that is set up: made once, since a venv takes seconds."""
    root = a_checkout(tmp_path_factory.mktemp("ready") / "first")
    assert run(root / "browse").stdout == "[]\n"
    return root


@pytest.fixture
def ready(ready_once: Path, tmp_path: Path) -> Path:
    """A copy of the ready checkout in another place, so that tests may break it."""
    root = tmp_path / "check out"
    shutil.copytree(ready_once, root, symlinks=True)
    return root


def run(
    *command: str | Path, cwd: Path | None = None, **environ: str
) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(
        words, cwd=cwd, env=ENVIRON | environ, capture_output=True, text=True, timeout=50
    )


def forbid_setup(root: Path) -> None:
    a_program(root / "tools/setup", "echo the set-up ran >&2; exit 9")


def imports_package(root: Path) -> bool:
    where = "import browse; print(browse.__file__)"
    python = root / ".venv/bin/python"
    done = run(python, "-I", "-c", where)
    return done.stdout.strip() == str((root / "src/browse/__init__.py").resolve())


def test_first_call_sets_up_and_then_runs(checkout: Path):
    done = run(checkout / "browse", "goto", "a b", "")

    assert done.stdout == "['goto', 'a b', '']\n"
    steps = [line.split(" … ")[0] for line in done.stderr.splitlines()]
    assert [step.split()[1] for step in steps] == ["1/3", "2/3", "3/3"]
    assert all(line.endswith(" s") for line in done.stderr.splitlines())
    assert imports_package(checkout)


def test_later_calls_do_not_run_the_set_up(ready: Path):
    forbid_setup(ready)

    assert run(ready / "browse", "url").stdout == "['url']\n"


def test_a_moved_checkout_still_works(ready: Path):
    assert imports_package(ready)


@pytest.mark.parametrize("cwd", [".", "tools", ".."])
def test_it_runs_from_any_folder(ready: Path, cwd: str):
    forbid_setup(ready)
    folder = ready / cwd
    typed = os.path.relpath(ready / "browse", folder)
    typed = typed if "/" in typed else f"./{typed}"

    assert run("sh", "-c", f"'{typed}' url", cwd=folder).stdout == "['url']\n"


def test_it_runs_through_links(ready: Path, tmp_path: Path):
    forbid_setup(ready)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/one").symlink_to("../check out/browse")
    (tmp_path / "bin/two").symlink_to("one")

    assert run(tmp_path / "bin/two", "url", cwd=Path("/")).stdout == "['url']\n"
    assert run("sh", "two", "url", cwd=tmp_path / "bin").stdout == "['url']\n"


def test_a_touched_file_only_renews_the_stamp(ready: Path):
    os.utime(ready / "pyproject.toml")

    assert run(ready / "browse").stderr == ""
    forbid_setup(ready)
    assert run(ready / "browse").returncode == 0


def test_a_file_dated_in_the_future_does_not_set_up_forever(ready: Path):
    os.utime(ready / "requirements.lock", (4e9, 4e9))

    run(ready / "browse")
    forbid_setup(ready)
    assert run(ready / "browse").returncode == 0


def test_a_changed_lock_installs_again_into_the_same_venv(ready: Path):
    (ready / "requirements.lock").write_text("# something else\n")
    (ready / ".venv/kept").write_text("")

    done = run(ready / "tools/setup", "runtime")
    assert "2/3 installing" in done.stderr
    assert (ready / ".venv/kept").exists()


def test_dev_serves_as_runtime_too(ready: Path):
    (ready / ".venv/.browse-runtime").unlink()

    run(ready / "tools/setup", "dev")
    forbid_setup(ready)
    assert run(ready / "browse").returncode == 0


def test_a_venv_without_python_is_made_anew(ready: Path):
    (ready / ".venv/bin/python").unlink()

    done = run(ready / "browse")
    assert "making .venv anew: it has no Python" in done.stderr
    assert imports_package(ready)


def test_a_venv_of_another_python_version_is_made_anew(ready: Path):
    packages = next(ready.glob(".venv/lib/python*"))
    packages.rename(packages.with_name("python3.0"))
    os.utime(ready / "pyproject.toml")

    assert "is of another version" in run(ready / "browse").stderr
    assert imports_package(ready)


def test_a_killed_set_up_is_repaired_by_the_next(checkout: Path):
    setup = subprocess.Popen(
        [sys.executable, checkout / "tools/setup.py", "runtime"],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with setup:
        assert setup.stderr
        assert setup.stderr.read(12)
        os.killpg(setup.pid, signal.SIGKILL)
    assert (checkout / ".venv.lock").read_text()

    done = run(checkout / "browse")
    assert "1/3 making .venv" in done.stderr
    assert imports_package(checkout)
    assert (checkout / ".venv.lock").read_text() == ""


def test_a_second_set_up_waits_and_finds_it_done(ready: Path):
    os.utime(ready / "pyproject.toml")
    with ExitStack() as stack:
        lock = stack.enter_context((ready / ".venv.lock").open("a"))
        fcntl.flock(lock, fcntl.LOCK_EX)
        argv = [sys.executable, str(ready / "tools/setup.py"), "runtime"]
        second = stack.enter_context(running(argv, stderr=subprocess.PIPE))
        assert second.stderr
        assert b"another set-up" in second.stderr.readline()
        assert second.poll() is None

        lock.close()
        assert second.wait(50) == 0
        assert second.stderr.read() == b""


def test_two_at_once_make_one_venv(checkout: Path):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with ExitStack() as stack:
        calls = [[str(checkout / "browse"), str(number)] for number in (1, 2)]
        both = [stack.enter_context(running(call, env=ENVIRON, **pipes)) for call in calls]
        ends = [process.communicate(timeout=50) for process in both]

    assert [out for out, _ in ends] == [b"['1']\n", b"['2']\n"]
    assert b"".join(err for _, err in ends).count(b"1/3 making") == 1


def give_pip(root: Path) -> None:
    """Lend a checkout the pip of this one: to unpack its own takes most of a slow test's time."""
    (packages,) = root.glob(".venv/lib/python*/site-packages")
    (packages / "pip").symlink_to(Path(pip.__file__).parent)


def test_no_network_tells_what_to_do_and_keeps_what_works(ready: Path):
    give_pip(ready)
    (ready / "requirements-dev.lock").write_text(f"nowhere==1.0 --hash=sha256:{'0' * 64}\n")

    done = run(
        ready / "tools/setup",
        "dev",
        PIP_INDEX_URL="http://127.0.0.1:9/",
        PIP_RETRIES="0",
        PIP_CONFIG_FILE=os.devnull,
    )
    assert done.returncode == 1
    assert "pip could not install requirements-dev.lock" in done.stderr
    assert "PIP_INDEX_URL" in done.stderr
    forbid_setup(ready)
    assert run(ready / "browse").returncode == 0


def test_a_place_that_cannot_be_written_is_named():
    done = run(sys.executable, SETUP, "runtime", "/sys")

    assert done.returncode == 1
    assert "/sys" in done.stderr
    assert "pipx install" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_python_that_is_too_old_is_named(checkout: Path, tmp_path: Path):
    old = a_program(tmp_path / "bin/python3", '[ "$1" = -V ] && echo Python 3.8.1 || exit 3')

    done = run("/bin/sh", checkout / "browse", PYTHON="", PATH=str(old.parent))
    assert done.returncode == 1
    assert "needs Python 3.11 or later; python3 is Python 3.8.1" in done.stderr
    assert "apt install" in done.stderr


@pytest.mark.parametrize("script", ["exit 3", "exit 1", "echo shim: not installed >&2; exit 127"])
def test_a_chosen_python_that_does_not_serve_is_named(checkout: Path, tmp_path: Path, script: str):
    chosen = a_program(tmp_path / "bin/mine", script)

    done = run(checkout / "browse", PYTHON=str(chosen))
    assert done.returncode == 1
    assert f"PYTHON={chosen}" in done.stderr


def test_a_python_that_does_not_run_is_passed_over(ready: Path, tmp_path: Path):
    a_program(tmp_path / "bin/python3.13", "echo shim: not installed >&2; exit 127")
    a_program(tmp_path / "bin/python3", f'exec "{sys.executable}" "$@"')

    done = run("/bin/sh", ready / "tools/setup", "runtime", PYTHON="", PATH=str(tmp_path / "bin"))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_python_in_a_folder_with_spaces_is_taken(ready: Path, tmp_path: Path):
    spaced = a_program(tmp_path / "a b/python3", f'exec "{sys.executable}" "$@"')

    done = run(ready / "tools/setup", "runtime", PYTHON=str(spaced))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_python_without_ensurepip_tells_the_package(checkout: Path, tmp_path: Path):
    hide = (
        "import runpy, sys; sys.modules['ensurepip'] = None; sys.argv = sys.argv[1:]; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    bare = a_program(
        tmp_path / "bin/bare",
        f'[ "$1" = -c ] && exit 4; shift; exec "{sys.executable}" -c "{hide}" "$@"',
    )

    done = run(checkout / "browse", PYTHON=str(bare))
    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr


def test_a_full_disk_is_told_as_such():
    advice = runpy.run_path(str(SETUP))["advice"]

    assert "disk is full" in advice("OSError: [Errno 28] No space left on device")


def test_wrong_words_print_the_usage():
    done = run(sys.executable, SETUP, "everything")

    assert done.returncode == 2
    assert done.stderr.startswith("usage:")
