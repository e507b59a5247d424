import struct

import pytest

from browse.skills import syscall_filter
from browse.skills.syscall_filter import syscall_filter as written


def test_a_processor_that_is_not_known_has_no_filter():
    assert written("vax") == b""


@pytest.mark.parametrize("limited", [True, False])
@pytest.mark.parametrize("forks", [True, False])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_no_step_jumps_past_the_end(machine, forks, limited):
    raw = written(machine, forks=forks, limited=limited)
    steps = [struct.unpack_from("HBBI", raw, at) for at in range(0, len(raw), 8)]
    jumps = [(at, max(step[1:3])) for at, step in enumerate(steps)]

    assert all(at + 1 + far < len(steps) for at, far in jumps[:-1])
    assert steps[-1][3] == 0x7FFF0000


@pytest.mark.parametrize("at", [0, 1])
def test_no_number_stands_for_two_calls(at):
    rows = syscall_filter._REFUSED | syscall_filter._OF_A_PROCESS
    numbers = [row[at] for row in rows.values() if row[at] >= 0]

    assert len(numbers) == len(set(numbers))
