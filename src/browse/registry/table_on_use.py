"""A table of commands that are declared when they are first used, so that a start loads none."""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module

from browse.registry.spec import Spec, declared, declared_in
from browse.registry.table import CommandTable


class TableOnUse:
    """Finds commands as a `CommandTable` of all of them does.

    `modules` has the first words of all commands, and the modules that declare those of each.
    """

    def __init__(self, modules: Mapping[str, tuple[str, ...]]) -> None:
        self._modules = modules
        self._of = cache(_declared_by)

    def split(self, words: Sequence[str]) -> tuple[Spec, list[str]]:
        """Find the command by the first words; see `CommandTable.split`."""
        modules = self._modules.get(words[0])
        return (self._of(modules) if modules else self._all).split(words)

    @cached_property
    def _all(self) -> CommandTable:
        """For what is unknown: a typing error, or a command that is newer than `modules`."""
        return CommandTable(declared())


def _declared_by(modules: tuple[str, ...]) -> CommandTable:
    for name in modules:
        import_module(name)
    return CommandTable(declared_in(modules))
