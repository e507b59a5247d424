import json
import subprocess
import sys

import pytest

from browse.skills import run_tests

GOOD = "def test_one(): pass\n"


@pytest.mark.parametrize(
    ("tests", "code", "told"),
    [
        (GOOD, 0, {"passed": 1, "failed": 0}),
        (GOOD + "def test_two(): assert 1 == 2\n", 1, {"passed": 1, "failed": 1}),
        (GOOD + "def test_two():\n    import sys; sys.exit(0)\n", 1, {"passed": 1, "failed": 1}),
        ("x = 1\n", 1, {"passed": 0, "failed": 0}),
        ("import nothing_like_it\n", 1, None),
    ],
)
def test_how_tests_end_is_told(tmp_path, tests, code, told):
    (tmp_path / "test_script.py").write_text(tests)

    ran = subprocess.run(
        [sys.executable, "-I", "-B", run_tests.__file__, str(tmp_path)],
        capture_output=True,
        text=True,
    )

    assert ran.returncode == code
    assert (json.loads(ran.stdout) if ran.stdout else None) == told
    assert ("Traceback" in ran.stderr) is (told is None or told["failed"] > 0)
