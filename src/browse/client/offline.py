"""What the client answers by itself: help, version, completion, and the want of a daemon."""

import os

from browse import __version__, _exit, _where
from browse.client import main, wire
from browse.client._help import AGENT, ALIASES, FLAGS, HELP, OVERVIEW
from browse.client._names import NAMES
from browse.client.wire import Failure

OVERVIEW_WORDS = frozenset({"--help", "-h", "help"})
PHASES = {
    _where.STARTING: ("starting", "any page command waits for it: browse goto <url>"),
    _where.ENDING: ("stopping", "any page command waits for its end and starts a new one"),
}
SUGGEST_FROM = 4
SUGGEST_WITHIN = 2


def answer(words: list[str], name: str) -> int:
    """Answer a command line that needs no daemon, or that names no command."""
    if not words:
        return _print(OVERVIEW)
    first, rest = words[0], words[1:]
    if first in ("--version", "-V"):
        return _print(f"browse {__version__}\n")
    if first in OVERVIEW_WORDS:
        return _help(rest)
    if name in NAMES and "--help" in rest:
        return _help([name])
    if first == "completion":
        return _completion(rest)
    return _unknown(name or _typed(words))


def not_running(call: main.Call, path: str) -> int:
    """Answer `status` when no daemon serves; it starts none, and waits for none."""
    json = "--json" in call.words
    if os.path.lexists(_where.start_lock(path)):  # without a start there is nothing to look at
        from browse.client import endpoint, settle  # a daemon that starts, ends or is lost

        found = settle.glance(path)
        if isinstance(found, endpoint.Daemon):
            return main.send(call, found)
        if found is not None:
            word, hint = PHASES[found.phase]
            if json:
                return _print(f'{{"status":"{word}","pid":{found.pid}}}\n')
            return _print(f"Status: {word}\nPID: {found.pid}\nHint: {hint}\n")
    if json:
        return _print('{"status":"not running"}\n')
    return _print("Status: not running\nHint: any page command starts it: browse goto <url>\n")


def _help(topics: list[str]) -> int:
    if "--agent" in topics:
        return _print(AGENT)
    named = [topic for topic in topics if not topic.startswith("-")]
    for topic in named:
        if topic not in NAMES:
            return _unknown(topic)
    texts = [HELP[ALIASES.get(topic, topic)] for topic in named]
    return _print("\n".join(texts) if texts else OVERVIEW)


def _typed(words: list[str]) -> str:
    """Guess which word was meant as the command when flags come first and none is known."""
    plain = [word for word in words if not word.startswith("-")]
    return plain[0] if plain and words[0] != "--" else words[0]


def _unknown(typed: str) -> int:
    close = suggestion(typed)
    text = f"Unknown command: '{typed}'." + (f" Did you mean '{close}'?" if close else "")
    text += "\nType `browse help` for the list of commands.\n"
    wire.put_error(text.encode("utf-8", "surrogateescape"))
    return _exit.USAGE


def suggestion(typed: str) -> str:
    """Name the command that was probably meant, or "": a short word is close to everything."""
    if len(typed) < SUGGEST_FROM:
        return ""
    # Of equals the one as long as the word: letters are swapped more often than lost.
    ranked = sorted((distance(typed, it), abs(len(it) - len(typed)), it) for it in NAMES)
    return ranked[0][2] if ranked[0][0] <= SUGGEST_WITHIN else ""


def distance(one: str, other: str) -> int:
    """Count the letters to insert, remove or exchange between two words."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for to, wanted in enumerate(other, 1):
            cost = min(row[to] + 1, row[to - 1] + 1, before + (letter != wanted))
            before, row[to] = row[to], cost
    return row[-1]


def _completion(rest: list[str]) -> int:
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}.get(rest[0] if rest else "")
    if write is None:
        raise Failure(
            _exit.USAGE,
            "completion: name a shell: bash, zsh or fish.",
            'For instance, in ~/.bashrc: eval "$(browse completion bash)"',
        )
    return _print(write())


def _flags(name: str) -> str:
    return " ".join((*FLAGS.get(ALIASES.get(name, name), ()), "--help"))


def _words(name: str) -> str:
    return {"help": _names(), "completion": SHELLS}.get(name, "")


def _cases(dash: str, line: str) -> str:
    """Write a shell's `case` rows: flags once a dash is typed, else the words that may follow."""
    rows = []
    for name in sorted(NAMES):
        flags, words = line.format(_flags(name)), line.format(_words(name))
        rows.append(f"    {name}) if [[ {dash} == -* ]]; then {flags}; else {words}; fi ;;\n")
    return "".join(rows)


BASH = """\
# bash completion for browse. In ~/.bashrc: eval "$(browse completion bash)"
_browse() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command= offer= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in -*) ;; *) command=${{COMP_WORDS[i]}}; break ;; esac
  done
  case $command in
    '') offer="{names} {top}" ;;
{cases}  esac
  COMPREPLY=($(compgen -W "$offer" -- "$word"))
}}
complete -o default -F _browse browse
"""

ZSH = """\
#compdef browse
# zsh completion for browse. In ~/.zshrc, after compinit: eval "$(browse completion zsh)"
_browse() {{
  local command= word
  local -a offer
  for word in ${{words[2,CURRENT-1]}}; do
    case $word in -*) ;; *) command=$word; break ;; esac
  done
  case $command in
    '') offer=({names} {top}) ;;
{cases}  esac
  if (( $#offer )); then compadd -- $offer; else _files; fi
}}
compdef _browse browse
"""

FISH = """\
# fish completion for browse. In config.fish: browse completion fish | source
complete -c browse -n __fish_use_subcommand -f -a '{names}'
complete -c browse -n __fish_use_subcommand -f -a '{top}'
complete -c browse -n '__fish_seen_subcommand_from help' -f -a '{names}'
complete -c browse -n '__fish_seen_subcommand_from completion' -f -a '{shells}'
"""

SHELLS = "bash zsh fish"
TOP_FLAGS = "--help --version --force-restart"


def _names() -> str:
    return " ".join(sorted(NAMES))


def _bash() -> str:
    return BASH.format(names=_names(), top=TOP_FLAGS, cases=_cases("$word", 'offer="{}"'))


def _zsh() -> str:
    return ZSH.format(names=_names(), top=TOP_FLAGS, cases=_cases("$PREFIX", "offer=({})"))


def _fish() -> str:
    lines = [
        f"complete -c browse -n '__fish_seen_subcommand_from {name}' -a '{_flags(name)}'\n"
        for name in sorted(NAMES)
    ]
    return FISH.format(names=_names(), top=TOP_FLAGS, shells=SHELLS) + "".join(lines)


def _print(text: str) -> int:
    wire.put(text.encode())
    return _exit.OK
