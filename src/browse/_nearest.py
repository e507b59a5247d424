"""Which known word a misspelled one means. The client and the daemon share it.

It knows beginnings (`snap`), swapped, lost and added letters (`gto`), and parts (`shot`).
"""

from collections.abc import Collection, Iterable, Sequence

MAX_CHARS = 40  # a longer word is close to nothing, and comparing it is slow
MAX_OFFERED = 3
MIN_PART_CHARS = 4
BEGINNING, PART, AROUND = 0.5, 2.5, 2.6
# Slips that a word of so many letters may have.
SLIPS = ((10, 3), (6, 2), (2, 1))


def nearest(typed: str, known: Iterable[str], never: Collection[str] = ()) -> list[str]:
    """List the known words that were probably meant: one, or up to three that contain this one.

    Words in `never` are not offered, however close they are.
    """
    word = _plain(typed)
    if not word or len(word) > MAX_CHARS:
        return []
    scored = [(_score(word, _plain(it)), it) for it in known if it not in never]
    # Among equals, prefer the same length: letters are swapped more often than lost.
    found = sorted((score, abs(len(it) - len(typed)), it) for score, it in scored if score >= 0)
    if not found or found[0][0] not in (BEGINNING, PART):
        return [it for _, _, it in found[:1]]
    offered: list[str] = []
    for score, _, it in found:
        if score == found[0][0] and not _plain(it).startswith(tuple(map(_plain, offered))):
            offered.append(it)
    return offered if len(offered) <= MAX_OFFERED else []


def meant(offered: Sequence[str]) -> str:
    """Write the question after an unknown word: ` Did you mean 'goto'?`; "" without an answer."""
    if not offered:
        return ""
    *others, last = (f"'{it}'" for it in offered)
    return f" Did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def _plain(word: str) -> str:
    return word.lower().replace("-", "").replace("_", "").replace(" ", "")


def _score(typed: str, known: str) -> float:
    """Score how far a known word is from the typed one; -1 if it is too far."""
    if typed == known:
        return 0
    if len(typed) > 1 and known.startswith(typed):
        return BEGINNING
    slips = distance(typed, known)
    if slips <= _allowed(typed, known):
        return slips
    if len(typed) >= MIN_PART_CHARS and typed in known:
        return PART
    return AROUND if len(known) >= MIN_PART_CHARS and known in typed else -1


def _allowed(typed: str, known: str) -> int:
    if len(typed) == 2 and (len(known) != 3 or typed[0] != known[0]):
        return 0
    return next((slips for letters, slips in SLIPS if len(typed) >= letters), 0)


def distance(one: str, two: str) -> int:
    """Count the letters to insert, remove, replace or swap between two words."""
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        above, before, row = before, row, [i]
        for j, b in enumerate(two, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == two[j - 2] and one[i - 2] == b:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]
