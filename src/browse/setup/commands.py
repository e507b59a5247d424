"""The declarations of `install`, `doctor` and `demo`, which run without a daemon.

Their first parameter is a `Say`: where progress goes, a line at a time. They import what they need
when they run: the daemon reads these declarations at every start and would pay 17 ms for the rest.
"""

import os
from collections.abc import Callable
from typing import Annotated

from browse.core.scopes import Scope
from browse.core.settings import load
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command

Say = Callable[[str], None]


@command(group=Group.SETUP, scope=Scope.ADMIN, lane=Lane.FREE, runs_here=True, deadline=None)
async def install(
    say: Say, *, quiet: Annotated[bool, Doc("Say nothing unless it fails.")] = False
) -> Text:
    """Get a Chromium, unless there is one that browse can use.

    Looks for the one that GSTACK_CHROMIUM_PATH names, for Playwright's own and for the Chrome,
    Chromium, Edge or Brave of this system. When there is none it takes Playwright's download or,
    on Debian as root or with password-less sudo, the system's package.

    Examples:
      browse install
      browse install --quiet
    """
    from browse.setup import get

    found = get.get(_silent if quiet else say, chosen=load(os.environ).chromium_path)
    data = {"ok": True, "path": str(found.path), "kind": found.kind, "origin": found.origin}
    return Text("" if quiet else f"Chromium is ready: {found.path}", data)


@command(group=Group.SETUP, scope=Scope.ADMIN, lane=Lane.FREE, runs_here=True, deadline=None)
async def doctor(say: Say) -> Text:
    """Look over this machine and project, and say what to do about what is not well.

    Changes nothing. Ends with exit code 1 when a check fails.

    Examples:
      browse doctor
      browse doctor --json
    """
    from browse.setup.check import Scene
    from browse.setup.doctor import examine

    return examine(say, Scene.here())


@command(group=Group.SETUP, scope=Scope.ADMIN, lane=Lane.FREE, runs_here=True, deadline=None)
async def demo(say: Say) -> Text:
    """Show what browse does, on a page of its own and with a daemon of its own.

    Each step is printed as you would type it, with its output and its milliseconds. Nothing is
    left behind.

    Examples:
      browse demo
    """
    from browse.setup import get
    from browse.setup.demo import perform

    get.get(say, chosen=load(os.environ).chromium_path)
    return perform(say, os.environ)


def _silent(_: str) -> None:
    pass
