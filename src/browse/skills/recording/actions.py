"""Actions as lines of a script; what was typed becomes the skill's arguments."""

import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

import msgspec

from browse.core.errors import BrowseError, Code
from browse.flow.steps import HIDDEN, Step, Target
from browse.guard.secrets import redacted_url
from browse.registry.bind import SUB_COMMAND
from browse.registry.shared_flags import COMMON, shared_flags
from browse.registry.signature import Argument
from browse.registry.spec import Spec
from browse.skills.recording.choose import REF, STARTS, TYPING
from browse.skills.recording.places import framed, selector
from browse.skills.recording.spelling import PythonNames, literal

# Methods of the SDK that take the flags of their command, and those that take none.
WITH_FLAGS = ("click", "fill", "check", "uncheck", "hover", "scroll", "wait")
WITHOUT_FLAGS = ("select", "type", "press", "goto")
DROPPED = {*(arg.name for arg in COMMON), "snapshot", "anyway"}
# Names of the parameters of the SDK's `run`.
TAKEN = ("main", "argv")
_NAMED = re.compile(r'#([\w-]+)|="((?:[^"\\]|\\.)*)"')


class Given(msgspec.Struct, frozen=True):
    """An argument of the skill with its default; None means that it is required."""

    name: str
    default: str | None
    step: int
    about: str


class Arguments(msgspec.Struct):
    """The arguments of a skill, in the order in which its steps need them."""

    given: list[Given] = msgspec.field(default_factory=list)
    _names: PythonNames = msgspec.field(default_factory=lambda: PythonNames(TAKEN))
    _known: dict[tuple[str, str], Given] = msgspec.field(default_factory=dict)

    def take(self, value: str, step: Step, *wishes: str) -> str:
        """Turn a value that was typed into an argument; return the code for it."""
        known = self._known.get((value, wishes[0])) if HIDDEN not in value else None
        if known is None:
            about = f"What step {step.number} ({step.command}) puts in."
            known = Given(self._names.give(*wishes), _default(value), step.number, about)
            self._known[value, wishes[0]] = known
            self.given.append(known)
        return f"args[{literal(known.name)}]"

    def open(self, url: str, step: Step) -> str:
        """Turn an address that was opened into an argument."""
        about = f"The page that step {step.number} opens."
        default = None if HIDDEN in url or redacted_url(url) != url else url
        given = Given(self._names.give("url"), default, step.number, about)
        start, follows = f"args[{literal(given.name)}]", self.following(url)
        self.given.append(given)
        return following(start, follows) if follows else start

    def following(self, url: str) -> dict[str, str]:
        """List the parameters of an address whose values were also typed: they use the argument."""
        typed = {it.default: it.name for it in self.given if it.default and it.default != url}
        return {
            key: typed[value]
            for key, value in parse_qsl(urlsplit(url).query)
            if value in typed and any(map(str.isalpha, value))
        }


def following(start: str, follows: dict[str, str]) -> str:
    """Write the code of an address whose query contains arguments."""
    pairs = ", ".join(f"{literal(key)}: args[{literal(name)}]" for key, name in follows.items())
    return f"with_query({start}, {{{pairs}}})"


def _default(value: str) -> str | None:
    return None if HIDDEN in value else value


class ActionWriter(msgspec.Struct):
    """Writes one step after another; tracks the frame and the field that they are in."""

    arguments: Arguments
    frame: tuple[str, ...] = ()
    _last: Target | None = None

    def line(self, step: Step, spec: Spec) -> str:
        """Write the call that runs a step again."""
        spoken = SplitWords(spec, step.words)
        target = next(iter(step.targets.values()), None)
        self._last = target or self._last
        typed = spoken.typed_from(step.command)
        words = [self._word(step, arg, word) for arg, word in spoken.positional[:typed]]
        if typed is not None:
            words += self._typed(step, [word for _, word in spoken.positional[typed:]])
        flags = [
            self._flag(step, arg, word) for arg, word in spoken.flags if arg.name not in DROPPED
        ]
        return call("goto" if step.command in STARTS else spec.command, words, flags)

    def _typed(self, step: Step, values: list[str]) -> list[str]:
        if step.command != "select":
            values = [" ".join(values)]
        wishes = wishes_for(self._last)
        return [
            self.arguments.take(value, step, *wishes, "value") if value else literal("")
            for value in values
        ]

    def _word(self, step: Step, arg: Argument, word: str) -> str:
        if arg.name == "url" and step.command in STARTS:
            return self.arguments.open(word, step)
        if target := step.targets.get(arg.name):
            if found := selector(target):
                return literal(found)
            raise not_findable(step)
        if REF.fullmatch(word):
            raise not_findable(step)
        if self.frame and arg.param.metavar.startswith("selector") and not word.isdigit():
            return literal(framed(self.frame, word))
        return literal(word)

    def _flag(self, step: Step, arg: Argument, word: str | None) -> str:
        if word is None:
            return literal(arg.spelled)
        target = step.targets.get(arg.name)
        return literal(f"{arg.spelled}={(target and selector(target)) or word}")


def wishes_for(target: Target | None) -> list[str]:
    """List candidate names for an element: its label, its id or name."""
    if target is None:
        return []
    return [target.name, *named_in(target.css), *named_in(target.word)]


def named_in(css: str) -> list[str]:
    """List the names in a selector that authors chose; the innermost first."""
    return [first or second for first, second in _NAMED.findall(css)][::-1]


def call(name: str, words: Sequence[str], flags: Sequence[str]) -> str:
    """Write a call of the SDK, by its own method if there is one."""
    if name in WITH_FLAGS or (name in WITHOUT_FLAGS and not flags):
        return f"browse.{name}({', '.join([*words, *flags])})"
    # A value that is known only at run time may begin with a dash.
    apart = (
        [literal("--")] if any(word[:5] == "args[" or word[1:2] == "-" for word in words) else []
    )
    return f"browse.command({', '.join([literal(name), *flags, *apart, *words])})"


def not_findable(step: Step) -> BrowseError:
    """Build the error for a step whose element cannot be found again."""
    return BrowseError(
        Code.JOURNAL,
        f"Step {step.number} of the recording ({step.command}) cannot be written: how to find its "
        "element again is not known.",
        hint="do it once more with a selector instead of the ref, or begin later with --from <n>; "
        "`browse replay --list` has the numbers",
    )


class SplitWords:
    """The words after a command, split as `bind` does, but as they were written."""

    def __init__(self, spec: Spec, words: Sequence[str]) -> None:
        known = {arg.spelled: arg for arg in (*spec.flags, *shared_flags(spec))}
        known |= {f"-{arg.doc.short}": arg for arg in spec.flags if arg.doc.short}
        self.flags: list[tuple[Argument, str | None]] = []
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
        named = [(SUB_COMMAND, plain.pop(0))] if plain and plain[0] in spec.words else []
        last = len(spec.arguments) - 1
        self.positional = named + [
            (spec.arguments[min(at, last)], word) for at, word in enumerate(plain) if last >= 0
        ]

    def typed_from(self, command: str) -> int | None:
        """Return the index of the first word that was typed as text; None if there is none."""
        return None if command not in TYPING else 0 if command == "type" else 1

    def first(self) -> str:
        return self.positional[0][1] if self.positional else ""
