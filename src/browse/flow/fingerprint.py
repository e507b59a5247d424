"""How alike two pages are built, from the sketches that `entry/reading/sketch.js` makes."""

PLACE_CHARS = 4
# Below this, a page counts as rebuilt: other data, more rows or an open menu change less.
ALIKE = 0.7


def likeness(a: str, b: str) -> float:
    """Compare two sketches: 1 for the same structure, 0 for nothing in common, or for no sketch."""
    if len(a) != len(b) or not a:
        return 0.0
    places = range(0, len(a), PLACE_CHARS)
    same = sum(a[at : at + PLACE_CHARS] == b[at : at + PLACE_CHARS] for at in places)
    return same / len(places)
