"""Find commands by the words that were typed."""

from collections.abc import Iterable, Sequence

from browse.core.errors import BrowseError, Code, Usage
from browse.core.text import nearest
from browse.registry.shared_flags import is_flag, shared_flags
from browse.registry.spec import Family, Spec, by_command, families


class CommandTable:
    """The commands of one process, by name and by alias."""

    def __init__(self, specs: Iterable[Spec]) -> None:
        self.specs = tuple(specs)
        self.families = {family.name: family for family in families(self.specs)}
        self._by_name = {name: spec for spec in self.specs for name in (spec.name, *spec.aliases)}
        self._first_words = {word for spec in self.specs for word in spec.first_words}

    def split(self, words: Sequence[str]) -> tuple[Spec, list[str]]:
        """Find the command by the first word; the client has put it before leading flags.

        The word that names a sub-command stays in the rest, where `bind` reads it.
        """
        first, *rest = words
        if family := self.families.get(first):
            return self._sub_command(family, rest), rest
        if first not in self._first_words:
            raise self._unknown(first)
        return self._by_name[first], rest

    def find(self, name: str) -> Spec:
        """Find a command by its whole name: `goto`, `skill run`, or `skill` for its default."""
        if family := self.families.get(name):
            return self._default(family)
        if spec := self._by_name.get(name):
            return spec
        first, _, word = name.partition(" ")
        family = self.families.get(first)
        raise self._unknown_below(family, word) if family else self._unknown(name)

    def _sub_command(self, family: Family, rest: Sequence[str]) -> Spec:
        word = _first_argument(rest, families(self.specs)[family])
        if word is None:
            return self._default(family)
        if spec := self._by_name.get(f"{family.name} {word}"):
            return spec
        default = self._by_name.get(f"{family.name} {family.default}")
        if default and default.arguments:
            return default
        raise self._unknown_below(family, word)

    def _default(self, family: Family) -> Spec:
        if spec := self._by_name.get(f"{family.name} {family.default}"):
            return spec
        words = [spec.words[0] for spec in families(self.specs)[family]]
        raise Usage(
            f"{family.name}: a sub-command is missing",
            hint=f"browse {family.name} <{'|'.join(words)}>; see `browse help {family.name}`",
        )

    def _unknown(self, typed: str) -> BrowseError:
        listed = ", ".join(sorted(by_command(self.specs)))
        return _unknown(typed, self._first_words, f"Available commands: {listed}")

    def _unknown_below(self, family: Family, word: str) -> BrowseError:
        siblings = families(self.specs)[family]
        names = [name for spec in siblings for name in (spec.name, *spec.aliases)]
        listed = ", ".join(spec.words[0] for spec in siblings)
        hint = f"`browse {family.name}` has: {listed}; see `browse help {family.name}`"
        return _unknown(f"{family.name} {word}", names, hint)


def _first_argument(words: Sequence[str], siblings: Sequence[Spec]) -> str | None:
    """Return the first word that is neither a flag of these sub-commands nor the value of one."""
    valued = {
        form
        for spec in siblings
        for arg in (*spec.flags, *shared_flags(spec))
        if not arg.switch
        for form in (arg.spelled, f"-{arg.doc.short}")
    }
    queue = iter(words)
    for word in queue:
        if word == "--":
            return next(queue, None)
        if not is_flag(word):
            return word
        if word in valued:
            next(queue, None)
    return None


def _unknown(typed: str, known: Iterable[str], hint: str) -> BrowseError:
    guess = nearest(typed, list(known))
    meant = f" Did you mean '{guess}'?" if guess else ""
    return BrowseError(Code.UNKNOWN_COMMAND, f"Unknown command: {typed[:60]!r}.{meant}", hint=hint)
