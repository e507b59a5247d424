"""JSON-RPC messages, and the revisions of MCP."""

import json

import pytest

from browse.mcp import messages
from browse.mcp.messages import CAPABILITIES, REVISION, RpcError, RpcMessage


def a_message(method: str = "ping", id: object = 1, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode()


def test_a_request_has_its_method_parameters_and_id():
    found = messages.read(a_message("tools/call", "seven", name="read"))

    assert found == RpcMessage("tools/call", {"name": "read"}, "seven")


def test_an_answer_of_the_client_is_none_of_our_business():
    assert messages.read(b'{"jsonrpc":"2.0","id":1,"result":{}}') is None


def test_nothing_is_said_to_a_notification_that_is_odd():
    assert messages.read(b'{"jsonrpc":"2.0","method":"notifications/x","params":[]}') is None


@pytest.mark.parametrize(
    ("raw", "code", "id"),
    [
        (b"{bad", messages.PARSE_ERROR, None),
        (b"\xff\xfe\xfd", messages.PARSE_ERROR, None),
        (b"[" * 100_000, messages.PARSE_ERROR, None),
        (b"[]", messages.INVALID_REQUEST, None),
        (b"7", messages.INVALID_REQUEST, None),
        (b'{"id":3,"method":"ping"}', messages.INVALID_REQUEST, 3),
        (b'{"jsonrpc":"2.0","id":3,"method":7}', messages.INVALID_REQUEST, 3),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', messages.INVALID_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', messages.INVALID_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}', messages.INVALID_PARAMS, 3),
        (
            b'{"jsonrpc":"2.0","id":3,"method":"ping","params":{"_meta":1}}',
            messages.INVALID_PARAMS,
            3,
        ),
    ],
)
def test_what_is_no_message_is_refused(raw, code, id):
    with pytest.raises(RpcError) as caught:
        messages.read(raw)

    assert (caught.value.code, caught.value.id) == (code, id)
    assert caught.value.reply()["error"]["message"]


@pytest.mark.parametrize(
    ("meta", "code"),
    [
        ({REVISION: "2099-01-01", CAPABILITIES: {}}, messages.UNKNOWN_REVISION),
        ({REVISION: 7, CAPABILITIES: {}}, messages.INVALID_PARAMS),
        ({REVISION: messages.NEW[0]}, messages.INVALID_PARAMS),
        ({}, messages.INVALID_PARAMS),
    ],
)
def test_a_revision_that_is_not_ours_is_refused(meta, code):
    with pytest.raises(RpcError) as caught:
        messages.check_revision(RpcMessage("server/discover", {}, 1, meta))

    assert caught.value.code == code
    if code == messages.UNKNOWN_REVISION:
        assert caught.value.data == {"supported": ["2026-07-28"], "requested": "2099-01-01"}


def test_half_a_character_leaves_as_json():
    sent = messages.encode({"text": "a\ud800b\n"})

    assert json.loads(sent) == {"text": "a\ud800b\n"}
    assert b"\n" not in sent
