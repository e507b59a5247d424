"""The declaration of a command: `@command` reads everything from the function.

A sub-command, such as `skill run`, is declared like any other command; its `Family` has what it
shares with the others. A wrong declaration raises at import, so it cannot reach a user.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum, StrEnum
from typing import Any

import msgspec

from browse.core.scopes import Reach, Scope, Surface
from browse.registry.signature import (
    Argument,
    Handler,
    read_docstring,
    read_services,
    read_signature,
)

Deadline = float | Callable[[Mapping[str, Any]], float] | None
Writes = bool | Callable[[Mapping[str, Any]], bool]
Mutates = bool | Callable[[Mapping[str, Any]], bool]
DEFAULT_DEADLINE_S = 30.0
MUTATING = (Scope.WRITE, Scope.ADMIN)


class ChangedTabs(Enum):
    """The tabs that an invocation changes, so that a person in one of them would notice."""

    NONE = "none"
    ASIDE = "none, only what is kept aside: a log, a recording, what later commands begin with"
    OWN = "the one that it runs in, or names"
    SESSION = "those of its session"
    ALL = "those of all sessions"

    @property
    def has_tabs(self) -> bool:
        return self not in (ChangedTabs.NONE, ChangedTabs.ASIDE)


Changing = ChangedTabs | Callable[[Mapping[str, Any]], ChangedTabs]


class Lane(Enum):
    """What an invocation excludes while it runs."""

    TAB = "one command at a time on its tab"
    BROWSER = "nothing else runs in the browser meanwhile"
    FREE = "waits for nothing: answers while a page spins or a dialog is open"


# Turns words of other tools into ours: gets the arguments, returns arguments and flags.
Respell = Callable[[list[str]], list[str]]


class Alias(msgspec.Struct, frozen=True):
    """Another name of a command, of one word or two, and the flags that it stands for.

    `Alias("dblclick", "--double")` makes `dblclick @e3` what `click --double @e3` is. `destroys`:
    with these flags, the command deletes something.
    """

    name: str
    flags: str = ""
    destroys: bool = False


Lanes = Lane | Callable[[Mapping[str, Any]], Lane]
Reaches = Reach | Callable[[Mapping[str, Any]], Reach]


class Group(StrEnum):
    """Sections of the help, in the order they are printed."""

    NAVIGATION = "Navigation"
    READING = "Reading"
    INSPECTION = "Inspection"
    SNAPSHOT = "Snapshot"
    INTERACTION = "Interaction"
    VISUAL = "Visual"
    STYLE = "Style"
    EXTRACTION = "Extraction"
    TABS = "Tabs"
    STATE = "State"
    NETWORK = "Network and emulation"
    RECORDING = "Recording"
    NOTES = "Notes"
    SKILLS = "Skills"
    AUTOMATION = "Automation"
    PERSON = "Person"
    PAIRING = "Pairing"
    META = "Meta"
    SERVER = "Server"
    FLEET = "Fleet"
    SETUP = "Set-up"


class Family(msgspec.Struct, frozen=True):
    """The sub-commands that share a first word, such as `skill run` and `skill list`.

    `default` is the sub-command that the first word alone runs; without a default, the first word
    needs a second one.
    """

    name: str
    group: Group
    summary: str
    body: str = ""
    default: str = ""


class Spec(msgspec.Struct, frozen=True):
    """All facts about a command; a sub-command's name has two words."""

    name: str
    family: Family | None
    group: Group
    scope: Scope
    surfaces: Surface
    lane: Lanes
    reach: Reaches
    aliases: tuple[Alias, ...]
    reads_stdin: bool
    runs_here: str
    runs_words: bool
    acts: bool
    destroys: bool
    respell: Respell | None
    instead: Mapping[str, str]
    writes: Writes
    mutates: Mutates
    changes: Changing | None
    navigates: bool
    deadline: Deadline
    loads: int
    handler: Handler
    args: tuple[Argument, ...]
    services: Mapping[str, str]
    summary: str
    body: str
    examples: tuple[str, ...]

    @property
    def command(self) -> str:
        """The first word of its name, as logs name the command."""
        return self.family.name if self.family else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """Its name, then its aliases."""
        return (self.name, *(alias.name for alias in self.aliases))

    @property
    def destroying(self) -> tuple[str, ...]:
        """Its names under which it ends or deletes something."""
        return self.names if self.destroys else tuple(it.name for it in self.aliases if it.destroys)

    @property
    def first_words(self) -> tuple[str, ...]:
        """The words that a command line for it may begin with, if one is enough to tell."""
        own = (self.family.name,) if self.family else (self.name,)
        return (*own, *(it.name for it in self.aliases if " " not in it.name))

    @property
    def words(self) -> tuple[str, ...]:
        """The names of a sub-command within its family: its name, then its aliases."""
        if self.family is None:
            return ()
        pairs = (name.partition(" ") for name in self.names)
        return tuple(word for first, _, word in pairs if first == self.family.name)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return tuple(arg for arg in self.args if not arg.flag)

    @property
    def flags(self) -> tuple[Argument, ...]:
        return tuple(arg for arg in self.args if arg.flag)


_declared: list[Spec] = []
# Of all of them: the names, and the families that first words lead to (None for a command itself).
_names: set[str] = set()
_families: dict[str, Family | None] = {}
# What declares commands that nobody has asked for yet.
_later: list[Callable[[], None]] = []


def declare_later(declare: Callable[[], None]) -> None:
    """Have this declare more commands when somebody asks for all of them."""
    _later.append(declare)


def declared() -> tuple[Spec, ...]:
    """Return all commands, by module and in order of declaration."""
    while _later:
        _later.pop()()
    return tuple(sorted(_declared, key=lambda spec: spec.handler.__module__))


def declared_in(modules: Collection[str]) -> tuple[Spec, ...]:
    """Return the commands of these modules, which have been imported."""
    return tuple(spec for spec in _declared if spec.handler.__module__ in modules)


def by_command(specs: Iterable[Spec]) -> dict[str, list[Spec]]:
    """Group commands by their first words; the sub-commands of a family are sorted."""
    found: dict[str, list[Spec]] = {}
    for spec in specs:
        found.setdefault(spec.command, []).append(spec)
    return {word: sorted(its, key=lambda spec: spec.name) for word, its in found.items()}


def families(specs: Iterable[Spec]) -> dict[Family, list[Spec]]:
    """Return the sub-commands of each family."""
    members = by_command(spec for spec in specs if spec.family).values()
    return {its[0].family: its for its in members if its[0].family}


def command(
    *,
    group: Group | None = None,
    family: Family | None = None,
    scope: Scope,
    surfaces: Surface = Surface.LOCAL,
    lane: Lanes = Lane.TAB,
    reach: Reaches | None = None,
    name: str = "",
    aliases: tuple[str | Alias, ...] = (),
    reads_stdin: bool = False,
    runs_here: str = "",
    runs_words: bool = False,
    acts: bool = False,
    writes: Writes = False,
    mutates: Mutates | None = None,
    changes: Changing | None = None,
    deadline: Deadline = DEFAULT_DEADLINE_S,
    navigates: bool = False,
    loads: int = 0,
    destroys: bool = False,
    respell: Respell | None = None,
    instead: Mapping[str, str] | None = None,
) -> Callable[[Handler], Handler]:
    """Declare a command, in a group of the help or as a sub-command of a family.

    The name is that of the function, which for a sub-command begins with the family's name:
    `skill_run` is `skill run`. `name` and `aliases` of a sub-command do not include the family's,
    unless an alias is an `Alias`, which is the whole name.
    `lane`, `reach` and `deadline` (in seconds) may be functions of the bound values. A deadline of
    None is for a command whose parts have their own deadlines. `loads` is how many pages it loads
    one after the other: the time that each may take is added to the deadline. The default reach of
    a command that is not on the tab lane is the whole browser, which many callers may not affect.
    `runs_here` names the program that runs the command without a daemon: a package. `runs_words`:
    its arguments are another command, with that command's flags. `acts` commands change the page:
    their reply reports the effects. `writes` says whether a file is written even if none is named,
    always or for some values. `navigates` commands need only the scope read in tabs of the caller's
    own.
    `mutates` commands wait for a person while automation is on; the default is true for those with
    the write or admin scope. `changes` commands are refused while a person has a tab that they
    change; the default is the tab, or for a command without one the session, of those that act,
    navigate, mutate or have a scope beyond reading. `destroys` commands end or delete what cannot
    be had back, and are never suggested. `respell` turns arguments as other tools write them into
    ours. `instead` says what to type for a flag that only other tools have.
    """

    def register(handler: Handler) -> Handler:
        summary, body, examples = read_docstring(handler)
        spec = Spec(
            name=_full_name(handler, name, family),
            family=family,
            group=_group(handler, group, family),
            scope=scope,
            surfaces=surfaces,
            lane=lane,
            reach=reach or (Reach.TAB if lane is Lane.TAB else Reach.BROWSER),
            aliases=tuple(_alias(word, family) for word in aliases),
            reads_stdin=reads_stdin,
            runs_here=runs_here,
            runs_words=runs_words,
            acts=acts,
            destroys=destroys,
            respell=respell,
            instead=instead or {},
            writes=writes,
            mutates=scope in MUTATING if mutates is None else mutates,
            changes=changes,
            deadline=deadline,
            navigates=navigates,
            loads=loads,
            handler=handler,
            args=read_signature(handler),
            services=read_services(handler),
            summary=summary,
            body=body,
            examples=examples,
        )
        _add(spec)
        return handler

    return register


def _alias(word: str | Alias, family: Family | None) -> Alias:
    if isinstance(word, Alias):
        return word
    return Alias(f"{family.name} {word}" if family else word)


def _full_name(handler: Handler, name: str, family: Family | None) -> str:
    spelled = name or handler.__name__.replace("_", "-")
    if family is None:
        return spelled
    if not name and not spelled.startswith(f"{family.name}-"):
        wanted = family.name.replace("-", "_")
        raise TypeError(f"{handler.__name__}: a sub-command of {family.name} is {wanted}_…")
    return f"{family.name} {name or spelled.removeprefix(f'{family.name}-')}"


def _group(handler: Handler, group: Group | None, family: Family | None) -> Group:
    chosen = family.group if family else group
    if chosen is None or (group and family):
        raise TypeError(f"{handler.__name__}: needs a group or a family, one of them")
    return chosen


def _add(spec: Spec) -> None:
    """Add a command to the list; raise if its name is taken."""
    clash = {name for name in spec.names if name in _names}
    # A first word is one command, or it is one family's.
    clash |= {word for word in spec.first_words if _families.get(word, spec.family) != spec.family}
    if clash:
        raise TypeError(f"command declared twice: {', '.join(sorted(clash))}")
    _names.update(spec.names)
    _families.update(dict.fromkeys(spec.first_words, spec.family))
    _declared.append(spec)
