"""The declarations of `install`, `doctor` and `demo`, which run without a daemon.

Their first parameter is a `Say`: where progress goes, a line at a time. They import what they need
when they run: the daemon reads these declarations at every start and would pay 17 ms for the rest.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from browse.core.errors import BrowseError, Usage
from browse.core.scopes import Scope
from browse.core.settings import load
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command

Say = Callable[[str], None]


HostName = Literal["claude", "codex", "cursor", "vscode", "opencode", "gemini", "all"]


@command(
    group=Group.SETUP, scope=Scope.ADMIN, lane=Lane.FREE, runs_here="browse.setup", deadline=None
)
async def install(
    say: Say,
    *,
    quiet: Annotated[bool, Doc("Say nothing unless it fails.")] = False,
    skills: Annotated[bool, Doc("Install the skills for agents instead of a Chromium.")] = False,
    mcp: Annotated[bool, Doc("Add `browse mcp` to the configuration of agents' hosts.")] = False,
    host: Annotated[
        tuple[HostName, ...],
        Doc("skills, mcp: for this program; else for those that are used here."),
    ] = (),
    project: Annotated[bool, Doc("skills, mcp: in this project, not in your home folder.")] = False,
    force: Annotated[
        bool, Doc("skills, mcp: also replace what was changed by hand or is another's.")
    ] = False,
    remove: Annotated[bool, Doc("skills, mcp: remove them.")] = False,
) -> Text:
    """Get the Chromium that starts fastest; or install skills or the MCP server for agents.

    That is the headless shell: Chromium without a user interface. It is Playwright's download or,
    on Debian as root or with password-less sudo, the system's package. Where it cannot be had, the
    Chrome, Chromium, Edge or Brave of this system serves as well, at half the speed when a tab
    opens. The one that GSTACK_CHROMIUM_PATH names is taken before all.

    With --skills it writes /scrape, /skillify, /automate and so on to where Claude Code, Codex,
    Cursor, OpenCode or Gemini CLI look for skills. It needs no browser and no network. A file that
    was changed by hand is left alone and named.

    With --mcp it writes `browse mcp` into the configuration of Claude Code, Codex, Cursor, VS Code,
    OpenCode or Gemini CLI, and leaves the rest of the file as it is.

    Examples:
      browse install
      browse install --quiet
      browse install --skills
      browse install --skills --host claude --host codex
      browse install --skills --host all --project
      browse install --skills --remove
      browse install --mcp --host claude
      browse install --mcp --remove
    """
    if skills and mcp:
        raise Usage("install: --skills and --mcp are two things", hint="type one after the other")
    said = _silent if quiet else say
    if mcp:
        return _mcp(said, host, project=project, remove=remove, force=force)
    if not skills:
        if host or project or force or remove:
            raise Usage(
                "install: that flag is for --skills and --mcp", hint="browse install --skills"
            )
        return _chromium(said, quiet=quiet)
    from browse.setup import agents

    home = Path.home()
    base = agents.project_here(Path.cwd()) if project else home
    act = agents.remove if remove else agents.install
    rows: list[agents.SkillInstall] = []
    for name in agents.chosen(host, home):
        place = agents.folder(name, base, project=project)
        done = act(name, place, force=force)
        rows += done
        for line in [] if quiet else agents.report_lines(name, place, done):
            say(line)
    return Text("", {"ok": all(row.state != "link" for row in rows), "skills": agents.facts(rows)})


def _mcp(say: Say, host: tuple[HostName, ...], *, project: bool, remove: bool, force: bool) -> Text:
    from browse.setup import agents, mcp_hosts

    home = Path.home()
    base = agents.project_here(Path.cwd()) if project else home
    rows, failed = [], []
    for name in mcp_hosts.chosen(host, home):
        try:
            done = mcp_hosts.settle(name, base, project=project, remove=remove, force=force)
        except BrowseError as exc:  # the others can be done all the same
            rows.append({"host": name, "state": "failed", "error": exc.message, "hint": exc.hint})
            failed += [f"{name}: {exc.message}", f"  {exc.hint}"]
            continue
        rows.append({"host": done.host, "path": done.path, "state": done.state})
        for line in done.lines():
            say(line)
    well = all(row["state"] not in ("changed", "failed") for row in rows)
    return Text("\n".join(failed), {"ok": well, "mcp": rows})


def _chromium(say: Say, *, quiet: bool) -> Text:
    from browse.setup import get

    found = get.get(say, chosen=load(os.environ).chromium_path, best=True)
    data = {"ok": True, "path": str(found.path), "kind": found.kind, "origin": found.origin}
    return Text("" if quiet else f"Chromium is ready: {found.path}", data)


@command(
    group=Group.SETUP, scope=Scope.ADMIN, lane=Lane.FREE, runs_here="browse.setup", deadline=None
)
async def doctor(say: Say) -> Text:
    """Check this machine and project, and say how to fix problems.

    Changes nothing. Ends with exit code 1 when a check fails.

    Examples:
      browse doctor
      browse doctor --json
    """
    from browse.setup.check import Scene
    from browse.setup.doctor import examine

    return examine(say, Scene.here())


@command(
    group=Group.SETUP, scope=Scope.ADMIN, lane=Lane.FREE, runs_here="browse.setup", deadline=None
)
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


@command(group=Group.SETUP, scope=Scope.META, lane=Lane.FREE, runs_here="browse.mcp", deadline=None)
async def mcp(say: Say) -> Text:
    """Serve a program that speaks the Model Context Protocol (MCP), over stdin and stdout.

    It offers three tools, `read`, `act` and `help`, which run the same commands with the same
    rules. `browse install --mcp` adds it to a host. While a daemon runs, the same is at `/mcp` of
    its port, for those that have a token.

    Examples:
      browse mcp
    """
    os.execv(sys.executable, [sys.executable, "-I", "-m", "browse.mcp", "mcp"])  # noqa: S606  # no shell


def _silent(_: str) -> None:
    pass
