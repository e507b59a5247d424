"""Text made from declarations: usage lines, help, documentation rows."""

import textwrap
from collections.abc import Iterable

from browse.registry.spec import Arg, Group, Spec

WIDTH = 92
# The one flag that the client takes for itself: it is about the daemon, so the daemon cannot.
FORCE_RESTART = (
    "--force-restart",
    "Replace a running daemon first, even one that does not answer; its tabs are lost.",
)


def usage(spec: Spec) -> str:
    """Spell the usage line: `Usage: browse wait [selector] [timeout] [--load] …`."""
    words = ["Usage: browse", spec.name]
    for arg in spec.arguments:
        inner = f"{arg.metavar}…" if arg.repeats else arg.metavar
        words.append(f"<{inner}>" if arg.required else f"[{inner}]")
    words += [f"[{flag_form(arg)}]" for arg in spec.flags]
    return " ".join(words)


def flag_form(arg: Arg) -> str:
    """Spell a flag with its value and its short form: `-d, --depth N`."""
    short = f"-{arg.doc.short}, " if arg.doc.short else ""
    value = "" if arg.switch else f" {arg.metavar}"
    return f"{short}{arg.spelled}{value}{'…' if arg.repeats else ''}"


def flag_rows(args: Iterable[Arg]) -> list[tuple[str, str]]:
    """List (form, help) of flags and of arguments that have help of their own."""
    return [
        (flag_form(arg) if arg.flag else f"<{arg.metavar}>", arg.doc.help)
        for arg in args
        if arg.flag or arg.doc.help
    ]


def help_text(spec: Spec, common: Iterable[Arg]) -> str:
    """Write the full help of one command."""
    parts = [usage(spec), "", spec.summary]
    if spec.body:
        parts += [
            "",
            *(textwrap.fill(" ".join(block.split()), WIDTH) for block in spec.body.split("\n\n")),
        ]
    if rows := flag_rows(spec.args):
        parts += ["", *(_row(form, help) for form, help in rows)]
    parts += [
        "",
        "Every command also takes:",
        *(_row(form, help) for form, help in flag_rows(common)),
    ]
    if spec.aliases:
        parts += ["", f"Also called: {', '.join(spec.aliases)}"]
    parts += ["", "Examples:", *(f"  {example}" for example in spec.examples)]
    return "\n".join(parts) + "\n"


def overview(specs: Iterable[Spec]) -> str:
    """Write the list of all commands by group."""
    known = list(specs)
    lines = [
        "browse: the browser that AI agents drive",
        "",
        "Usage: browse <command> [arguments] [flags]",
    ]
    for group in Group:
        rows = [spec for spec in known if spec.group is group]
        if rows:
            lines += [
                "",
                f"{group.value}:",
                *(_row(short_usage(spec), spec.summary) for spec in rows),
            ]
    lines += ["", "Before or after any command:", _row(*FORCE_RESTART)]
    lines += ["", "Help on one command: browse help <command>. For agents: browse help --agent."]
    return "\n".join(lines) + "\n"


def short_usage(spec: Spec) -> str:
    """Spell a command with its arguments, without flags: `wait [selector] [ms]`."""
    words = [spec.name]
    for arg in spec.arguments:
        inner = f"{arg.metavar}…" if arg.repeats else arg.metavar
        words.append(f"<{inner}>" if arg.required else f"[{inner}]")
    return " ".join(words)


def _row(left: str, right: str) -> str:
    indent = 30
    wrapped = textwrap.wrap(right, WIDTH - indent) or [""]
    head = (
        f"  {left:<{indent - 3}} {wrapped[0]}"
        if len(left) < indent - 3
        else f"  {left}\n{' ' * indent}{wrapped[0]}"
    )
    return "\n".join([head, *(" " * indent + line for line in wrapped[1:])])
