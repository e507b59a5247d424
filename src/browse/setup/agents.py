"""`install --skills`: write the agent skills to where a coding agent looks for them.

A file that we wrote ends with a line that holds its version and a hash of the rest, so that an
older one of ours is replaced and one that a person changed is left alone.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Literal

import msgspec

import browse
from browse import _where
from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import write_private

FILE = "SKILL.md"
MAX_BYTES = 1_000_000
_MARK = re.compile(
    rb"\n<!-- written by browse (?P<version>\S{1,40}); sha256 (?P<hash>[0-9a-f]{64}) -->\n\Z"
)
State = Literal["installed", "updated", "current", "changed", "link", "removed", "absent"]


class Host(msgspec.Struct, frozen=True):
    """A program that runs agents: how we know that it is used, and where it looks for skills."""

    sign: str
    home: str
    project: str

    def is_used(self, home: Path) -> bool:
        return (home / self.sign).is_dir() or (home / self.home).is_dir()


HOSTS = {
    "claude": Host(".claude", ".claude/skills", ".claude/skills"),
    "codex": Host(".codex", ".agents/skills", ".agents/skills"),
    "cursor": Host(".cursor", ".cursor/skills", ".cursor/skills"),
    "opencode": Host(".config/opencode", ".config/opencode/skills", ".opencode/skills"),
    "gemini": Host(".gemini", ".gemini/skills", ".gemini/skills"),
}
USUAL = "claude"


class SkillInstall(msgspec.Struct, frozen=True):
    """What was done with one skill for one host."""

    host: str
    name: str
    path: str
    state: State


def chosen(hosts: Iterable[str], home: Path) -> list[str]:
    """Return the hosts that are meant: those named, else those used here, else one."""
    named = list(dict.fromkeys(hosts))
    if "all" in named:
        return list(HOSTS)
    if unknown := [name for name in named if name not in HOSTS]:
        raise Usage(
            f"install: {unknown[0]} has no place for skills",
            hint=f"--host is one of: {', '.join(HOSTS)}, all",
        )
    return named or [name for name, it in HOSTS.items() if it.is_used(home)] or [USUAL]


def folder(host: str, base: Path, *, project: bool) -> Path:
    """Return where a host looks for skills, below the home folder or below a project."""
    return base / (HOSTS[host].project if project else HOSTS[host].home)


def project_here(start: Path) -> Path:
    """Return the project that a folder is in."""
    if root := _where.git_root(str(start)):
        return Path(root)
    raise BrowseError(
        Code.FILE_UNUSABLE,
        f"There is no project here: no .git in {start} or above.",
        hint="type it inside a project (`git init` makes one), or leave out --project",
    )


def skills() -> Iterator[tuple[str, bytes]]:
    """Return the agent skills that come with browse: name and text."""
    for entry in sorted(resources.files("browse.setup").joinpath("skills").iterdir(), key=str):
        yield entry.name, entry.joinpath(FILE).read_bytes()


def marked(text: bytes) -> bytes:
    """Add the line by which we recognise our own file."""
    text = text.rstrip(b"\n") + b"\n"
    digest = hashlib.sha256(text).hexdigest()
    return text + f"\n<!-- written by browse {browse.__version__}; sha256 {digest} -->\n".encode()


def is_ours(data: bytes) -> bool:
    """Check whether we wrote this text and nobody has changed it since."""
    found = _MARK.search(data)
    if not found:
        return False
    return hashlib.sha256(data[: found.start()]).hexdigest() == found["hash"].decode()


def install(host: str, place: Path, *, force: bool) -> list[SkillInstall]:
    """Write every skill to where a host looks."""
    return [_settle(host, place / name, marked(text), force=force) for name, text in skills()]


def remove(host: str, place: Path, *, force: bool) -> list[SkillInstall]:
    """Remove every skill that is ours."""
    return [_settle(host, place / name, None, force=force) for name, _ in skills()]


def report_lines(host: str, place: Path, rows: list[SkillInstall]) -> list[str]:
    """Describe what was done for a host: a count for each state, and the files left alone."""
    states = [row.state for row in rows]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    lines = [f"{host} ({place}): {counts}"]
    for row in rows:
        if row.state == "changed":
            lines.append(f"  left alone, it was changed: {row.path} (--force replaces it)")
        if row.state == "link":
            lines.append(f"  left alone, it is a link: {row.path} (remove the link first)")
    return lines


def facts(rows: list[SkillInstall]) -> list[dict[str, str]]:
    return [
        {"host": row.host, "name": row.name, "path": row.path, "state": row.state} for row in rows
    ]


def _settle(host: str, folder: Path, wanted: bytes | None, *, force: bool) -> SkillInstall:
    """Write or remove one file; leave one that is not ours as it is."""
    path = folder / FILE

    def row(state: State) -> SkillInstall:
        return SkillInstall(host, folder.name, str(path), state)

    if folder.is_symlink() or path.is_symlink():
        return row("link")
    try:
        there = _read(path)
        if there == wanted:
            return row("current" if wanted else "absent")
        if there is not None and not is_ours(there) and not force:
            return row("changed")
        if wanted is None:
            _unlink(path)
            return row("removed")
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        write_private(path, wanted)
    except (OSError, BrowseError) as exc:
        raise _unwritable(path, exc) from exc
    return row("installed" if there is None else "updated")


def _unlink(path: Path) -> None:
    path.unlink()
    if not any(path.parent.iterdir()):
        path.parent.rmdir()


def _read(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES)
    except FileNotFoundError:
        return None


def _unwritable(path: Path, exc: OSError | BrowseError) -> BrowseError:
    reason = exc.message if isinstance(exc, BrowseError) else f"{path}: {exc.strerror}"
    return BrowseError(
        Code.FILE_UNUSABLE,
        f"The skill cannot be put there. {reason}".rstrip(".") + ".",
        hint="fix the permissions or free space there, or choose another --host",
    )
