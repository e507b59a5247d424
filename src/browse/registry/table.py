"""Find commands by the words that were typed, and turn words of other tools into ours."""

from collections.abc import Iterable, Sequence

from browse import _nearest
from browse.core.errors import BrowseError, Code, Usage
from browse.registry.other_tools import INSTEAD
from browse.registry.shared_flags import is_flag, shared_flags
from browse.registry.spec import Alias, Family, Spec, by_command, families


class CommandTable:
    """The commands of one process, by name and by alias."""

    def __init__(self, specs: Iterable[Spec]) -> None:
        self.specs = tuple(specs)
        self.families = {family.name: family for family in families(self.specs)}
        self._by_name = {name: spec for spec in self.specs for name in spec.names}
        self._aliases = {alias.name: alias for spec in self.specs for alias in spec.aliases}
        self._first_words = {word for spec in self.specs for word in spec.first_words}
        self._pairs: dict[str, list[Spec]] = {}
        for name in self._aliases:
            first, _, second = name.partition(" ")
            if second and first not in self.families:  # a family finds its sub-commands itself
                self._pairs.setdefault(first, []).append(self._by_name[name])

    def split(self, words: Sequence[str]) -> tuple[Spec, list[str]]:
        """Find the command by the first word that is one: flags may come before it.

        The rest is as the command itself is typed: an alias of two words loses its second one, and
        gets its flags. The word that names a sub-command stays, where `bind` reads it.
        """
        first, *rest = self._command_first(words)
        if (at := self._second(first, rest)) is not None:
            return self._renamed(self._aliases[f"{first} {rest[at]}"], rest[:at] + rest[at + 1 :])
        if family := self.families.get(first):
            spec = self._sub_command(family, rest)
            return spec, _respelled(spec, rest)
        if first not in self._first_words:
            raise self._unknown(first, rest)
        if alias := self._aliases.get(first):
            return self._renamed(alias, rest)
        spec = self._by_name[first]
        return spec, _respelled(spec, rest)

    def find(self, name: str) -> Spec:
        """Find a command by its whole name: `goto`, `skill run`, or `skill` for its default."""
        if family := self.families.get(name):
            return self._default(family)
        if spec := self._by_name.get(name):
            return spec
        first, _, word = name.partition(" ")
        family = self.families.get(first)
        raise self._unknown_below(family, word) if family else self._unknown(name, ())

    def _command_first(self, words: Sequence[str]) -> Sequence[str]:
        """Put the command before the flags that come before it, as the client does."""
        end = words.index("--") if "--" in words else len(words)
        if not is_flag(words[0]):
            return words
        known = self._first_words | self._pairs.keys()
        at = next((at for at, word in enumerate(words[:end]) if word in known), 0)
        return [words[at], *words[:at], *words[at + 1 :]]

    def _second(self, first: str, rest: Sequence[str]) -> int | None:
        """Return the place of the word that is, with the first one, an alias of two words."""
        specs = self._pairs.get(first)
        at = _first_argument(rest, specs) if specs else None
        return None if at is None or f"{first} {rest[at]}" not in self._aliases else at

    def _renamed(self, alias: Alias, rest: list[str]) -> tuple[Spec, list[str]]:
        spec = self._by_name[alias.name]
        rest = [*alias.flags.split(), *_respelled(spec, rest)]
        return spec, [spec.words[0], *rest] if spec.family else rest

    def _sub_command(self, family: Family, rest: Sequence[str]) -> Spec:
        at = _first_argument(rest, families(self.specs)[family])
        if at is None:
            return self._default(family)
        if spec := self._by_name.get(f"{family.name} {rest[at]}"):
            return spec
        default = self._by_name.get(f"{family.name} {family.default}")
        if default and default.arguments:
            return default
        raise self._unknown_below(family, rest[at])

    def _default(self, family: Family) -> Spec:
        if spec := self._by_name.get(f"{family.name} {family.default}"):
            return spec
        words = [spec.words[0] for spec in families(self.specs)[family]]
        raise Usage(
            f"{family.name}: a sub-command is missing",
            hint=f"browse {family.name} <{'|'.join(words)}>; see `browse help {family.name}`",
        )

    def _unknown(self, typed: str, rest: Sequence[str]) -> BrowseError:
        at = _first_argument(rest, self._pairs.get(typed, ()))
        pair = typed if at is None else f"{typed} {rest[at]}"
        if foreign := next((word for word in (pair, typed) if word in INSTEAD), ""):
            message = f"browse has no '{foreign}'."
            return BrowseError(Code.UNKNOWN_COMMAND, message, hint=INSTEAD[foreign])
        if typed in self._pairs:
            return self._unknown_pair(typed, pair)
        listed = ", ".join(sorted(by_command(self.specs)))
        never = {name for spec in self.specs for name in spec.destroying}
        offered = _nearest.nearest(typed, self._first_words | self._pairs.keys(), never)
        return _unknown(typed, offered, f"Available commands: {listed}")

    def _unknown_pair(self, first: str, typed: str) -> BrowseError:
        known = sorted(name for name in self._aliases if name.startswith(f"{first} "))
        each = (f"{name} (`browse {self._by_name[name].name}`)" for name in known)
        return _unknown(typed, [], f"there are: {', '.join(each)}")

    def _unknown_below(self, family: Family, word: str) -> BrowseError:
        siblings = families(self.specs)[family]
        names = [name for spec in siblings if not spec.destroys for name in spec.words]
        offered = [f"{family.name} {name}" for name in _nearest.nearest(word, names)]
        listed = ", ".join(spec.words[0] for spec in siblings)
        hint = f"`browse {family.name}` has: {listed}; see `browse help {family.name}`"
        hint = INSTEAD.get(f"{family.name} {word}", hint)
        return _unknown(f"{family.name} {word}", offered, hint)


def _first_argument(words: Sequence[str], specs: Sequence[Spec]) -> int | None:
    """Return the place of the first word that is neither a flag of these commands nor its value."""
    places = _arguments(words, specs)
    return places[0] if places else None


def _arguments(words: Sequence[str], specs: Sequence[Spec]) -> list[int]:
    """List the places of the words that are neither flags of these commands nor their values."""
    valued = {
        form
        for spec in specs
        for arg in (*spec.flags, *shared_flags(spec))
        if not arg.switch
        for form in (arg.spelled, f"-{arg.doc.short}", *arg.doc.also)
    }
    places: list[int] = []
    skipped = False
    for at, word in enumerate(words):
        if word == "--":
            return [*places, *range(at + 1, len(words))]
        if skipped:
            skipped = False
        elif is_flag(word):
            skipped = word in valued
        else:
            places.append(at)
    return places


def _respelled(spec: Spec, rest: list[str]) -> list[str]:
    """Let a command turn arguments of other tools into its own; those after `--` stay."""
    if spec.respell is None:
        return rest
    end = rest.index("--") if "--" in rest else len(rest)
    places = _arguments(rest[:end], [spec])
    arguments = [rest[at] for at in places]
    ours = spec.respell(arguments)
    if ours == arguments:
        return rest
    flags = [word for at, word in enumerate(rest[:end]) if at not in places]
    return [*flags, *ours, *rest[end:]]


def _unknown(typed: str, offered: Sequence[str], hint: str) -> BrowseError:
    message = f"Unknown command: {typed[:60]!r}.{_nearest.meant(offered)}"
    return BrowseError(Code.UNKNOWN_COMMAND, message, hint=hint)
