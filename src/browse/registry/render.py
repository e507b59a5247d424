"""Generate text from declarations: usage lines, help, rows of the documents."""

import textwrap
from collections.abc import Iterable, Sequence

from browse.core import settings
from browse.registry.shared_flags import ACTING, COMMON
from browse.registry.signature import Argument
from browse.registry.spec import Alias, Family, Group, Spec, by_command

WIDTH = 92
EVERY_TAKES = "Every command also takes"
ACTING_TAKE = "Commands that act on the page also take"
# The one flag that the client handles, because it is about the daemon.
FORCE_RESTART = (
    "--force-restart",
    "Replace a running daemon first, even one that does not answer; its tabs are lost.",
)
# Answered by the client alone, so they have no declaration.
COMPLETION = "Print a completion script for your shell."
VERSION = "Print the version."


def usage(spec: Spec) -> str:
    """Return the usage line: `Usage: browse wait [selector] [timeout] [--load] …`."""
    return " ".join(
        ["Usage: browse", short_usage(spec), *(f"[{flag_form(arg)}]" for arg in spec.flags)]
    )


def flag_form(arg: Argument) -> str:
    """Return a flag with its short form and its value: `-d, --depth N`."""
    short = f"-{arg.doc.short}, " if arg.doc.short else ""
    value = "" if arg.switch else f" {arg.metavar}"
    return f"{short}{arg.spelled}{value}{'…' if arg.repeats else ''}"


def also(alias: Alias) -> str:
    """Return an alias with the flags that it stands for: `dblclick (--double)`."""
    return f"{alias.name} ({alias.flags})" if alias.flags else alias.name


def flag_rows(args: Iterable[Argument]) -> list[tuple[str, str]]:
    """List (form, help) of the flags, and of the arguments that have help."""
    return [
        (flag_form(arg) if arg.flag else f"<{arg.metavar}>", _meaning(arg))
        for arg in args
        if arg.flag or arg.doc.help
    ]


def _meaning(arg: Argument) -> str:
    return f"{arg.doc.help} Also {', '.join(arg.doc.also)}." if arg.doc.also else arg.doc.help


def help_text(spec: Spec) -> str:
    """Return the full help of one command."""
    parts = [usage(spec), *_prose(spec.summary, spec.body)]
    if rows := _rows(spec.args):
        parts += ["", *rows]
    if spec.acts:
        parts += ["", f"{ACTING_TAKE}:", *_rows(ACTING)]
    parts += ["", f"{EVERY_TAKES}:", *_rows(COMMON)]
    if spec.aliases:
        parts += ["", textwrap.fill(f"Also: {', '.join(map(also, spec.aliases))}", WIDTH)]
    parts += ["", "Examples:", *(f"  {example}" for example in spec.examples)]
    return "\n".join(parts) + "\n"


def family_text(family: Family, members: Sequence[Spec]) -> str:
    """Return the help of a family: its purpose, and a line for each sub-command."""
    parts = [f"Usage: browse {family.name} <sub-command> [arguments] [flags]"]
    parts += _prose(family.summary, family.body)
    parts += ["", "Sub-commands:", *(_row(short_usage(spec), spec.summary) for spec in members)]
    if family.default:
        parts += ["", f"`browse {family.name}` alone is `browse {family.name} {family.default}`."]
    parts += ["", f"Help on one of them: browse help {members[0].name}"]
    return "\n".join(parts) + "\n"


def _prose(summary: str, body: str) -> list[str]:
    blocks = [" ".join(block.split()) for block in body.split("\n\n")] if body else []
    filled = [line for block in blocks for line in ("", textwrap.fill(block, WIDTH))]
    return ["", summary, *filled]


def overview(specs: Iterable[Spec]) -> str:
    """Return the list of all commands by group; a family has one entry."""
    known = list(specs)
    lines = [
        "browse: the browser that AI agents drive",
        "",
        "Usage: browse <command> [arguments] [flags]",
    ]
    for group in Group:
        rows = by_command(spec for spec in known if spec.group is group)
        if rows:
            lines += ["", f"{group.value}:", *(_entry(members) for members in rows.values())]
        if rows and group is Group.SETUP:
            lines.append(_row("completion bash|zsh|fish", COMPLETION))
    lines += ["", "Before or after any command:", _row(*FORCE_RESTART)]
    lines += ["", "With a command that starts the daemon:"]
    lines += [_row(*row) for row in start_flag_rows()]
    lines += ["", "Without a command:", _row("--version", VERSION)]
    lines += ["", "Help on one command: browse help <command>. For agents: browse help --agent."]
    return "\n".join(lines) + "\n"


def start_flag_rows() -> list[tuple[str, str]]:
    """List the flags with which a daemon is started, with what each does."""
    flags = [about.flag for _, _, about in settings.rows() if about.flag]
    return [(f"{flag.word} {flag.metavar}", flag.doc) for flag in flags]


def _entry(members: Sequence[Spec]) -> str:
    family = members[0].family
    if family is None:
        return _row(short_usage(members[0]), members[0].summary)
    words = ", ".join(spec.words[0] for spec in members)
    return _row(f"{family.name} …", f"{family.summary} Sub-commands: {words}.")


def line(members: Sequence[Spec]) -> str:
    """Describe a command, or the sub-commands of a family, in one line of Markdown."""
    family = members[0].family
    if family is None:
        return f"`{short_usage(members[0])}` {members[0].summary}"
    words = "|".join(spec.words[0] for spec in members)
    usage = f"{family.name} [{words}]" if family.default else f"{family.name} <{words}>"
    return f"`{usage}` {family.summary}"


def short_usage(spec: Spec) -> str:
    """Return a command with its arguments, without flags: `wait [selector] [ms]`."""
    words = [spec.name]
    for arg in spec.arguments:
        inner = f"{arg.metavar}…" if arg.repeats else arg.metavar
        words.append(f"<{inner}>" if arg.required else f"[{inner}]")
    return " ".join(words)


def _rows(args: Iterable[Argument]) -> list[str]:
    return [_row(form, help) for form, help in flag_rows(args)]


def _row(left: str, right: str) -> str:
    indent = 30
    wrapped = textwrap.wrap(right, WIDTH - indent) or [""]
    head = (
        f"  {left:<{indent - 3}} {wrapped[0]}"
        if len(left) < indent - 3
        else f"  {left}\n{' ' * indent}{wrapped[0]}"
    )
    return "\n".join([head, *(" " * indent + line for line in wrapped[1:])])
