"""What the client answers by itself: help, version, completion, and that no daemon runs."""

import os

from browse import __version__, _exit, _where
from browse.client import main, wire
from browse.client._help import AGENT, ALIASES, HELP, OVERVIEW, SUB_COMMANDS
from browse.client._names import NAMES
from browse.client.wire import Failure

OVERVIEW_WORDS = frozenset({"--help", "-h", "help"})
PHASES = {
    _where.STARTING: ("starting", "any page command waits for it: browse goto <url>"),
    _where.ENDING: ("stopping", "any page command waits for its end and starts a new one"),
}
SUGGEST_FROM = 4
SUGGEST_WITHIN = 2
_WINDOW = (
    "It needs a visible browser; `browse screenshot` shows a page, `browse activity` what is done."
)
# Commands of gstack that are still to come, and what to type instead.
NOT_YET = {
    **dict.fromkeys(("connect", "disconnect", "handoff", "resume", "watch", "inbox"), _WINDOW),
    "cookie-import-browser": "Import from a file: `browse cookie-import <file>`.",
}


def answer(words: list[str], name: str) -> int:
    """Answer a command line that needs no daemon, or that names no command."""
    if not words:
        return _show(OVERVIEW)
    first, rest = words[0], words[1:]
    if first in ("--version", "-V"):
        return _print(f"browse {__version__}\n")
    if first in OVERVIEW_WORDS:
        return _help(rest)
    if name in NAMES and "--help" in rest:
        return _help([name, *_sub_command(name, words[words.index(name) + 1 :])])
    if first == "completion":
        return _completion(rest)
    return unknown(name or _typed(words))


def not_running(call: main.CommandLine, path: str) -> int:
    """Answer `status` when no daemon serves; start none, and wait for none."""
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
        return _print(AGENT)  # for a program, whatever stdout is
    texts = []
    queue = [topic for topic in topics if not topic.startswith("-")]
    while queue:
        topic = family = queue.pop(0)
        words = SUB_COMMANDS.get(family, ())
        # The next word is a sub-command, a misspelled one, or the next of several commands.
        if words and queue and (queue[0] in words or queue[0] not in NAMES):
            topic = f"{family} {queue.pop(0)}"
        if ALIASES.get(topic, topic) not in HELP:
            return unknown(topic, family if words else "")
        texts.append(HELP[ALIASES.get(topic, topic)])
    return _show("\n".join(texts) if texts else OVERVIEW)


def _sub_command(family: str, rest: list[str]) -> list[str]:
    """Return the word that names a sub-command; an unknown word counts in its place."""
    words = SUB_COMMANDS.get(family)
    if not words:
        return []
    known = [word for word in rest if word in words]
    return known[:1] or [word for word in rest[:1] if not word.startswith("-")]


def _typed(words: list[str]) -> str:
    """Guess which word was meant as the command when flags come first and none is known."""
    plain = [word for word in words if not word.startswith("-")]
    return plain[0] if plain and words[0] != "--" else words[0]


def unknown(typed: str, family: str = "") -> int:
    """Say that there is no such command, or no such sub-command of a family."""
    known = [f"{family} {word}" for word in SUB_COMMANDS[family]] if family else list(NAMES)
    if instead := NOT_YET.get(typed):
        wire.put_error(f"browse has no '{typed}' yet, as gstack has.\n{instead}\n".encode())
        return _exit.USAGE
    close = suggestion(typed, known)
    text = f"Unknown command: '{wire.escaped(typed)}'."
    text += f" Did you mean '{close}'?" if close else ""
    about = f"help {family}` for its sub-commands" if family else "help` for the list of commands"
    text += f"\nType `browse {about}.\n"
    wire.put_message(text)
    return _exit.USAGE


def suggestion(typed: str, known: list[str]) -> str:
    """Return the command that was probably meant, or "": a short word is close to everything."""
    if len(typed) < SUGGEST_FROM:
        return ""
    # Among equals, prefer the same length: letters are swapped more often than lost.
    ranked = sorted((distance(typed, it), abs(len(it) - len(typed)), it) for it in known)
    return ranked[0][2] if ranked[0][0] <= SUGGEST_WITHIN else ""


def distance(one: str, other: str) -> int:
    """Count the letters to insert, remove or replace between two words."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for to, wanted in enumerate(other, 1):
            cost = min(row[to] + 1, row[to - 1] + 1, before + (letter != wanted))
            before, row[to] = row[to], cost
    return row[-1]


def _completion(rest: list[str]) -> int:
    if rest[:1] == ["names"]:
        from browse.client import names  # what the scripts ask for, at every press of a key

        return names.answer(rest[1] if len(rest) > 1 else "")
    from browse.client import completion  # scripts for shells: asked for once

    write = completion.SHELLS.get(rest[0] if rest else "")
    if write is None:
        raise Failure(
            _exit.USAGE,
            "completion: name a shell: bash, zsh or fish.",
            'For instance, in ~/.bashrc: eval "$(browse completion bash)"',
        )
    return _print(write())


def _show(text: str) -> int:
    """Print help, laid out for the terminal if stdout is one."""
    if os.isatty(1):
        from browse.client import layout  # for people only

        text = layout.fitted(text, layout.columns(), colour=layout.is_colourful())
    return _print(text)


def _print(text: str) -> int:
    wire.put(text.encode())
    return _exit.OK
