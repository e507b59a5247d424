"""Words that stand for secrets: a skill gets the word, and `fill` and `type` put in the secret."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

PREFIX = "browse-secret-"


class StandIns:
    """The words that stand for something now; nobody can guess one."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    @contextmanager
    def lent(self, values: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Let new words stand for these values during the block."""
        words = {name: f"{PREFIX}{secrets.token_hex(16)}" for name in values}
        meant = {words[name]: value for name, value in values.items()}
        self._values |= meant
        try:
            yield words
        finally:
            for word in meant:
                del self._values[word]

    def meant(self, word: str) -> str | None:
        """Return what a word stands for; None if it is a word like any other."""
        return self._values.get(word) if word.startswith(PREFIX) else None


STAND_INS = StandIns()
