"""How sizes are spelled."""

import pytest

from browse.commands.server.memory import size


@pytest.mark.parametrize(
    ("count", "spelled"),
    [
        (None, "unknown"),
        (0, "0 B"),
        (1023, "1023 B"),
        (1536, "1.5 KB"),
        (12 << 20, "12.0 MB"),
        (5 << 28, "1.25 GB"),
    ],
)
def test_sizes(count, spelled):
    assert size(count) == spelled
