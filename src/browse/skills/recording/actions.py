"""What was done, as lines of a script; what was typed meanwhile becomes the skill's arguments."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from browse.core.errors import BrowseError, Code
from browse.flow.steps import HIDDEN, Step, Target
from browse.guard.secrets import redacted_url
from browse.registry.bind import COMMON, shared_flags
from browse.registry.spec import Arg, Spec
from browse.skills.recording.choose import REF, STARTS, TYPING
from browse.skills.recording.places import framed, selector
from browse.skills.recording.spelling import Names, literal

# Methods of the SDK that spell a command with its flags, and those that take no flags.
WITH_FLAGS = ("click", "fill", "check", "uncheck", "hover", "scroll", "wait")
WITHOUT_FLAGS = ("select", "type", "press", "goto")
DROPPED = {*(arg.name for arg in COMMON), "snapshot", "anyway"}
# What the SDK's `run` calls its own parameters.
TAKEN = ("main", "argv")
_NAMED = re.compile(r'#([\w-]+)|="((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Given:
    """An argument of the skill: what it is unless another value is given; None must be given."""

    name: str
    default: str | None
    step: int
    about: str


@dataclass(slots=True)
class Arguments:
    """The arguments of a skill, in the order in which its steps need them."""

    given: list[Given] = field(default_factory=list)
    _names: Names = field(default_factory=lambda: Names(TAKEN))
    _known: dict[tuple[str, str], Given] = field(default_factory=dict)

    def take(self, value: str, step: Step, *wishes: str) -> str:
        """Make an argument of a value that was typed; give the code that stands for it."""
        known = self._known.get((value, wishes[0])) if HIDDEN not in value else None
        if known is None:
            about = f"What step {step.number} ({step.command}) puts in."
            known = Given(self._names.give(*wishes), _default(value), step.number, about)
            self._known[value, wishes[0]] = known
            self.given.append(known)
        return f"args[{literal(known.name)}]"

    def open(self, url: str, step: Step) -> str:
        """Make an argument of an address that was opened."""
        about = f"The page that step {step.number} opens."
        default = None if HIDDEN in url or redacted_url(url) != url else url
        given = Given(self._names.give("url"), default, step.number, about)
        start, follows = f"args[{literal(given.name)}]", self.following(url)
        self.given.append(given)
        return following(start, follows) if follows else start

    def following(self, url: str) -> dict[str, str]:
        """Tell which parameters of an address were also typed: they follow the argument."""
        typed = {it.default: it.name for it in self.given if it.default and it.default != url}
        return {
            key: typed[value]
            for key, value in parse_qsl(urlsplit(url).query)
            if value in typed and any(map(str.isalpha, value))
        }


def following(start: str, follows: dict[str, str]) -> str:
    """Write an address whose query has arguments in it."""
    pairs = ", ".join(f"{literal(key)}: args[{literal(name)}]" for key, name in follows.items())
    return f"with_query({start}, {{{pairs}}})"


def _default(value: str) -> str | None:
    return None if HIDDEN in value else value


@dataclass(slots=True)
class Deeds:
    """Writes one step after another; keeps in mind the frame and the field that they are in."""

    arguments: Arguments
    frame: tuple[str, ...] = ()
    _last: Target | None = None

    def line(self, step: Step, spec: Spec) -> str:
        """Write the call that does a step again."""
        spoken = Spoken(spec, step.words)
        target = next(iter(step.targets.values()), None)
        self._last = target or self._last
        typed = spoken.typed_from(step.command)
        words = [self._word(step, arg, word) for arg, word in spoken.positional[:typed]]
        if typed is not None:
            words += self._typed(step, [word for _, word in spoken.positional[typed:]])
        flags = [
            self._flag(step, arg, word) for arg, word in spoken.flags if arg.name not in DROPPED
        ]
        return call("goto" if step.command in STARTS else spec.name, words, flags)

    def _typed(self, step: Step, values: list[str]) -> list[str]:
        if step.command != "select":
            values = [" ".join(values)]
        wishes = wishes_for(self._last)
        return [
            self.arguments.take(value, step, *wishes, "value") if value else literal("")
            for value in values
        ]

    def _word(self, step: Step, arg: Arg, word: str) -> str:
        if arg.name == "url" and step.command in STARTS:
            return self.arguments.open(word, step)
        if target := step.targets.get(arg.name):
            if found := selector(target):
                return literal(found)
            raise untold(step)
        if REF.fullmatch(word):
            raise untold(step)
        if self.frame and arg.param.metavar.startswith("selector") and not word.isdigit():
            return literal(framed(self.frame, word))
        return literal(word)

    def _flag(self, step: Step, arg: Arg, word: str | None) -> str:
        if word is None:
            return literal(arg.spelled)
        target = step.targets.get(arg.name)
        return literal(f"{arg.spelled}={(target and selector(target)) or word}")


def wishes_for(target: Target | None) -> list[str]:
    """List what a thing may be called after: its label, its id or name."""
    if target is None:
        return []
    return [target.name, *named_in(target.css), *named_in(target.word)]


def named_in(css: str) -> list[str]:
    """List the names that authors gave, in a selector; the innermost first."""
    return [first or second for first, second in _NAMED.findall(css)][::-1]


def call(name: str, words: Sequence[str], flags: Sequence[str]) -> str:
    """Write a call of the SDK, by its own method where there is one."""
    if name in WITH_FLAGS or (name in WITHOUT_FLAGS and not flags):
        return f"browse.{name}({', '.join([*words, *flags])})"
    # What is not known before it runs may begin with a dash.
    apart = (
        [literal("--")] if any(word[:5] == "args[" or word[1:2] == "-" for word in words) else []
    )
    return f"browse.command({', '.join([literal(name), *flags, *apart, *words])})"


def untold(step: Step) -> BrowseError:
    """Say that a step's element cannot be found again."""
    return BrowseError(
        Code.JOURNAL,
        f"Step {step.number} of the recording ({step.command}) cannot be written: how to find its "
        "element again is not known.",
        hint="do it once more with a selector instead of the ref, or begin later with --from <n>; "
        "`browse replay --list` has the numbers",
    )


class Spoken:
    """The words after a command, told apart as `bind` does, but as they were written."""

    def __init__(self, spec: Spec, words: Sequence[str]) -> None:
        known = {arg.spelled: arg for arg in (*spec.flags, *shared_flags(spec))}
        known |= {f"-{arg.doc.short}": arg for arg in spec.flags if arg.doc.short}
        self.flags: list[tuple[Arg, str | None]] = []
        plain: list[str] = []
        queue = list(words)
        while queue:
            word = queue.pop(0)
            name, equals, value = word.partition("=")
            if word == "--":
                plain += queue
                break
            if arg := known.get(name):
                given = value if equals else None if arg.switch else queue.pop(0)
                self.flags.append((arg, given))
            else:
                plain.append(word)
        last = len(spec.arguments) - 1
        self.positional = [
            (spec.arguments[min(at, last)], word) for at, word in enumerate(plain) if last >= 0
        ]

    def typed_from(self, command: str) -> int | None:
        """Tell from which word on it is what somebody typed; None where nothing is."""
        return None if command not in TYPING else 0 if command == "type" else 1

    def first(self) -> str:
        return self.positional[0][1] if self.positional else ""
