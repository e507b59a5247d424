"""Checkouts that are small enough to set up within a test."""

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]


def a_checkout(root: Path) -> Path:
    """Make a checkout that has the real scripts, and a client that prints what it was given."""
    for name in ("browse", "tools/setup", "tools/setup.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    (root / "src/browse/client").mkdir(parents=True)
    (root / "src/browse/client/boot.py").write_text("import sys\nprint(sys.argv[1:])\n")
    (root / "src/browse/__init__.py").write_text("")
    (root / "pyproject.toml").write_text("[project]\n")
    for name in ("requirements.lock", "requirements-dev.lock"):
        (root / name).write_text("# nothing is needed\n")
    return root
