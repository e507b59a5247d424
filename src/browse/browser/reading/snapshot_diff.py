"""What changed between two trees, by ref and content: an inserted row is one added line."""

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence

from browse.browser.page.shapes import TreeRow
from browse.browser.reading.snapshot import content, ref_of, said


def difference(before: Iterable[TreeRow], after: Iterable[TreeRow]) -> list[str]:
    """Compare two trees: `- ` gone, `+ ` new, `  ` the same under a new ref.

    A row is followed by its ref. Where the other tree does not have that ref (the page was loaded
    anew), it is followed by what it says.
    """
    old, new = list(before), list(after)
    shared = {ref_of(row) for row in old} & {ref_of(row) for row in new}
    lines: list[str] = []
    matcher = difflib.SequenceMatcher(None, _keys(old, shared), _keys(new, shared), autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            for one, two in zip(old[i1:i2], new[j1:j2], strict=True):
                lines += _same_place(one, two)
            continue
        lines += [f"- {content(row)}" for row in old[i1:i2]]
        lines += [f"+ {content(row)}" for row in new[j1:j2]]
    return lines


def _same_place(one: TreeRow, two: TreeRow) -> list[str]:
    if said(one) != said(two):
        return [f"- {content(one)}", f"+ {content(two)}"]
    return [] if ref_of(one) == ref_of(two) else [f"  {content(two)}"]


def _keys(rows: Sequence[TreeRow], shared: set[str]) -> list[str]:
    """Name each row so that no name comes twice: comparing is slow where many rows are alike."""
    seen: Counter[str] = Counter()
    keys: list[str] = []
    for row in rows:
        ref = ref_of(row)
        key = ref if ref and ref in shared else said(row)
        seen[key] += 1
        keys.append(key if ref in shared and ref else f"{key} {seen[key]}")
    return keys
