"""Programs that tests need: where they cannot be had, nothing is changed and the reason is told."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "tools" / "programs.py"


def test_without_a_way_to_install_them_the_reason_is_told(tmp_path):
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT)],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert done.stderr.startswith(
        "not here, and not installed (only known for Debian and its kin): "
    )
    assert {"bwrap", "fish", "zsh"} <= set(done.stderr.split(": ")[1].strip().split(", "))
