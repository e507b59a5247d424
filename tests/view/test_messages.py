"""What a viewer may send."""

import pytest

from browse.view import messages


def test_a_message_is_what_it_says():
    sent = messages.decode('{"type":"mouse","event":"down","x":0.5,"y":1,"button":"left"}')

    assert sent == messages.MouseEvent("down", 0.5, 1, "left")


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"type":"eval","code":"1"}',
        '{"type":"mouse","event":"down","x":1.5,"y":0}',
        '{"type":"mouse","event":"down","x":0,"y":0,"button":"fourth"}',
        '{"type":"key","event":"down","key":"' + "a" * 33 + '","code":"KeyA"}',
        '{"type":"text","text":"' + "a" * (messages.MAX_PASTED_CHARS + 1) + '"}',
        '{"type":"take","tab":3}',
        '{"type":"drawn","frame":"1"}',
        '{"type":"touch","event":"start","points":' + str([{"x": 0, "y": 0, "id": 1}] * 11) + "}",
        '{"type":"give","message":"\ud800"}',
    ],
)
def test_anything_else_is_nothing(raw):
    assert messages.decode(raw) is None
