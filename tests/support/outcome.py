"""A hook of pytest: write down for `./check` what was skipped and why, and what failed."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Write it where `./check` asks for it; by itself pytest tells enough."""
    path = os.environ.get("BROWSE_CHECK_OUTCOME")
    if not path:
        return
    stats = terminalreporter.stats
    reasons = [report.longrepr[2].removeprefix("Skipped: ") for report in stats.get("skipped", [])]
    failed = [report.nodeid for kind in ("failed", "error") for report in stats.get(kind, [])]
    seed = config.getoption("randomly_seed", None)
    outcome = {
        "skipped": Counter(reasons),
        "failed": list(dict.fromkeys(failed)),
        "seed": seed if isinstance(seed, int) else None,
    }
    Path(path).write_text(json.dumps(outcome), encoding="utf-8")
