"""The three tools: words in; text, data and pictures out."""

import json

import pytest

from browse.mcp import tools
from browse.mcp._offer import INSTRUCTIONS
from browse.mcp.messages import RpcError, encode
from browse.mcp.runs import Run, RunOutcome


def run(tool: str, *args: str, **more: object) -> Run:
    found = tools.run({"name": tool, "arguments": {"args": list(args), **more}})
    assert isinstance(found, Run), found
    return found


def test_tools_and_instructions_are_within_their_bytes():
    assert len(INSTRUCTIONS) <= 2_048
    assert len(encode({"tools": tools.TOOLS})) + len(INSTRUCTIONS.encode()) <= 4_096


def test_annotations_are_true():
    hints = {tool["name"]: tool["annotations"] for tool in tools.TOOLS}

    assert hints["read"]["readOnlyHint"]
    assert run("read", "text").only_reads
    assert not hints["act"]["readOnlyHint"]
    assert hints["act"]["destructiveHint"]
    assert not run("act", "click", "@e1").only_reads
    assert hints["help"]["readOnlyHint"]
    assert run("help", "click").only_reads


def test_words_tab_session_and_stdin_are_passed_on():
    found = run("act", "load-html", "-", tab=2, session="work", stdin="<p>")

    assert (found.words, found.tab, found.session, found.stdin) == (
        ("load-html", "-"), 2, "work", "<p>",
    )  # fmt: skip


@pytest.mark.parametrize("given", ["snapshot -i", ["snapshot -i"], ["browse", "snapshot", "-i"]])
def test_a_line_in_one_piece_is_split(given):
    found = tools.run({"name": "read", "arguments": {"args": given}})

    assert isinstance(found, Run)
    assert found.words == ("snapshot", "-i")


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("read", [], "object"),
        ("read", {}, "empty"),
        ("read", {"args": []}, "empty"),
        ("read", {"args": [7]}, "list of strings"),
        ("read", {"args": ["text", "a\0b"]}, "NUL"),
        ("read", {"args": ["text", "\ud800"]}, "list of strings"),
        ("read", {"args": "say 'x"}, "split"),
        ("read", {"args": ["text"], "tab": 0}, "tabs"),
        ("read", {"args": ["text"], "tab": "2"}, "tabs"),
        ("read", {"args": ["text"], "tab": True}, "tabs"),
        ("act", {"args": ["text"], "session": 7}, "strings"),
        ("read", {"args": ["text"], "stdin": "x"}, "no 'stdin'"),
    ],
)
def test_arguments_that_cannot_be_used_are_told_to_the_model(tool, given, said):
    found = tools.run({"name": tool, "arguments": given})

    assert isinstance(found, dict)
    assert found["isError"]
    assert said in found["content"][0]["text"]
    assert "For example" in found["content"][0]["text"]


def test_an_unknown_tool_is_an_error_of_the_protocol():
    with pytest.raises(RpcError, match="read, act, help"):
        tools.run({"name": "click"})


def test_a_failure_is_marked_with_its_exit_code():
    result = run("read", "text", "@e9").finish(RunOutcome(3, "", "gone\nlook again\n"))

    assert result["isError"]
    assert result["content"] == [{"type": "text", "text": "gone\nlook again"}]
    assert result["_meta"] == {"browse/exit": 3}


def test_json_comes_as_text_and_as_data():
    printed = '{"page":{"url":"http://a/"}}\n'

    result = run("read", "url", "--json").finish(RunOutcome(0, printed))

    assert result["structuredContent"] == {"page": {"url": "http://a/"}}
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_a_picture_comes_where_flags_stand_before_the_command():
    call = run("act", "--session", "work", "screenshot")

    result = call.finish(RunOutcome(0, '{"data":"data:image/png;base64,cA=="}'))

    assert call.words == ("--session", "work", "screenshot", "--json", "--base64")
    assert result["content"][1] == {"type": "image", "data": "cA==", "mimeType": "image/png"}


@pytest.mark.parametrize("asked", [True, False])
def test_a_picture_comes_with_data_only_if_they_are_asked_for(asked):
    call = run("read", "screenshot", *(["--json"] if asked else []))
    printed = '{"data":"data:image/png;base64,cA==","width":4}'

    result = call.finish(RunOutcome(0, printed, "a note\n"))

    assert result["content"] == [
        {"type": "text", "text": '{"width": 4}\na note'},
        {"type": "image", "data": "cA==", "mimeType": "image/png"},
    ]
    assert result.get("structuredContent") == ({"width": 4} if asked else None)


def test_an_error_in_json_is_data_too():
    result = run("read", "url", "--json").finish(RunOutcome(4, "", '{"error":"no","code":"scope"}'))

    assert result["isError"]
    assert result["structuredContent"]["code"] == "scope"
