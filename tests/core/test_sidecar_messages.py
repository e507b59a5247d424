"""Any text that is asked about fits into a line."""

import msgspec
import pytest

from browse.core.sidecar_messages import MAX_LINE_BYTES, MAX_TEXT_CHARS, SidecarQuestion


@pytest.mark.parametrize("char", ["a", "\n", "\x00", '"', "é", "語", "😀"])
def test_the_longest_text_fits_into_a_line(char):
    line = msgspec.json.encode(SidecarQuestion(2**60, "scan", char * MAX_TEXT_CHARS))

    assert len(line) < MAX_LINE_BYTES
    assert b"\n" not in line
