"""Checks of the browser: is there one, does it start, can it use its sandbox."""

import re
import sys
import tempfile
from functools import cache
from pathlib import Path

from browse.browser.process.chromium import SHELL
from browse.browser.process.chromium_sandbox import why_no_sandbox
from browse.core.errors import BrowseError
from browse.setup import programs
from browse.setup.check import Check, Scene

VERSION_SECONDS = 20
START_SECONDS = 45
FASTER = "; `browse install` gets one that starts faster"
MARK = "browse-doctor"
PAGE = f"data:text/html,<p>{MARK}<script>document.write(navigator.userAgent)</script>"
# What Chromium writes when the kernel or AppArmor denies it what its sandbox needs.
NO_SANDBOX_SIGNS = ("no usable sandbox", "sandbox_host_linux", "zygote_host_impl_linux")


def found(scene: Scene) -> Check:
    browser = scene.chromium
    if isinstance(browser, BrowseError):
        return Check("chromium", False, browser.message, browser.hint)
    version = _version(browser.path)
    detail = f"{version or browser.kind}, {browser.path} ({_ORIGINS[browser.origin]})"
    return Check("chromium", True, detail if browser.kind == SHELL else f"{detail}{FASTER}")


def starts(scene: Scene) -> Check:
    """Start it headless, as the daemon does, and render a page."""
    browser = scene.chromium
    if isinstance(browser, BrowseError):
        return Check("chromium starts", False, "there is none to start", browser.hint)
    done = _launch(browser.path, no_sandbox=bool(_sandbox_reason(scene)))
    agent = re.search(r"Chrome/([\d.]+)", done.output)
    if done.ok and MARK in done.output:
        shown = f" as Chrome {agent.group(1).partition('.')[0]}" if agent else ""
        return Check("chromium starts", True, f"it rendered a page{shown}")
    return Check("chromium starts", False, _complaint(done), _fix(done, browser.path))


def sandbox(scene: Scene) -> Check:
    """Check whether Chromium's sandbox works; running without it by choice is no failure."""
    browser = scene.chromium
    if reason := _sandbox_reason(scene):
        return Check("sandbox", True, f"off, because: {reason}")
    if isinstance(browser, BrowseError):
        return Check("sandbox", True, "not tried: there is no Chromium")
    if _denied(_launch(browser.path, no_sandbox=False)):
        return Check("sandbox", False, "this system denies it to Chromium", SANDBOX_FIX)
    return Check("sandbox", True, "on")


SANDBOX_FIX = (
    "Allow it: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0; "
    "or go without: export GSTACK_CHROMIUM_NO_SANDBOX=1"
)
_ORIGINS = {
    "setting": "named by GSTACK_CHROMIUM_PATH",
    "playwright": "Playwright's own",
    "system": "of this system",
}


def _sandbox_reason(scene: Scene) -> str:
    chosen = scene.settings
    return why_no_sandbox(
        off=chosen.no_sandbox, contained=chosen.container or chosen.ci, system=scene.system
    )


def _version(path: Path) -> str:
    done = programs.run([str(path), "--version"], seconds=VERSION_SECONDS)
    lines = done.output.strip().splitlines()
    return lines[-1].strip()[:80] if done.ok and lines else ""


@cache
def _launch(path: Path, *, no_sandbox: bool) -> programs.ProgramResult:
    """Start the browser once per process; two checks read the result."""
    flags = ["--headless", "--disable-gpu", "--no-first-run", "--dump-dom"]
    if no_sandbox:
        flags.append("--no-sandbox")
    with tempfile.TemporaryDirectory(
        prefix="browse-doctor-", ignore_cleanup_errors=True
    ) as profile:
        command = [str(path), *flags, f"--user-data-dir={profile}", PAGE]
        return programs.run(command, seconds=START_SECONDS)


def _denied(done: programs.ProgramResult) -> bool:
    return not done.ok and any(sign in done.errors.lower() for sign in NO_SANDBOX_SIGNS)


def _complaint(done: programs.ProgramResult) -> str:
    """Return the line of Chromium's output that says why it ended."""
    lines = [line.strip() for line in done.errors.splitlines() if line.strip()]
    signs = (*NO_SANDBOX_SIGNS, "shared libraries", "fatal", "stopped after")
    telling = [line for line in lines if any(sign in line.lower() for sign in signs)]
    return (telling or lines[-1:] or [f"it ended with exit code {done.code}"])[0][:200]


def _fix(done: programs.ProgramResult, path: Path) -> str:
    if _denied(done):
        return SANDBOX_FIX
    if "shared libraries" in done.errors:
        return f"Install what it needs: sudo {sys.executable} -m playwright install-deps chromium"
    return f"Start it by hand to see more: {path} --headless --dump-dom about:blank"
