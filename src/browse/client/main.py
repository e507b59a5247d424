"""The `browse` command: decide where the words go, send them, return the exit code.

It parses nothing but the few words that concern the client itself; the daemon binds the rest.
"""

import os
import sys

from browse import _exit, _where
from browse.client import endpoint, wire
from browse.client._names import (
    CHANGES_HERE,
    HERE,
    NAMES,
    READS_FILE,
    READS_STDIN,
    START_FLAGS,
    STDIN_WITH,
    SUB_WORDS,
    TAKES_VALUE,
)

OFFLINE = frozenset({"help", "--help", "-h", "--version", "-V", "completion"})
HELP_FLAGS = frozenset({"--help", "-h"})
FORCE = "--force-restart"
ENDING = ("stop", "restart")
WINDOW = ("connect", "disconnect")
MAX_STDIN_BYTES = 67_108_864
RETRIES = 30
STEP_CHARS = 6


class CommandLine:
    """One command line on its way to a daemon."""

    __slots__ = ("_block", "_stdin", "name", "words")

    def __init__(self, name: str, words: list[str], stdin: bytes = b"") -> None:
        self.name = name
        self.words = words
        self._block = _fields(words)
        self._stdin = stdin or _beside(name, words)

    def to(self, daemon: endpoint.Daemon, reader: wire.ReplyReader | None = None) -> int:
        """Send it, once, and copy the reply, or have it read by another reader."""
        data = wire.request(daemon.port, daemon.token, self._block, self._stdin)
        return wire.exchange(daemon.port, data, reader=reader)


def main() -> int:
    """Run the command line of this process; no exception leaves this function."""
    try:
        _fill_standard_fds()
        return run(sys.argv[1:])
    except wire.Failure as failure:
        wire.say(*failure.lines)
        return failure.code
    except wire.StdoutClosed:
        return _exit.BROKEN_PIPE
    except KeyboardInterrupt:
        return _exit.INTERRUPTED
    except Exception as exc:
        wire.say(f"internal error: {type(exc).__name__}: {exc}")
        if os.environ.get("BROWSE_DEBUG") == "1":
            import traceback  # only a defect comes here

            wire.put_error(traceback.format_exc().encode("utf-8", "backslashreplace"))
        return _exit.FAILED


def run(argv: list[str]) -> int:
    """Answer without a daemon where possible, else pass the words on."""
    if argv and argv[0].partition("=")[0] == "--on":
        argv = _elsewhere(argv)
    own = _before_dashes(argv)
    forced = FORCE in own
    words = [word for word in own if word != FORCE] + argv[len(own) :]
    if any(word.partition("=")[0] in START_FLAGS for word in own):
        from browse.client import options  # starting a daemon, most often: seconds

        words = options.take(words)
    name, ordered = _command_first(words)
    if name not in NAMES or words[0] in OFFLINE or HELP_FLAGS & {*_before_dashes(words)}:
        from browse.client import offline  # help texts: kilobytes that a command does not need

        return offline.answer(words, name)
    words = ordered
    if name in SUB_WORDS and (typed := first_plain(words)) and typed not in SUB_WORDS[name]:
        from browse.client import offline  # as above: no daemon is started to say it

        return offline.unknown(f"{name} {typed}", name)
    if (forced or name in CHANGES_HERE or name in (*ENDING, *WINDOW)) and only_reads():
        from browse.client import offline  # the daemon refuses the rest

        return offline.only_reads(FORCE if forced else name)
    if name in HERE:
        return _hand_over(HERE[name], words)
    if words[:2] == ["domain-skill", "edit"]:
        from browse.client import edit  # an editor in this terminal: seconds, at the least

        return edit.answer(words)
    if _asks_a_person(words):
        from browse.client import person  # a question at a terminal: as above

        return person.answer(words)
    return online(name, words, forced=forced)


def _elsewhere(argv: list[str]) -> list[str]:
    """Turn `--on m3/shop <command …>` into the command that runs one on a machine of the fleet."""
    _, equals, place = argv[0].partition("=")
    return ["fleet", "run", *argv[1:]] if not equals else ["fleet", "run", place, *argv[1:]]


def _asks_a_person(words: list[str]) -> bool:
    if words[0] == "confirm":
        return not {"--show", "--list"} & set(words) and any(map(_is_step, words[1:]))
    if words[:2] == ["skill", "trust"]:
        return "--show" not in words and len(words) > 2
    if words[:2] == ["login", "add"]:
        return os.isatty(0)
    return words[0] == "automate" and "--pin" in words


def _is_step(word: str) -> bool:
    return len(word) == STEP_CHARS and all(char in "0123456789abcdef" for char in word)


def online(name: str, words: list[str], stdin: bytes = b"", *, forced: bool = False) -> int:
    """Send words to this project's daemon, starting it if necessary."""
    path = state_file()
    if name in WINDOW and not forced:
        from browse.client import window  # opening one takes seconds, so imports do not matter

        return window.answer(CommandLine(name, window.with_display(words)), path)
    call = CommandLine(name, words, stdin)
    if forced or call.name in ENDING:
        from browse.client import stop  # signals and waits: needed only to end a daemon

        return stop.answer(call, path, forced=forced)
    daemon = endpoint.living(path)
    if daemon is None and call.name == "status":
        from browse.client import offline  # the one command that is answered without a daemon

        return offline.not_running(call, path)
    if daemon is None or (daemon.outdated and call.name != "status"):  # looking replaces nothing
        from browse.client import recover  # starting a daemon: seconds, so imports do not matter

        daemon = recover.ready(path, daemon)
    return send(call, daemon)


def send(call: CommandLine, daemon: endpoint.Daemon) -> int:
    """Send to this daemon, and again if it is certain that nothing ran."""
    try:
        return call.to(daemon)
    except wire.Trouble as trouble:
        from browse.client import recover  # what to do about a broken conversation, and the words

        # More than once: a daemon that cannot start its browser ends, and its successor may too.
        for _ in range(RETRIES):
            if call.name == "status" and recover.has_ended(trouble, daemon):
                from browse.client import offline  # as above: looking starts nothing

                return offline.not_running(call, daemon.path)
            daemon = recover.after(trouble, daemon)
            try:
                return call.to(daemon)
            except wire.Trouble as again:
                trouble = again
        raise recover.explain(trouble, daemon) from trouble


def first_plain(words: list[str]) -> str:
    """Return the first word after the command that is neither a flag nor the value of one."""
    for at in range(1, len(words)):
        if not words[at].startswith("-") and words[at - 1] not in TAKES_VALUE:
            return words[at]
    return ""


def _before_dashes(words: list[str]) -> list[str]:
    return words[: words.index("--")] if "--" in words else words


def _command_first(words: list[str]) -> tuple[str, list[str]]:
    """Return the command, and the words with it first: flags may come before it (`--json url`).

    "" is no command at all; the words are then as they were.
    """
    if not words or not words[0].startswith("-"):
        return (words[0] if words else ""), words
    for at, word in enumerate(_before_dashes(words)):
        if word in NAMES:
            return word, [word, *words[:at], *words[at + 1 :]]
    return "", words


def state_file() -> str:
    """Return where the daemon of this folder keeps its state."""
    try:
        os.getcwd()
        return _where.state_file()
    except FileNotFoundError as exc:
        raise wire.Failure(
            _exit.FAILED,
            "The current folder no longer exists, so there is no project to work in.",
            "Type `cd` to a folder that exists and run the command again.",
        ) from exc


def _fields(words: list[str]) -> bytes:
    facts = {"cwd": os.getcwd()}
    for name in ("tab", "session", "snapshot", "only_read", "start_options"):
        if value := os.environ.get(f"BROWSE_{name.upper()}"):
            facts[name] = value
    if words[0] in ENDING:  # the options are for the daemon that comes after this one
        facts.pop("start_options", None)
    if agent := os.environ.get("BROWSE_AGENT") or _conversation() or _terminal():
        facts["agent"] = agent
    else:
        facts["from"] = f"{os.getsid(0)} {os.getppid()} {os.getpid()}"
    if os.isatty(1):
        facts["terminal"] = "1"
    lines = [f"{key}={value}" for key, value in facts.items()]
    return os.fsencode("\0".join([*lines, "", *words, ""]))


def _conversation() -> str:
    """Return a name for the conversation of the agent that runs us; "" if none is known.

    An agent that another one started may have both names.
    """
    known = _where.CONVERSATIONS.items()
    # The ends of the ids differ most: some begin with the time.
    return "+".join(begin + os.environ[it][-8:] for it, begin in known if os.environ.get(it))


def _terminal() -> str:
    """Return the name of our terminal, which tells people's shells apart; "" without one."""
    for fd in (2, 0, 1):
        if os.isatty(fd):
            try:
                return os.ttyname(fd)
            except OSError:
                return ""
    return ""


def _beside(name: str, words: list[str]) -> bytes:
    """Return what goes to the daemon beside the words: secrets that they name, or stdin."""
    for word in _before_dashes(words):
        if word.startswith("--secret-"):
            from browse.client import secret_words  # few commands name one

            return secret_words.values(_before_dashes(words))
    return read_stdin() if _takes_stdin(name, words) else b""


def _takes_stdin(name: str, words: list[str]) -> bool:
    if name not in READS_STDIN or os.isatty(0):
        return False
    after = words[words.index(name) + 1 :]
    beside = 0
    if words_of := STDIN_WITH.get(name):
        named = [word for word in after if word in words_of]
        if not named:
            return False
        after.remove(named[0])
        beside = words_of[named[0]]
    if "-" in after:
        return True
    if any(word.split("=", 1)[0] in READS_FILE for word in after):
        return False
    before = [name, *after]
    values = [
        word
        for left, word in zip(before, after, strict=False)
        if not (word.startswith("-") or left in TAKES_VALUE)
    ]
    return len(values) <= beside


def read_stdin() -> bytes:
    """Read all of stdin, up to a limit."""
    pieces, size = [], 0
    while piece := os.read(0, wire.CHUNK_BYTES):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_STDIN_BYTES:
            raise wire.Failure(
                _exit.USAGE,
                f"The input on stdin is larger than {MAX_STDIN_BYTES >> 20} MiB.",
                "Put it into a file and name the file, or send less.",
            )
    return b"".join(pieces)


def _fill_standard_fds() -> None:
    """Open /dev/null where stdin, stdout or stderr is closed, before a socket takes the number."""
    if sys.stdin is not None and sys.stdout is not None and sys.stderr is not None:
        return
    while (fd := os.open(os.devnull, os.O_RDWR)) <= wire.STDERR:
        os.set_inheritable(fd, True)
    os.close(fd)


def only_reads() -> bool:
    """Return whether whoever calls us wants nothing changed."""
    return os.environ.get("BROWSE_ONLY_READ", "").strip().lower() not in _where.OFF


def _hand_over(program: str, words: list[str]) -> int:
    """Become a program that needs no daemon: it has its own parser and may import anything."""
    command = [sys.executable, "-I", "-m", program, *words]
    os.execv(sys.executable, command)  # noqa: S606  # no shell is meant
