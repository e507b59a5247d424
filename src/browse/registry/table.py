"""Looking commands up by the word that was typed."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from browse.core.errors import BrowseError, Code
from browse.core.text import nearest
from browse.registry.spec import Spec


class Table:
    """The commands of one process, by name and by alias."""

    def __init__(self, specs: Iterable[Spec]) -> None:
        self.specs = tuple(specs)
        self._by_word = {word: spec for spec in self.specs for word in (spec.name, *spec.aliases)}

    def split(self, words: Sequence[str]) -> tuple[Spec, list[str]]:
        """Find the command among the words; flags may stand before it (`--json url`)."""
        at = 0
        if words[0].startswith("-"):
            leading = takewhile(lambda word: word != "--", words)
            at = next((index for index, word in enumerate(leading) if word in self._by_word), 0)
        return self.find(words[at]), [*words[:at], *words[at + 1 :]]

    def find(self, word: str) -> Spec:
        """Find a command by name or alias, or say what was probably meant."""
        if spec := self._by_word.get(word):
            return spec
        guess = nearest(word, list(self._by_word))
        meant = f" Did you mean '{guess}'?" if guess else ""
        raise BrowseError(
            Code.UNKNOWN_COMMAND,
            f"Unknown command: {word[:60]!r}.{meant}",
            hint=f"Available commands: {', '.join(sorted(spec.name for spec in self.specs))}",
        )
