"""The daemon log; set up in a process of its own, because it takes over that process's output."""

import re
import subprocess
import sys
from pathlib import Path

SRC = Path(__file__).parents[2] / "src"
SCRIPT = """
import logging, os, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from browse.core import logs
logs.MAX_LOG_BYTES = 2000
logs.set_up(Path(sys.argv[2]), debug=sys.argv[3] == "debug")
"""


def logged(path: Path, code: str, *, debug: bool = False) -> subprocess.CompletedProcess[str]:
    words = [str(SRC), str(path), "debug" if debug else ""]
    return subprocess.run(
        [sys.executable, "-c", SCRIPT + code, *words], capture_output=True, text=True, timeout=30
    )


def test_a_line_has_time_level_place_and_words(tmp_path):
    logged(tmp_path / "log", "logging.getLogger('browse.x').info('words %d', 7)")

    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d INFO browse\.x: words 7\n", (tmp_path / "log").read_text()
    )


def test_debug_lines_are_logged_only_when_asked_for(tmp_path):
    logged(tmp_path / "quiet", "logging.debug('detail')")
    logged(tmp_path / "loud", "logging.debug('detail')", debug=True)

    assert (tmp_path / "quiet").read_text() == ""
    assert "detail" in (tmp_path / "loud").read_text()


def test_the_log_keeps_one_old_generation_and_stderr_follows(tmp_path):
    code = """
for number in range(200):
    logging.info("line %d of many, to fill the log", number)
os.write(2, b"last words")
"""
    logged(tmp_path / "log", code)

    assert {path.name for path in tmp_path.iterdir()} == {"log", "log.1"}
    assert all(path.stat().st_size <= 2100 for path in tmp_path.iterdir())
    assert "last words" in (tmp_path / "log").read_text()


def test_the_trace_of_a_fatal_error_is_in_the_log(tmp_path):
    logged(tmp_path / "log", "raise RuntimeError('fatal')")

    assert "CRITICAL browse: the daemon failed" in (tmp_path / "log").read_text()
    assert "RuntimeError: fatal" in (tmp_path / "log").read_text()


def test_half_a_character_does_not_break_the_log(tmp_path):
    ran = logged(tmp_path / "log", "logging.info('a\\udc80b')")

    assert "a?b" in (tmp_path / "log").read_text()
    assert ran.stderr == ""


def test_a_record_is_cleaned_with_its_trace(tmp_path):
    code = """
logs.set_up(Path(sys.argv[2]), debug=False, clean=lambda text: text.replace("hunter2", "****"))
try:
    raise ValueError("hunter2")
except ValueError:
    logging.exception("failed with %s", "hunter2")
"""
    logged(tmp_path / "log", code)

    written = (tmp_path / "log").read_text()
    assert "failed with ****" in written
    assert "ValueError: ****" in written
