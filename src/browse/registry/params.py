"""Parameter types: how a word of the command line becomes a checked value.

A type may do more than parsing: a `WritePath` needs the write scope and is not offered through the
tunnel, the host of a `Url` is resolved before the handler runs. Commands inherit the rules of their
parameter types; no handler repeats them.
"""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any

import msgspec

from browse.core.errors import Usage
from browse.core.scopes import NOTHING, Scope
from browse.guard import domains, files, urls
from browse.guard.files import Roots
from browse.guard.resolver import Resolver, system_resolver
from browse.guard.secrets import MASK, redacted_url, scrubbed
from browse.guard.sites import Sites

MAX_WAIT_MS = 300_000
# What can only name a file with a script: a path without blanks, a name with an ending, no name.
_SCRIPT_NAME = re.compile(
    r"[^\s()=;'\"`+*{}]*/[^()=;'\"`{}]*|[^/()=;'\"`{}]+\.(?:[mc]?js|ts|txt)|\.{0,2}"
)
# No element has such a tag: the name of a custom one has a hyphen.
_BARE_REF = re.compile(r"(?:ref=)?([ec][0-9]{1,9})")
# Kinds of conditions that mean nothing without a word.
_CONDITIONS = ("text", "url", "gone")


class Surroundings(msgspec.Struct, frozen=True):
    """What parsing may depend on: the caller's folder, the safe folders, the resolver.

    A remote caller has no folder here, and none is safe for it.
    `sites` has the rules of this daemon about sites; None without a daemon. `writes` lists the
    folders to write to, if they are not those to read from. `journals` lists the files with the
    steps of this project, which lie in a folder that is closed.
    """

    cwd: str
    roots: Roots
    resolve: Resolver = system_resolver
    sites: Sites | None = None
    remote: bool = False
    writes: Roots | None = None
    journals: Roots = files.NO_FILES

    def read(self, raw: str) -> files.ReadPath:
        """Check a file to read."""
        return files.check_read(raw, cwd=self.cwd, roots=self.roots)

    def write(self, raw: str) -> files.WritePath:
        """Check a file to write."""
        roots = self.roots if self.writes is None else self.writes
        return files.check_write(raw, cwd=self.cwd, roots=roots)

    async def admit(self, url: urls.NavUrl) -> None:
        """Raise if the host of an address is refused, by a rule or by what it resolves to."""
        if self.sites:
            self.sites.check(url.host)
        await urls.check_host(url, self.resolve)


Parse = Callable[[str, Surroundings], Any]
Admit = Callable[[Any, Surroundings], Awaitable[None]]


class Param(msgspec.Struct, frozen=True):
    """The grammar and the rules of a parameter type; `noted` returns its word for a log.

    `names`: whose names complete it in a shell (`client/names.py`).
    """

    metavar: str
    parse: Parse
    admit: Admit | None = None
    scopes: Scope = NOTHING
    local_only: bool = False
    noted: Callable[[str], str] = scrubbed
    names: str = ""


class Doc(msgspec.Struct, frozen=True):
    """Help for one parameter of one command, its one-letter form, and what other tools call it."""

    help: str
    short: str = ""
    metavar: str = ""
    also: tuple[str, ...] = ()


def whole(low: int, high: int, unit: str = "") -> Param:
    """Return a parameter type for whole numbers within bounds."""

    def parse(raw: str, _: Surroundings) -> int:
        digits = raw.strip()
        if not re.fullmatch(r"-?[0-9]{1,15}", digits) or not low <= int(digits) <= high:
            raise Usage(
                f"{raw[:40]!r} is not a whole number from {low:,} to {high:,}{unit}",
                hint="give a number in that range",
            )
        return int(digits)

    return Param("N", parse)


def _as_is(raw: str, _: Surroundings) -> str:
    return raw


def target(raw: str, _: Surroundings) -> str:
    """Parse a ref or a selector; `e3` and `ref=e3` are refs as other tools write them."""
    if not raw.strip():
        raise Usage(
            "the selector is empty",
            hint="give a CSS selector such as '#main', or text=, role=, xpath=",
        )
    if found := _BARE_REF.fullmatch(raw):
        return f"@{found[1]}"
    if raw.isdecimal():
        raise Usage(
            f"{raw[:20]} is neither a ref nor a selector",
            hint=f"refs look like @e{raw[:9]}: run `browse snapshot -i`",
        )
    return raw


async def _admit_url(url: urls.NavUrl, env: Surroundings) -> None:
    await env.admit(url)


def _condition(raw: str, _: Surroundings) -> str:
    kind, equals, rest = raw.partition("=")
    if not (rest if equals and kind in _CONDITIONS else raw).strip():
        raise Usage(
            f"the condition {raw[:40]!r} is empty",
            hint="give a selector, text=Saved, url=/done or gone=.spinner",
        )
    return raw


WORD = Param("", _as_is)
# What must come true: of an action, or of a page that is opened.
CONDITION = Param("condition", _condition)
Condition = Annotated[str, CONDITION]
# A switch that acts on the page where the command without it only reads.
ACTS = Param("", _as_is, scopes=Scope.WRITE)
# A switch that only the owner may use.
OWNERS = Param("", _as_is, scopes=Scope.ROOT)


def unlogged(_: str) -> str:
    """Return what a log has in place of a word that it never has."""
    return MASK


# Text typed into a page, or another value that nobody else should read.
SECRET = Param("", _as_is, noted=unlogged)


def _variable(raw: str, _: Surroundings) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", raw):
        raise Usage(f"{raw[:40]!r} is not the name of a variable", hint="give it as SHOP_PASSWORD")
    return raw


# Names where the client gets a secret that is typed, which comes beside the words.
SECRET_FROM = Param("NAME", _variable)
Secret = Annotated[str, SECRET]
# JavaScript for the page, which may read cookies and storage, and fill in a password.
Source = Annotated[str, Param("expression", _as_is, scopes=Scope.ADMIN, noted=unlogged)]
Selector = Annotated[str, Param("selector", target)]
# What is pressed by a command that only reads without it.
PressedSelector = Annotated[str, Param("selector", target, scopes=Scope.WRITE)]
URL = Param(
    "url",
    lambda raw, env: urls.check_url(raw, cwd=env.cwd, roots=env.roots),
    admit=_admit_url,
    noted=redacted_url,
)
Url = Annotated[urls.NavUrl, URL]
READ_FILE = Param("file", lambda raw, env: env.read(raw))
ReadFile = Annotated[files.ReadPath, READ_FILE]


def _script(raw: str, env: Surroundings) -> files.ReadPath | str:
    if not env.remote and (_SCRIPT_NAME.fullmatch(raw) or Path(env.cwd, raw).is_file()):
        return env.read(raw)
    return raw


# A script: a file on this machine; for a remote caller, the text of the script.
Script = Annotated[
    files.ReadPath | str,
    Param(
        "file",
        _script,
        noted=unlogged,
    ),
]
InputFile = Annotated[
    files.ReadPath | None,
    Param(
        "file",
        lambda raw, env: None if raw == "-" else env.read(raw),
    ),
]
WRITE_FILE = Param(
    "file",
    lambda raw, env: env.write(raw),
    scopes=Scope.WRITE,
    local_only=True,
)
WriteFile = Annotated[files.WritePath, WRITE_FILE]
TAB_ID = Param("id", whole(1, 10**9).parse, names="tabs")
TabId = Annotated[int, TAB_ID]


def parse_millis(raw: str, env: Surroundings) -> int:
    """Parse a time to wait: 500, 500ms or 2s."""
    if re.fullmatch(r"[0-9]+(?:ms|s)", raw.strip()):
        return _duration(raw, env)
    return int(whole(0, MAX_WAIT_MS, " milliseconds").parse(raw, env))


Millis = Annotated[int, Param("ms", parse_millis)]


def _allowed(raw: str, _: Surroundings) -> domains.Allowed:
    if raw.strip() == "any":
        return domains.Allowed(())
    if patterns := domains.parse_list(raw):
        return domains.Allowed(patterns)
    raise Usage("no domain is named", hint="name some, such as example.com,*.example.org, or any")


# For the owner only: an agent could use it to widen its own limits.
AllowedDomains = Annotated[
    domains.Allowed | None,
    Param("domains", _allowed, scopes=Scope.ROOT),
    Doc("Limit the tab's requests to these domains from now on; `any` removes the limit."),
]


def _session(raw: str, _: Surroundings) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", raw):
        raise Usage(
            f"{raw[:40]!r} is not a name for a session",
            hint="use up to 32 letters, digits, - and _, such as --session work",
        )
    return raw


SESSION = Param("name", _session, names="sessions")


def _duration(raw: str, env: Surroundings) -> int:
    found = re.fullmatch(r"([0-9]{1,9})(ms|s)?", raw.strip())
    if not found or int(found[1]) * (1000 if found[2] == "s" else 1) > MAX_WAIT_MS:
        raise Usage(
            f"{raw[:40]!r} is not a duration up to 300s", hint="give 500ms, 2s or milliseconds"
        )
    return int(found[1]) * (1000 if found[2] == "s" else 1)


DURATION = Param("duration", _duration)
Duration = Annotated[int, DURATION]
BUILT_IN: dict[type, Param] = {str: WORD, int: whole(-(10**12), 10**12)}
