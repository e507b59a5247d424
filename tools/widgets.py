"""The libraries whose widgets tests operate: `python3 tools/widgets.py`.

npm puts them into tools/widgets/node_modules, as the lock file there pins them, and those for
React are made into one file. Where it cannot be done, it says so and ends well, and the tests are
skipped.
"""

import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.javascript import ROOT, Checkers

WIDGETS = Checkers(ROOT / "tools" / "widgets")
REACT = "browse-built/react_widgets.js"
BUNDLE_S = 120


def why_not() -> str:
    """Install the libraries unless they are there; return why that failed, or ""."""
    if reason := WIDGETS.why_not():
        return reason
    source = WIDGETS.folder / "react_widgets.jsx"
    built = WIDGETS.modules / REACT
    if built.is_file() and built.stat().st_mtime >= source.stat().st_mtime:
        return ""
    command = WIDGETS.command(
        "esbuild", source.name, "--bundle", "--minify", f"--outfile={built}",
        '--define:process.env.NODE_ENV="production"',
    )  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=WIDGETS.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=BUNDLE_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as exc:
        return str(exc)
    said = done.stderr.strip().splitlines() or ["no reason given"]
    return said[0] if done.returncode else ""


def main() -> int:
    if reason := why_not():
        print(f"the widgets for tests are not installed: {reason}", file=sys.stderr)
        print("  when npm is there: python3 tools/widgets.py", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
