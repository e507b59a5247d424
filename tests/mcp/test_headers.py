"""Headers of MCP over HTTP."""

import pytest

from browse.mcp import headers, messages
from browse.mcp.messages import NEW, REVISION, RpcError, RpcMessage

META = {REVISION: NEW[0]}
CALL = RpcMessage("tools/call", {"name": "lésen"}, 1, META)
RIGHT = {
    "mcp-protocol-version": NEW[0],
    "mcp-method": "tools/call",
    "mcp-name": "=?base64?bMOpc2Vu?=",
}


def test_headers_repeat_what_the_message_says():
    headers.check(CALL, RIGHT)


@pytest.mark.parametrize(
    "wrong",
    [
        {"mcp-protocol-version": "2025-11-25"},
        {"mcp-method": "tools/list"},
        {"mcp-name": "act"},
        {"mcp-name": "=?base64?*?="},
    ],
)
def test_a_header_that_says_something_else_is_refused(wrong):
    with pytest.raises(RpcError) as caught:
        headers.check(CALL, {**RIGHT, **wrong})

    assert caught.value.code == messages.HEADER_MISMATCH


def test_an_old_client_needs_no_header_but_may_name_no_unknown_revision():
    old = RpcMessage("ping", {}, 1)
    headers.check(old, {})
    headers.check(old, {"mcp-protocol-version": "2025-06-18"})

    with pytest.raises(RpcError) as unknown:
        headers.check(old, {"mcp-protocol-version": "1999-01-01"})
    with pytest.raises(RpcError) as without_meta:
        headers.check(old, {"mcp-protocol-version": NEW[0]})

    assert unknown.value.code == messages.UNKNOWN_REVISION
    assert without_meta.value.code == messages.INVALID_PARAMS
