"""Starting Chromium before the driver that will drive it has loaded: `node/early.cjs` does it."""

import hashlib
from pathlib import Path

from browse.browser import find
from browse.core.errors import BrowseError
from browse.core.settings import Settings

SCRIPT = Path(__file__).with_name("node") / "early.cjs"


def environment(settings: Settings, cache: Path, scratch: Path) -> dict[str, str]:
    """Tell the driver to start Chromium early, and with which command line: that of last time."""
    try:
        chromium = find.find(settings.chromium_path).path
    except BrowseError:
        return {}  # the launch itself will say so
    return {
        "NODE_OPTIONS": f'--require "{SCRIPT}"',
        "BROWSE_EARLY_PLAN": str(cache / "launch.json"),
        "BROWSE_EARLY_KEY": _key(chromium, settings),
        "BROWSE_EARLY_PROFILE": str(scratch / "profile"),
    }


def has_sandbox(settings: Settings) -> bool:
    """Tell whether Chromium keeps its sandbox."""
    contained = settings.container or settings.ci
    return not find.needs_no_sandbox(forced=settings.no_sandbox, contained=contained)


def _key(chromium: Path, settings: Settings) -> str:
    """Name what a command line depends on: another driver, browser or sandbox needs another one."""
    driver = find.driver_package() / "package.json"
    dates = [path.stat().st_mtime_ns for path in (driver, chromium)]
    about = f"{driver} {chromium} {dates} {has_sandbox(settings)}"
    return hashlib.sha256(about.encode("utf-8", "surrogateescape")).hexdigest()
