"""`install --mcp`: write `browse mcp` into the configuration of a host, and take it out again.

What else is in the file stays. An entry of the same name that we did not write is left alone.
"""

import errno
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from browse.core.errors import BrowseError, Code
from browse.core.files import write_private
from browse.setup import invocation

NAME = "browse"
MAX_BYTES = 20_000_000
State = Literal["installed", "updated", "current", "changed", "removed", "absent"]
Entry = dict[str, Any]
_INDENT = re.compile(r'^\{\r?\n([ \t]+)"')
# A table of ours ends at a blank line, at a comment, which may be about the next one, or at that.
_TABLE = re.compile(rf"(?m)^\[mcp_servers\.{NAME}\][^\n]*(?:\n(?!\s*(?:[\[#]|$))[^\n]*)*\n*")


@dataclass(frozen=True, slots=True)
class McpHost:
    """A program that runs agents: its files, where the servers are in them, and their form."""

    sign: str
    home: str
    project: str
    key: str = "mcpServers"
    entry: Callable[[str], Entry] = lambda command: {"command": command, "args": ["mcp"]}

    @property
    def is_toml(self) -> bool:
        return self.home.endswith(".toml")


def _typed(command: str) -> Entry:
    return {"type": "stdio", "command": command, "args": ["mcp"]}


def _local(command: str) -> Entry:
    return {"type": "local", "command": [command, "mcp"], "enabled": True}


_CODE = "Library/Application Support/Code" if sys.platform == "darwin" else ".config/Code"
HOSTS = {
    "claude": McpHost(".claude", ".claude.json", ".mcp.json", entry=_typed),
    "codex": McpHost(".codex", ".codex/config.toml", ".codex/config.toml", "mcp_servers"),
    "cursor": McpHost(".cursor", ".cursor/mcp.json", ".cursor/mcp.json"),
    "vscode": McpHost(_CODE, f"{_CODE}/User/mcp.json", ".vscode/mcp.json", "servers", _typed),
    "gemini": McpHost(".gemini", ".gemini/settings.json", ".gemini/settings.json"),
    "opencode": McpHost(
        ".config/opencode", ".config/opencode/opencode.json", "opencode.json", "mcp", _local
    ),
}
USUAL = "claude"


@dataclass(frozen=True, slots=True)
class McpInstall:
    """What was done for one host."""

    host: str
    path: str
    state: State

    def lines(self) -> list[str]:
        """Describe it for a person."""
        line = f"{self.host} ({self.path}): {self.state}"
        if self.state == "changed":
            return [
                line,
                f"  left alone: another server has the name {NAME} (--force replaces it)",
            ]
        return [line]


def chosen(named: tuple[str, ...], home: Path) -> list[str]:
    """Return the hosts that are meant: those named, else those used here, else one."""
    if "all" in named:
        return list(HOSTS)
    used = [name for name, it in HOSTS.items() if (home / it.sign).is_dir()]
    return list(dict.fromkeys(named)) or used or [USUAL]


def command(*, project: bool) -> str:
    """Return what a host types: a name that a project can share, else the whole path."""
    own = invocation.script()
    if own is None:
        return invocation.SECOND
    found = shutil.which(invocation.SECOND) if project else None
    ours = found and Path(found).resolve().parent == own.resolve().parent
    return invocation.SECOND if ours else str(own)


def settle(host: str, base: Path, *, project: bool, remove: bool, force: bool) -> McpInstall:
    """Write or remove the entry of one host."""
    it = HOSTS[host]
    path = base / (it.project if project else it.home)
    edit = _edit_toml if it.is_toml else _edit_json
    wanted = None if remove else it.entry(command(project=project))
    try:
        before = _read(path)
        if remove and NAME not in before:
            return McpInstall(host, str(path), "absent")
        state, after = edit(it, before, wanted, force=force)
        if after is not None:
            _write(path, after, base)
    except (ValueError, RecursionError) as exc:
        raise _left_alone(path, it, str(exc), remove=remove) from exc
    except (OSError, BrowseError) as exc:
        reason = exc.message if isinstance(exc, BrowseError) else f"{path}: {exc.strerror}"
        raise BrowseError(
            Code.FILE_UNUSABLE,
            f"The configuration of {host} cannot be written. {reason}".rstrip(".") + ".",
            hint="fix the permissions or free space there, or choose another --host",
        ) from exc
    return McpInstall(host, str(path), state)


def _state(there: Any, wanted: Entry | None, *, force: bool) -> State:
    if there is None:
        return "absent" if wanted is None else "installed"
    if there == wanted:
        return "current"
    if not force and not _is_ours(there):
        return "changed"
    return "removed" if wanted is None else "updated"


def _is_ours(entry: Any) -> bool:
    """Check whether an entry runs a program of our name with `mcp`, and nothing else."""
    if not isinstance(entry, dict):
        return False
    words = entry.get("command")
    rest = entry.get("args", [])
    line = words if isinstance(words, list) or not isinstance(rest, list) else [words, *rest]
    names = (invocation.NAME, invocation.SECOND)
    known = {"type", "command", "args", "enabled"}
    return (
        isinstance(line, list)
        and len(line) == 2
        and isinstance(line[0], str)
        and Path(line[0]).name in names
        and line[1] == "mcp"
        and set(entry) <= known
    )


def _edit_json(
    host: McpHost, before: str, wanted: Entry | None, *, force: bool
) -> tuple[State, str | None]:
    data = json.loads(before, object_pairs_hook=_once, parse_float=_exact) if before.strip() else {}
    servers = data.get(host.key, {}) if isinstance(data, dict) else None
    if not isinstance(servers, dict):
        raise ValueError(f"{host.key} is no object")
    state = _state(servers.get(NAME), wanted, force=force)
    if state in ("current", "changed", "absent"):
        return state, None
    if wanted is None:
        del servers[NAME]
        data = {key: value for key, value in data.items() if value or key != host.key}
    else:
        data[host.key] = {**servers, NAME: wanted}
    if not data:
        return state, ""
    found = _INDENT.match(before)
    indent: int | str = found[1] if found else 2
    end = "\n" if before.endswith("\n") or not before else ""
    after = json.dumps(data, indent=indent, ensure_ascii=False) + end
    return state, after.replace("\n", "\r\n") if "\r\n" in before else after


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; raise if a key is there twice, since only one would be written again."""
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _exact(number: str) -> float:
    """Read a number; raise if another one would be written in its place."""
    if Decimal(repr(float(number))) != Decimal(number):
        raise ValueError(f"the number {number[:40]} would change")
    return float(number)


def _edit_toml(
    host: McpHost, before: str, wanted: Entry | None, *, force: bool
) -> tuple[State, str | None]:
    data = tomllib.loads(before)
    servers = data.get(host.key, {})
    if not isinstance(servers, dict):
        raise ValueError(f"{host.key} is no table")
    state = _state(servers.get(NAME), wanted, force=force)
    if state in ("current", "changed", "absent"):
        return state, None
    left = _TABLE.sub("", before)
    after = left.rstrip("\n") + "\n" if left.strip() else ""
    rest = {name: entry for name, entry in servers.items() if name != NAME}
    if wanted is not None:
        table = _table(host, wanted)
        after = f"{after}\n{table}" if after else table
        rest[NAME] = wanted
    with suppress(tomllib.TOMLDecodeError):  # a table does not fit into it
        if {host.key: {}} | tomllib.loads(after) == data | {host.key: rest}:
            return state, after
    raise ValueError(f"{host.key} or {NAME} in it is written in another way than as a table")


def _table(host: McpHost, entry: Entry) -> str:
    rows = [f"{key} = {json.dumps(value)}" for key, value in entry.items()]
    return "\n".join([f"[{host.key}.{NAME}]", *rows]) + "\n"


def _read(path: Path) -> str:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ValueError("it is no file")
        with path.open("rb") as file:
            return file.read(MAX_BYTES).decode()
    except FileNotFoundError:
        return ""


def _write(path: Path, after: str, base: Path) -> None:
    """Write a file, with the rights that it has; one in which nothing is left is removed.

    So are the folders below `base` in which it was alone.
    """
    real = path.resolve()  # a link to a file elsewhere stays a link
    mode = real.stat().st_mode & 0o777 if real.exists() else 0o600
    if not mode & 0o222:  # another file could take its place, but somebody does not want that
        raise PermissionError(errno.EACCES, "it is read-only")
    if not after:
        real.unlink()
        with suppress(OSError):  # there is something else in it
            for folder in real.parents:
                if base.resolve() not in folder.parents:
                    break
                folder.rmdir()
        return
    real.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    write_private(real, after.encode())
    real.chmod(mode)


def _left_alone(path: Path, host: McpHost, why: str, *, remove: bool) -> BrowseError:
    entry = host.entry(command(project=False))
    shown = _table(host, entry) if host.is_toml else json.dumps({host.key: {NAME: entry}})
    hint = f"put this into it yourself: {shown.rstrip()}"
    return BrowseError(
        Code.FILE_UNUSABLE,
        f"{path} was left as it is: it cannot be changed safely ({why[:200]}).",
        hint=f"take {NAME} out of its {host.key} yourself" if remove else hint,
    )
