"""Help for a person at a terminal: as wide as the terminal, with headings and commands in colour.

Help is generated for a fixed width. Here its paragraphs and its rows of two columns are put
together again and filled to another one.
"""

import os

INDENT = 30  # where the second column begins, as registry/render.py writes it
NARROW_INDENT = 6
MIN_BESIDE = 70  # a narrower terminal has the second column below the first
MIN_COLUMNS, MAX_COLUMNS = 30, 120
DEFAULT_COLUMNS = 92
BOLD, CYAN, PLAIN = "\x1b[1m", "\x1b[36m", "\x1b[0m"
EXAMPLES = "Examples:"


def columns() -> int:
    """Return the width of the terminal; COLUMNS overrides it."""
    said = os.environ.get("COLUMNS", "")
    try:
        found = int(said) if said.isdigit() else os.get_terminal_size(1).columns
    except OSError:
        found = 0
    return max(MIN_COLUMNS, min(found or DEFAULT_COLUMNS, MAX_COLUMNS))


def is_colourful() -> bool:
    """Whether colour is wanted: on a terminal that has it, unless NO_COLOR is set."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def fitted(text: str, width: int, *, colour: bool) -> str:
    """Fill help to a width."""
    out: list[str] = []
    for block in text.rstrip("\n").split("\n\n"):
        out += [*_block(block.split("\n"), width, colour=colour), ""]
    return "\n".join(out[:-1]) + "\n"


def _block(lines: list[str], width: int, *, colour: bool) -> list[str]:
    """Lay out what stands between two empty lines: a heading, a paragraph, rows."""
    out: list[str] = []
    at = 0
    while at < len(lines) and not lines[at].startswith(" "):
        at += 1
    out += _prose(lines[:at], width, heading=at < len(lines), colour=colour)
    if lines[0] == EXAMPLES:
        return out + lines[1:]
    for left, right in _rows(lines[at:]):
        out += _row(left, right, width, colour=colour)
    return out


def _prose(lines: list[str], width: int, *, heading: bool, colour: bool) -> list[str]:
    if not lines:
        return []
    if heading:
        return [f"{BOLD}{line}{PLAIN}" if colour else line for line in lines]
    filled = _fill(" ".join(lines), width)
    if colour and filled[0].startswith("Usage:"):
        filled[0] = f"{BOLD}Usage:{PLAIN}{filled[0].removeprefix('Usage:')}"
    return filled


def _rows(lines: list[str]) -> list[tuple[str, str]]:
    """Put the two columns of each row together again."""
    rows: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith(" " * INDENT) and rows:
            left, right = rows[-1]
            rows[-1] = (left, f"{right} {line.strip()}".strip())
        elif len(line) > INDENT and line[INDENT - 1] == " " and line[INDENT] != " ":
            rows.append((line[:INDENT].strip(), line[INDENT:]))
        else:
            rows.append((line.strip(), ""))
    return rows


def _row(left: str, right: str, width: int, *, colour: bool) -> list[str]:
    indent = INDENT if width >= MIN_BESIDE else NARROW_INDENT
    filled = _fill(right, width - indent) if right else []
    shown = f"{CYAN}{left}{PLAIN}" if colour else left
    if filled and len(left) < indent - 3:
        padding = " " * (indent - 2 - len(left))
        return [f"  {shown}{padding}{filled[0]}", *(" " * indent + line for line in filled[1:])]
    return [f"  {shown}", *(" " * indent + line for line in filled)]


def _fill(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines
