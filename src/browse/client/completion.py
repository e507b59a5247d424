"""Completion scripts: every command, every sub-command and their flags, for each shell.

Names of skills, logins, states, sessions and tabs come from `browse completion names`, when needed.
"""

from browse.client._help import ALIASES, FLAGS, HELP, NAMED, NAMED_FLAGS, SUB_COMMANDS
from browse.client._names import NAMES, START_FLAGS

TOP_FLAGS = " ".join(("--help", "--version", "--force-restart", *START_FLAGS))
# With any command that starts the daemon; the others are for before the command only.
LATER_FLAGS = tuple(flag for flag, (*_, is_first) in START_FLAGS.items() if not is_first)

# The first two words that are not flags name the command, or the sub-command if there is one.
BASH = """\
# bash completion for browse. In ~/.bashrc: eval "$(browse completion bash)"
_browse() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command= offer= i
  local -a plain=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in -*) ;; *) plain+=("${{COMP_WORDS[i]}}") ;; esac
  done
  command=${{plain[0]-}}
  case "$command ${{plain[1]-}}" in {pairs}) command="$command ${{plain[1]}}" ;; esac
  case $command in
    '') offer="{names} {top}" ;;
{cases}  esac
  case ${{COMP_WORDS[COMP_CWORD - 1]}} in
{values}  esac
  COMPREPLY=($(compgen -W "$offer" -- "$word"))
}}
complete -o default -F _browse browse gbrowse
"""

ZSH = """\
#compdef browse gbrowse
# zsh completion for browse. In ~/.zshrc, after compinit: eval "$(browse completion zsh)"
_browse() {{
  local command= word
  local -a offer plain
  for word in ${{words[2,CURRENT-1]}}; do
    case $word in -*) ;; *) plain+=("$word") ;; esac
  done
  command=${{plain[1]-}}
  case "$command ${{plain[2]-}}" in {pairs}) command="$command $plain[2]" ;; esac
  case $command in
    '') offer=({names} {top}) ;;
{cases}  esac
  case ${{words[CURRENT-1]}} in
{values}  esac
  if (( $#offer )); then compadd -- $offer; else _files; fi
}}
compdef _browse browse gbrowse
"""

FISH = """\
# fish completion for browse. In config.fish: browse completion fish | source
function __browse_at
    set -l plain (string match -v -- '-*' (commandline -opc)[2..-1])
    set -l command "$plain[1]"
    switch "$plain[1] $plain[2]"
        case {pairs}
            set command "$plain[1] $plain[2]"
    end
    test "$command" = "$argv"
end
function __browse_names
    set -l browse (commandline -opc)[1]
    $browse completion names $argv[1] 2>/dev/null
end
complete -c gbrowse -w browse
complete -c browse -n '__browse_at ""' -f -a '{names}'
complete -c browse -n '__browse_at ""' -f -a '{top}'
"""


BASH_NAMES = '$("${COMP_WORDS[0]}" completion names %s 2>/dev/null)'
ZSH_NAMES = '${(f)"$(${words[1]} completion names %s 2>/dev/null)"}'


def bash() -> str:
    """Write the script for bash."""
    cases = _cases("$word", 'offer="{}"', BASH_NAMES)
    values = _values('offer="{}"', BASH_NAMES)
    return BASH.format(names=_names(), top=TOP_FLAGS, cases=cases, pairs=_pairs("|"), values=values)


def zsh() -> str:
    """Write the script for zsh."""
    cases = _cases("$PREFIX", "offer=({})", ZSH_NAMES)
    values = _values("offer=({})", ZSH_NAMES)
    return ZSH.format(names=_names(), top=TOP_FLAGS, cases=cases, pairs=_pairs("|"), values=values)


def fish() -> str:
    """Write the script for fish."""
    lines = [FISH.format(names=_names(), top=TOP_FLAGS, pairs=_pairs(" "))]
    for place in _places():
        at = f"complete -c browse -n '__browse_at {place}'"
        if words := _words(place):
            lines.append(f"{at} -f -a '{words}'\n")
        if kind := NAMED.get(place):
            lines.append(f"{at} -f -a '(__browse_names {kind})'\n")
        lines.append(f"{at} -a '{_flags(place)}'\n")
    for flag, kind in NAMED_FLAGS.items():
        lines.append(f"complete -c browse -x -l {flag[2:]} -a '(__browse_names {kind})'\n")
    return "".join(lines)


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def _places() -> list[str]:
    """List what may have been typed: each command, sub-command, and family."""
    return sorted({*NAMES, *HELP, *ALIASES, *(f"help {family}" for family in SUB_COMMANDS)})


def _pairs(between: str) -> str:
    return between.join(f"'{place}'" for place in _places() if " " in place)


def _cases(dash: str, line: str, names: str) -> str:
    """Write a shell's `case` rows: flags once a dash is typed, else the words that may follow."""
    rows = []
    for place in _places():
        kind = NAMED.get(ALIASES.get(place, place))
        offered = names % kind if kind else _words(place)
        flags, words = line.format(_flags(place)), line.format(offered)
        rows.append(f"    '{place}') if [[ {dash} == -* ]]; then {flags}; else {words}; fi ;;\n")
    return "".join(rows)


def _values(line: str, names: str) -> str:
    """Write `case` rows for flags whose values are names."""
    return "".join(
        f"    {flag}) {line.format(names % kind)} ;;\n" for flag, kind in NAMED_FLAGS.items()
    )


def _flags(place: str) -> str:
    return " ".join((*FLAGS.get(ALIASES.get(place, place), ()), *LATER_FLAGS, "--help"))


def _words(place: str) -> str:
    if place in ("help", "completion"):
        return _names() if place == "help" else " ".join(SHELLS)
    return " ".join(SUB_COMMANDS.get(place.removeprefix("help "), ()))


def _names() -> str:
    """List what is offered: commands by their own names; words of other tools work unoffered."""
    return " ".join(sorted(HELP.keys() & NAMES))
