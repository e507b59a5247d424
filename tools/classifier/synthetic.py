"""Texts made from our own templates: attacks in the style of hostile pages, and harmless likes.

The grammar of the templates is told at the top of attacks.txt.
"""

import random
import re
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
_CHOICE = re.compile(r"\{([^{}]*)\}")
_SLOT = re.compile(r"\$([A-Z]{2,})")
_GROUP = re.compile(r"\[(\w+)\]")
# A choice may hold slots that hold choices; none goes deeper than this.
DEPTH = 6
# How pages about attacks quote them.
QUOTES = (
    'For example: "%s"',
    "* `%s`",
    'Payload: "%s"',
    "> %s",
    "| %s | blocked |",
    '`scan("%s")`',
)


def slots() -> dict[str, list[str]]:
    """Read the words for slots."""
    found = {}
    for line in (HERE / "slots.txt").read_text("utf-8").splitlines():
        name, separator, words = line.partition(" = ")
        if separator and not line.startswith("#"):
            found[name] = words.split(" | ")
    return found


def templates(name: str) -> dict[str, list[str]]:
    """Read a file of templates, by group."""
    groups: dict[str, list[str]] = defaultdict(list)
    group = ""
    for line in (HERE / name).read_text("utf-8").splitlines():
        heading = _GROUP.fullmatch(line)
        if heading:
            group = heading[1]
        elif line and not line.startswith("# "):
            groups[group].append(line)
    return groups


def expand(template: str, words: dict[str, list[str]], chance: random.Random) -> str:
    """Make one text of a template."""
    text = template
    for _ in range(DEPTH):
        text = _CHOICE.sub(lambda found: chance.choice(found[1].split("|")), text)
        text = _SLOT.sub(lambda found: chance.choice(words[found[1]]), text)
    text = text.replace(r"\n", "\n").replace(r"\p", "|")
    return re.sub(r" {2,}", " ", text).replace(" .", ".").strip()


def made(each: int, seed: int = 5) -> list[tuple[int, str, str]]:
    """Make so many texts of each group, and as many pages about attacks that quote some."""
    chance, words = random.Random(seed), slots()  # noqa: S311 - no secret is made here
    attacks, harmless = templates("attacks.txt"), templates("benign.txt")
    rows: list[tuple[int, str, str]] = []
    for label, groups in ((1, attacks), (0, harmless)):
        for group, lines in groups.items():
            for _ in range(each):
                count = chance.choice((1, 1, 1, 2, 3))
                text = " ".join(expand(chance.choice(lines), words, chance) for _ in range(count))
                text = _varied(text, chance) if label else text
                rows.append((label, f"synthetic:{group}{label}", text))
    about = [*harmless["about"], *harmless["about"], *harmless["agents"], *harmless["howto"]]
    for _ in range(each):
        parts = [expand(chance.choice(about), words, chance) for _ in range(chance.randint(4, 9))]
        for _ in range(chance.randint(1, 3)):
            group = chance.choice(("override", "reveal", "role", "exfiltrate", "system"))
            quoted = chance.choice(QUOTES) % expand(chance.choice(attacks[group]), words, chance)
            parts.insert(chance.randrange(len(parts)), quoted)
        text = chance.choice(("\n", " ", "\n\n")).join(parts)
        rows.append((0, "synthetic:pages0", text))
    return rows


def _varied(text: str, chance: random.Random) -> str:
    roll = chance.random()
    if roll < 0.08:
        return text.upper()
    if roll < 0.14:
        return text.lower()
    return text
