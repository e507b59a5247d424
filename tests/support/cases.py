"""Many small cases in one test: a test for each would cost more than what it looks at."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class Case:
    """Reports every case that fails by its name, as a test of its own, and goes on after it."""

    def __init__(self, subtests: pytest.Subtests) -> None:
        self._subtests = subtests

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        try:
            yield
        except (Exception, pytest.fail.Exception):
            # One that passes is not reported: that costs as much as a test.
            with self._subtests.test(name):
                raise
