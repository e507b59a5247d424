"""The driver process, started by ourselves: real Node, no browser."""

import os
import stat

import psutil

from browse.browser.process import driver


def test_the_driver_lives_until_its_stdin_is_closed():
    process = driver.start(os.environ)

    assert process is not None
    lives = psutil.Process(process.pid)
    assert lives.is_running()
    os.close(process.stdin)
    assert lives.wait(150) == 0
    os.close(process.stdout)


def test_a_node_that_cannot_be_run_is_left_to_playwright_to_report():
    assert driver.start({"PLAYWRIGHT_NODEJS_PATH": "/nowhere/node"}) is None


def test_the_driver_gets_a_folder_and_a_cache_of_our_own(tmp_path):
    cache = tmp_path / "cache"

    made = driver.environment({"A": "1"}, cache, tmp_path / "scratch")

    assert made["A"] == "1"
    assert made["NODE_OPTIONS"] == f'{driver.SMALL_HEAP} --require "{driver.DROP_EVENTS}"'
    assert made["TMPDIR"] == str(tmp_path / "scratch")
    assert made["NODE_COMPILE_CACHE"] == str(cache)
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700


def test_a_cache_of_the_users_own_is_used(tmp_path):
    made = driver.environment({"NODE_COMPILE_CACHE": "/theirs"}, tmp_path / "cache", tmp_path)

    assert made["NODE_COMPILE_CACHE"] == "/theirs"


def test_options_of_the_users_own_are_kept(tmp_path):
    made = driver.environment({"NODE_OPTIONS": "--no-warnings"}, tmp_path / "cache", tmp_path)

    assert made["NODE_OPTIONS"].startswith(f"--no-warnings {driver.SMALL_HEAP} ")


def test_a_home_that_cannot_be_written_to_does_not_stop_the_start(tmp_path):
    (tmp_path / "file").write_text("")

    made = driver.environment({}, tmp_path / "file" / "cache", tmp_path)

    assert "NODE_COMPILE_CACHE" not in made
    assert made["TMPDIR"] == str(tmp_path)
