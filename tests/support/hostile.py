"""Text that nobody would type, for tests of what must never break."""

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st

from browse.core.errors import BrowseError

T = TypeVar("T")

fuzz = settings(max_examples=80, deadline=None)

# Half characters are what a non-UTF-8 argument or a broken page string looks like in Python.
any_char = st.characters(exclude_categories=()) | st.sampled_from(
    "\0\n\r\t \ud800\udfff\u200b-=|'\"\\"
)
any_text = st.text(any_char, max_size=60)
any_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | any_text,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(any_text, inner, max_size=6),
    max_leaves=20,
)


def attempt(act: Callable[..., T], *words: Any) -> T | BrowseError:
    """Give what an act gives, or the error with which it refuses; anything else is a failure."""
    try:
        return act(*words)
    except BrowseError as exc:
        return exc
