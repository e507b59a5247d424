"""Compare two snapshots by ref and content: an inserted row is one added line."""

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence

from browse.browser.page.shapes import TreeRow
from browse.browser.reading.snapshot import describe, describe_with_ref, ref_of

ACTIVE = "[active]"


def diff_rows(
    before: Iterable[TreeRow], after: Iterable[TreeRow], *, same_document: bool
) -> list[str]:
    """Compare two trees: `- ` removed, `+ ` added, `~ ` changed, `> ` moved, `  ` a new ref only.

    In one document, rows are matched by ref. Rows of different documents, whose refs have nothing
    to do with each other, and rows without a counterpart are matched by their content.
    """
    old, new = list(before), list(after)
    shared = {ref_of(row) for row in old} & {ref_of(row) for row in new} if same_document else set()
    shared -= {""}
    known = {ref_of(row): row for row in old}
    lines: list[str] = []
    matcher = difflib.SequenceMatcher(None, _keys(old, shared), _keys(new, shared), autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            for one, two in zip(old[i1:i2], new[j1:j2], strict=True):
                lines += _same_place(one, two, same_document=same_document)
            continue
        lines += [f"- {describe_with_ref(row)}" for row in old[i1:i2] if ref_of(row) not in shared]
        for at in range(j1, j2):
            moved = known[ref_of(new[at])] if ref_of(new[at]) in shared else None
            lines.append(_moved(moved, new, at) if moved else f"+ {describe_with_ref(new[at])}")
    return lines


def _same_place(one: TreeRow, two: TreeRow, *, same_document: bool) -> list[str]:
    known = same_document and ref_of(one) == ref_of(two)
    if describe(one) != describe(two):
        if known and ref_of(two):
            # That an element has lost the focus follows from the one that got it.
            lost = describe(one).replace(f" {ACTIVE}", "") == describe(two)
            return [] if lost else [f"~ {describe_with_ref(two)}"]
        return [f"- {describe_with_ref(one)}", f"+ {describe_with_ref(two)}"]
    return [] if known else [f"  {describe_with_ref(two)}"]


def _moved(one: TreeRow, new: Sequence[TreeRow], at: int) -> str:
    """Say where a row is now: after which ref, or at the top. Its words follow if they changed."""
    before = next((ref for row in reversed(new[:at]) if (ref := ref_of(row))), "")
    place = f"moved after {before}" if before else "moved to the top"
    words = f" {describe(new[at])}" if describe(one) != describe(new[at]) else ""
    return f"> {ref_of(new[at])}{words} {place}"


def _keys(rows: Sequence[TreeRow], shared: set[str]) -> list[str]:
    """Return a unique key for each row: comparing is slow when many rows are alike."""
    seen: Counter[str] = Counter()
    keys: list[str] = []
    for row in rows:
        ref = ref_of(row)
        key = ref if ref in shared else describe(row)
        seen[key] += 1
        keys.append(key if ref in shared else f"{key} {seen[key]}")
    return keys
