"""From which process a call came."""

import os

from browse.auth.origins import Process, common, origin_of


def test_the_processes_above_a_client_are_found_with_the_client_last():
    found = origin_of(f"1 2 {os.getpid()}")

    assert found[-1].pid == os.getpid()
    assert os.getppid() in [it.pid for it in found] or os.getppid() == 1
    assert all(it.started and it.pid > 1 for it in found)


def test_a_name_with_brackets_is_read_whole(tmp_path):
    for pid, above in ((7, 5), (5, 1)):
        (tmp_path / str(pid)).mkdir()
        rest = " ".join(["S", str(above), *["0"] * 17, f"9{pid}"])
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (a) b \x1b[0m) {rest}\n")

    assert origin_of("5 5 7", tmp_path) == (Process(5, "95"), Process(7, "97"))
    assert str(origin_of("5 5 7", tmp_path)[0]) == "ab0m, pid 5"


def test_without_proc_there_is_what_the_client_says(tmp_path):
    assert origin_of("5 6 7", tmp_path / "none") == (Process(5), Process(6), Process(7))
    assert origin_of("x; rm", tmp_path) == origin_of("", tmp_path) == ()


def test_origins_have_in_common_what_they_begin_with():
    one, two = (Process(1), Process(2), Process(3)), (Process(1), Process(2), Process(4))

    assert common(one, two) == 2
    assert common(one, one) == 3
    assert common(one, ()) == 0
