"""What the client knows of the commands: their names, and apart from these all texts of help."""

from collections.abc import Sequence

from browse.core import settings
from browse.core.scopes import Scope
from browse.registry import guide, render
from browse.registry.other_tools import INSTEAD
from browse.registry.params import READ_FILE
from browse.registry.shared_flags import COMMON, shared_flags
from browse.registry.spec import Family, Spec, declared, families

# Known to the client alone: it answers them without a daemon and without a declaration to run.
_COMPLETION = f"""Usage: browse completion bash|zsh|fish

{render.COMPLETION}

It completes commands, sub-commands, flags and, while a daemon runs, the names of skills, saved
states, sessions and tabs.

Examples:
  browse completion bash > ~/.local/share/bash-completion/completions/browse
"""
CLIENT_ONLY = {"completion": _COMPLETION}
LOOKS = Scope.READ | Scope.META


def modules(made: str) -> str:
    """Write which modules declare the commands with a first word: what the daemon loads for it."""
    found: dict[str, set[str]] = {}
    for spec in declared():
        for word in _first_words(spec):
            found.setdefault(word, set()).add(spec.handler.__module__)
    lines = [f'"""{made}"""', "# ruff: noqa: E501", "# fmt: off", "", "MODULES = {"]
    for word, its in sorted(found.items()):
        names_of = ", ".join(f'"{name}"' for name in sorted(its))
        lines += [f'    "{word}": ({names_of},),']
    return "\n".join([*lines, "}"]) + "\n"


def names(made: str) -> str:
    """Write what every call of the client loads."""
    specs = declared()
    reading = [spec for spec in specs if spec.reads_stdin]
    flags = [arg for spec in reading for arg in spec.flags] + list(COMMON)
    sets = {
        "NAMES": {word for spec in specs for word in _first_words(spec)} | set(CLIENT_ONLY),
        "READS_STDIN": {word for spec in reading for word in spec.first_words},
        "TAKES_VALUE": {arg.spelled for arg in flags if not arg.switch},
        # A file that is read takes the place of stdin.
        "READS_FILE": {arg.spelled for arg in flags if arg.param is READ_FILE},
        # Of what runs without a daemon, what changes something.
        "CHANGES_HERE": {it.command for it in specs if it.runs_here and it.scope & ~LOOKS},
    }
    lines = [f'"""{made}"""', ""]
    for name, words in sets.items():
        rows = [f'        "{word}",' for word in sorted(words)]
        lines += [f"{name} = frozenset(", "    {", *rows, "    }", ")"]
    lines += ["# What runs without a daemon, and the program that runs it."]
    lines += ["HERE: dict[str, str] = {"]
    here = sorted({(spec.command, spec.runs_here) for spec in specs if spec.runs_here})
    lines += [f'    "{name}": "{program}",' for name, program in here]
    lines += ["}"]
    lines += [
        "# Of these families, only the named sub-commands read stdin, beside so many arguments."
    ]
    lines += ["STDIN_WITH: dict[str, dict[str, int]] = {"]
    for family, members in families(reading).items():
        named = ", ".join(
            f'"{word}": {sum(not arg.flag for arg in spec.args)}'
            for spec in members
            for word in spec.words
        )
        lines += [f'    "{family.name}": {{{named}}},']
    lines += ["}", "# No other word follows these: not even an argument of the default."]
    lines += ["SUB_WORDS: dict[str, frozenset[str]] = {"]
    for family, members in families(specs).items():
        if not _takes_words(family, members):
            known = sorted(word for spec in members for word in spec.words)
            rows = [f'            "{word}",' for word in known]
            lines += [f'    "{family.name}": frozenset(', "        {", *rows, "        }", "    ),"]
    lines += ["}", "# Variable, what joins several values, whether it is a path, what it is, and"]
    lines += ["# whether it counts only before the command, as a command has such a flag too."]
    lines += ["START_FLAGS: dict[str, tuple[str, str, bool, str, bool]] = {"]
    taken = {arg.spelled for spec in specs for arg in spec.args if arg.flag}
    for _, _, about in settings.rows():
        if flag := about.flag:
            facts = (about.env, flag.joined, flag.is_path, flag.metavar, flag.word in taken)
            lines += [f'    "{flag.word}": ({", ".join(map(_literal, facts))}),']
    return "\n".join([*lines, "}"]) + "\n"


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _first_words(spec: Spec) -> set[str]:
    return {*spec.first_words, *(alias.name.partition(" ")[0] for alias in spec.aliases)}


def _takes_words(family: Family, members: Sequence[Spec]) -> bool:
    """Whether a word that is no sub-command may be an argument of the default."""
    return any(family.default in spec.words and spec.arguments for spec in members)


def help_data(made: str) -> str:
    """Write what the client loads to answer by itself."""
    specs = declared()
    known = families(specs)
    texts = {spec.name: render.help_text(spec) for spec in specs} | CLIENT_ONLY
    texts |= {family.name: render.family_text(family, known[family]) for family in known}
    aliases = {alias.name: spec.name for spec in specs for alias in spec.aliases}
    destroys = tuple(name for spec in specs for name in spec.destroying)
    words = {
        family.name: tuple(word for spec in members for word in spec.words)
        for family, members in known.items()
    }
    flags = {
        spec.name: tuple(arg.spelled for arg in (*spec.flags, *shared_flags(spec)))
        for spec in specs
    }
    named = {spec.name: spec.arguments[0].param.names for spec in specs if spec.arguments}
    named = {place: kind for place, kind in named.items() if kind}
    flagged = {arg.spelled: arg.param.names for arg in COMMON if arg.param.names}
    flags |= {family.name: flags.get(f"{family.name} {family.default}", ()) for family in known}
    return "\n".join(
        [
            f'"""{made}"""',
            "# ruff: noqa: E501",
            "# fmt: off",
            "",
            f"OVERVIEW = {render.overview(specs)!r}",
            f"ALIASES = {aliases!r}",
            f"DESTROYS = frozenset({destroys!r})",
            f"INSTEAD = {INSTEAD!r}",
            f"SUB_COMMANDS: dict[str, tuple[str, ...]] = {words!r}",
            f"FLAGS = {flags!r}",
            "# Whose names complete the first argument of these, and the value of these flags.",
            f"NAMED = {named!r}",
            f"NAMED_FLAGS = {flagged!r}",
            "HELP = {",
            *(f"    {name!r}: {text!r}," for name, text in sorted(texts.items())),
            "}",
            f"AGENT = {guide.text(specs)!r}",
            "",
        ]
    )
