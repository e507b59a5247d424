"""Installing packages while another program does."""

from pathlib import Path

import pytest

from browse.setup import apt
from support.programs import a_program


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apt, "PAUSE_S", 0.0)


def busy_apt(folder: Path, times: int) -> list[str]:
    """Make an apt-get that finds a lock taken so many times, then works."""
    made = a_program(
        folder / "apt-get",
        f"""echo tried >> '{folder}/tries'
[ "$(wc -l < '{folder}/tries')" -gt {times} ] && exit 0
echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)" >&2
exit 100""",
    )
    return [str(made), "update"]


def test_another_programs_lock_is_waited_for(tmp_path: Path):
    assert apt.run(busy_apt(tmp_path, times=2), seconds=60).ok
    assert (tmp_path / "tries").read_text().count("tried") == 3


def test_a_lock_that_stays_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(apt, "PAUSE_S", 100.0)

    done = apt.run(busy_apt(tmp_path, times=9), seconds=60)
    assert "held by process 7" in done.reason()
    assert (tmp_path / "tries").read_text().count("tried") == 1


def test_another_failure_is_final(tmp_path: Path):
    broken = a_program(tmp_path / "apt-get", f"echo tried >> '{tmp_path}/tries'; exit 100")

    assert apt.run([str(broken), "update"], seconds=60).code == 100
    assert (tmp_path / "tries").read_text().count("tried") == 1


@pytest.mark.parametrize(("as_root", "first"), [(True, "env"), (False, "sudo")])
def test_it_never_asks(as_root: bool, first: str):
    update, install = apt.install_commands(["a", "b"], as_root=as_root)

    assert update[0] == install[0] == first
    assert install[-4:] == ("-y", "--no-install-recommends", "a", "b")
