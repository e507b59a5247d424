"""What the client answers by itself: help, version, completion, and that no daemon runs."""

import os

from browse import __version__, _exit, _nearest, _where
from browse.client import main, wire
from browse.client._help import AGENT, ALIASES, DESTROYS, HELP, INSTEAD, OVERVIEW, SUB_COMMANDS
from browse.client._names import NAMES
from browse.client.wire import Failure

OVERVIEW_WORDS = frozenset({"--help", "-h", "help"})
PHASES = {
    _where.STARTING: ("starting", "any page command waits for it: browse goto <url>"),
    _where.ENDING: ("stopping", "any page command waits for its end and starts a new one"),
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
    if name in NAMES and main.HELP_FLAGS & set(rest):
        return _help([name, *_sub_command(name, words[words.index(name) + 1 :])])
    if first == "completion":
        return _completion(rest)
    typed = name or _typed(words)
    if typed and _is_shared(typed):
        wire.put_message(
            f"A command is missing: {typed} belongs to one.\n"
            "Type `browse help` for the list of commands.\n"
        )
        return _exit.USAGE
    return unknown(typed)


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
        if queue and f"{topic} {queue[0]}" in ALIASES:
            topic = f"{topic} {queue.pop(0)}"
        elif words and queue and (queue[0] in words or queue[0] not in NAMES):
            topic = f"{family} {queue.pop(0)}"
        if ALIASES.get(topic, topic) not in HELP:
            return unknown(topic, family if words else "")
        texts.append(HELP[ALIASES.get(topic, topic)])
    return _show("\n".join(texts) if texts else OVERVIEW)


def _sub_command(family: str, rest: list[str]) -> list[str]:
    """Return the word that names a sub-command; an unknown word counts in its place."""
    words = SUB_COMMANDS.get(family)
    if not words:
        return [word for word in rest if f"{family} {word}" in ALIASES][:1]
    known = [word for word in rest if word in words]
    return known[:1] or [word for word in rest[:1] if not word.startswith("-")]


def _typed(words: list[str]) -> str:
    """Guess which word was meant as the command when flags come first and none is known."""
    plain = "" if words[0] == "--" else main.first_plain(["", *words])
    return plain or words[0]


def _is_shared(flag: str) -> bool:
    """Whether every command takes this flag."""
    return f"  {flag.partition('=')[0]} " in HELP["url"]


def unknown(typed: str, family: str = "") -> int:
    """Say that there is no such command, or no such sub-command of a family."""
    if instead := INSTEAD.get(typed):
        wire.put_message(f"browse has no '{typed}'.\n{instead}\n")
        return _exit.USAGE
    if not family and typed in NAMES:  # the first word of aliases of two words: `get text`
        listed = ", ".join(alias for alias in ALIASES if alias.startswith(f"{typed} "))
        wire.put_message(f"browse has no '{typed}' alone.\nThere are: {listed}\n")
        return _exit.USAGE
    close = _nearest.meant(_suggested(typed, family))
    about = f"help {family}` for its sub-commands" if family else "help` for the list of commands"
    text = f"Unknown command: '{wire.escaped(typed)}'.{close}\nType `browse {about}.\n"
    wire.put_message(text)
    return _exit.USAGE


def _suggested(typed: str, family: str) -> list[str]:
    if not family:
        return _nearest.nearest(typed, NAMES, DESTROYS)
    never = [name.partition(" ")[2] for name in DESTROYS if name.startswith(f"{family} ")]
    word = typed.removeprefix(f"{family} ")
    return [f"{family} {it}" for it in _nearest.nearest(word, SUB_COMMANDS[family], never)]


def only_reads(what: str) -> int:
    """Refuse what the client would do by itself where only reading is wanted."""
    raise Failure(
        _exit.REFUSED,
        f"'{what}' may change something, and BROWSE_ONLY_READ is set here. Nothing was done.",
        "Call the tool `act`, or unset BROWSE_ONLY_READ where it is set.",
    )


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
