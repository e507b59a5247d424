"""Parse words into arguments: one grammar for the client, HTTP, batches and chains."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from browse.core.errors import Usage
from browse.core.scopes import NOTHING, Reach, Scope
from browse.core.text import has_lone_surrogate, nearest
from browse.guard.urls import NavUrl
from browse.registry.params import SESSION, TAB_ID, WORD, WRITE_FILE, Doc, Param, Surroundings
from browse.registry.render import usage
from browse.registry.shared_flags import FIND_MS, is_flag, shared_flags
from browse.registry.signature import Argument
from browse.registry.spec import MUTATING, ChangedTabs, Lane, Spec

HELP = ("--help", "-h")
# The word that names a sub-command, among the words of an invocation.
SUB_COMMAND = Argument("", WORD, Doc(""), required=False)


class Bound(msgspec.Struct):
    """An invocation with every word parsed: the handler's arguments, and what it needs.

    `noted` has its words as a log may keep them, `hidden` those that it may not. `given` has each
    given value with its word; the word of a switch is the switch itself.
    """

    spec: Spec
    values: dict[str, Any] = msgspec.field(default_factory=dict)
    scopes: Scope = NOTHING
    local_only: bool = False
    pending: list[tuple[Param, Any]] = msgspec.field(default_factory=list)
    noted: list[str] = msgspec.field(default_factory=list)
    hidden: list[str] = msgspec.field(default_factory=list)
    given: list[tuple[Argument, str, Any]] = msgspec.field(default_factory=list)

    @property
    def wants_json(self) -> bool:
        return bool(self.values.get("json"))

    @property
    def lane(self) -> Lane:
        """What this invocation excludes while it runs."""
        rule = self.spec.lane
        return rule if isinstance(rule, Lane) else rule(self.values)

    @property
    def reach(self) -> Reach:
        """What this invocation may affect."""
        rule = self.spec.reach
        return rule if isinstance(rule, Reach) else rule(self.values)

    @property
    def mutates(self) -> bool:
        """Whether this invocation waits for a person while automation is on."""
        rule = self.spec.mutates
        return rule(self.values) if callable(rule) else rule

    @property
    def changes(self) -> ChangedTabs:
        """The tabs that this invocation changes, so that a person in one of them would notice."""
        rule = self.spec.changes
        if rule is not None:
            return rule(self.values) if callable(rule) else rule
        lasting = self.spec.scope in (*MUTATING, Scope.CONTROL)
        if self.lane is not Lane.FREE and (lasting or self.is_acting):
            return ChangedTabs.OWN if self.lane is Lane.TAB else ChangedTabs.SESSION
        return ChangedTabs.SESSION if lasting and self.reach is Reach.BROWSER else ChangedTabs.NONE

    @property
    def only_reads(self) -> bool:
        """Whether this invocation asks no site for anything and changes nothing, not even a log."""
        beyond = self.scopes & ~(Scope.READ | Scope.META)
        return not (beyond or self.is_acting or self.urls) and self.changes is ChangedTabs.NONE

    @property
    def is_acting(self) -> bool:
        """Whether this invocation changes a page, leaves it, or waits for a person's consent."""
        return self.mutates or self.spec.acts or self.spec.navigates

    @property
    def sessions(self) -> list[str]:
        """The sessions that the words name."""
        return [value for param, value in self.pending if param is SESSION]

    @property
    def tab_ids(self) -> list[int]:
        """The tabs that the words name."""
        return [value for param, value in self.pending if param is TAB_ID]

    @property
    def urls(self) -> list[NavUrl]:
        """The addresses that the words name."""
        return [value for _, value in self.pending if isinstance(value, NavUrl)]

    def deadline_s(self, page_s: float = 0.0) -> float | None:
        """Return how long this invocation may take where a page may take `page_s` to load."""
        rule = self.spec.deadline
        limit = rule(self.values) if callable(rule) else rule
        if limit is None:
            return None
        within = float(self.values["within"]) / 1000 if self.values.get("expect") else 0.0
        if self.spec.acts:
            longer_ms = (self.values["settle"] or 0) + self.values["timeout"] - FIND_MS
            within += max(0, longer_ms) / 1000
        return limit + within + self.spec.loads * page_s

    def call(self) -> tuple[list[Any], dict[str, Any]]:
        """Return the positional and the keyword arguments for the handler."""
        positional: list[Any] = []
        for arg in self.spec.arguments:
            value = self.values[arg.name]
            positional.extend(value) if arg.repeats else positional.append(value)
        return positional, {arg.name: self.values[arg.name] for arg in self.spec.flags}

    async def admit(self, env: Surroundings) -> None:
        """Run the checks that need the network or the disk, after the gates have passed."""
        for param, value in self.pending:
            if param.admit:
                await param.admit(value, env)


def bind(spec: Spec, words: Sequence[str], env: Surroundings) -> Bound:
    """Parse the words after the first word of a command's name."""
    bound = Bound(spec, scopes=spec.scope)
    flags = {arg.spelled: arg for arg in (*spec.flags, *shared_flags(spec))}
    flags |= {f"-{arg.doc.short}": arg for arg in spec.flags if arg.doc.short}
    flags |= {form: arg for arg in spec.flags for form in arg.doc.also}
    positional: list[str] = []
    _check_words(spec, words)
    queue = deque(words)
    while queue:
        word = queue.popleft()
        if word == "--":
            positional += queue
            break
        if spec.runs_words and not is_flag(word):
            positional += [word, *queue]
            break
        if is_flag(word):
            _take_flag(bound, word, queue, flags, env)
        else:
            positional.append(word)
    _take_positional(bound, positional, env)
    for arg in (*spec.flags, *shared_flags(spec)):
        bound.values.setdefault(arg.name, arg.default)
    if spec.writes(bound.values) if callable(spec.writes) else spec.writes:
        bound.scopes |= WRITE_FILE.scopes
    return bound


def _check_words(spec: Spec, words: Sequence[str]) -> None:
    for number, word in enumerate(words, 1):
        if "\0" in word:
            raise _wrong(spec, f"argument {number} contains a NUL character")
        if has_lone_surrogate(word):
            raise _wrong(spec, f"argument {number} is not valid UTF-8")


def _take_flag(
    bound: Bound, word: str, queue: deque[str], flags: dict[str, Argument], env: Surroundings
) -> None:
    name, equals, given = word.partition("=")
    arg = flags.get(name)
    letters = [f"-{letter}" for letter in name[1:]]
    if (
        arg is None
        and not name.startswith("--")
        and not equals
        and all(letter in flags for letter in letters)
    ):
        queue.extendleft(reversed(letters))  # merged short flags: -ic is -i -c
        return
    if arg is None:
        raise _unknown_flag(bound.spec, name, list(flags))
    if arg.name in bound.values and not arg.repeats:
        raise _wrong(bound.spec, f"{name} specified more than once")
    if arg.switch:
        bound.values[arg.name] = _truth(bound.spec, name, given if equals else "true")
        bound.noted.append(word)
        bound.given.append((arg, word, bound.values[arg.name]))
        if bound.values[arg.name]:
            bound.scopes |= arg.param.scopes
        return
    if not equals:
        if not queue or queue[0].startswith("--"):
            raise _wrong(bound.spec, f"{name} requires a value: {name} <{arg.metavar}>")
        given = queue.popleft()
    value = _parse(bound, arg, given, env)
    bound.values[arg.name] = (*bound.values.get(arg.name, ()), value) if arg.repeats else value


def _truth(spec: Spec, name: str, given: str) -> bool:
    if given not in ("true", "false"):
        raise _wrong(spec, f"{name} must be true or false")
    return given == "true"


def _take_positional(bound: Bound, words: list[str], env: Surroundings) -> None:
    left = list(words)
    if left and left[0] in bound.spec.instead:
        raise _not_ours(bound.spec, left[0])
    if left and left[0] in bound.spec.words:
        word = left.pop(0)
        bound.noted.append(word)
        bound.given.append((SUB_COMMAND, word, word))
    for arg in bound.spec.arguments:
        if arg.repeats:
            bound.values[arg.name] = [_parse(bound, arg, word, env) for word in left]
            left = []
        elif left:
            bound.values[arg.name] = _parse(bound, arg, left.pop(0), env)
        elif arg.required:
            raise _wrong(bound.spec, f"<{arg.metavar}> is missing")
        else:
            bound.values[arg.name] = arg.default
    if left:
        raise _wrong(bound.spec, f"unexpected argument {left[0][:60]!r}")


def _parse(bound: Bound, arg: Argument, word: str, env: Surroundings) -> Any:
    if env.remote and arg.param.local_only:
        bound.local_only = True  # it will be refused: do not look at this disk
        return None
    try:
        value = arg.param.parse(word, env)
    except Usage as exc:
        raise Usage(
            f"{bound.spec.name}: {arg.spelled}: {exc.message}",
            hint=f"{exc.hint}; {usage(bound.spec)}",
        ) from exc
    bound.scopes |= arg.param.scopes
    bound.local_only |= arg.param.local_only
    bound.pending.append((arg.param, value))
    bound.given.append((arg, word, value))
    _note(bound, arg, word)
    return value


def _note(bound: Bound, arg: Argument, word: str) -> None:
    noted = arg.param.noted(word)
    bound.noted.append(f"{arg.spelled}={noted}" if arg.flag else noted)
    if noted != word:
        bound.hidden.append(word)


def _unknown_flag(spec: Spec, name: str, known: list[str]) -> Usage:
    if name in spec.instead:
        return _not_ours(spec, name)
    if name in HELP:
        return Usage(
            f"{spec.name}: {name} is for the command line", hint=f"browse help {spec.name}"
        )
    guess = nearest(name, known)
    meant = f" Did you mean {guess}?" if guess else ""
    shown = ", ".join(sorted(flag for flag in known if flag.startswith("--")))
    return Usage(
        f"{spec.name}: Unknown flag: {name[:40]}.{meant}",
        hint=f"Flags: {shown}. For an argument that starts with a dash, put -- before it.",
    )


def _not_ours(spec: Spec, word: str) -> Usage:
    return Usage(f"{spec.name} has no {word!r}", hint=spec.instead[word])


def _wrong(spec: Spec, message: str) -> Usage:
    return Usage(f"{spec.name}: {message}", hint=usage(spec))
