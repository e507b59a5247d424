"""`browse mcp` as a process: real pipes, a scripted daemon, hosts that misbehave."""

import json
import os
import resource
import signal
import threading
from contextlib import suppress

import pytest

from browse.mcp.stdio import LineSplitter
from support.fake_daemon import FRAMES_HEAD, FakeDaemon, says, waits_for
from support.mcp_host import Host


def test_a_call_is_the_clients_request(host):
    with FakeDaemon(host.state, says(b"--- page [1]\nhi\n--- end [1]\n", b"[note] x\n")) as daemon:
        result = host.call("read", "text", "main", tab=2, session="work")

    assert result["content"][0]["text"] == "--- page [1]\nhi\n--- end [1]\n[note] x"
    request = daemon.requests[0]
    assert request.line == "POST /command HTTP/1.0"
    assert request.words == ["text", "main"]
    assert request.facts["agent"].startswith("mcp-")
    assert {key: request.facts[key] for key in ("tab", "session", "only_read", "cwd")} == {
        "tab": "2", "session": "work", "only_read": "1", "cwd": str(host.folder),
    }  # fmt: skip
    assert "terminal" not in request.facts


def test_a_client_has_the_same_name_in_all_calls_and_may_act(host):
    with FakeDaemon(host.state, says(), says()) as daemon:
        host.call("act", "click", "@e1")
        host.call("act", "load-html", "-", stdin="<p>" * 100_000)

    first, second = daemon.requests
    assert first.facts["agent"] == second.facts["agent"]
    assert "only_read" not in first.facts
    assert second.stdin == b"<p>" * 100_000


def test_a_host_that_sends_what_is_no_message_is_told(host):
    host.send_raw(b"{bad")
    host.send_raw(b"")
    host.send_raw(b'{"jsonrpc":"2.0","id":9,"result":{}}')
    host.send("notifications/initialized", id=None)
    host.send("ping", id=2)

    assert host.take()["error"]["code"] == -32700
    assert host.take() == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_what_the_client_does_by_itself_is_refused_to_read(host):
    for words in (("stop",), ("doctor",), ("--force-restart", "url")):
        result = host.call("read", *words)

        assert result["_meta"] == {"browse/exit": 4}
        assert "may change something" in result["content"][0]["text"]


def test_without_a_daemon_a_call_says_so_and_help_is_there(host):
    assert "No daemon is running" in host.call("read", "text")["content"][0]["text"]
    assert "Usage: browse text" in host.call("help", "text")["content"][0]["text"]
    assert "Did you mean" in host.call("act", "clikc", "@e1")["content"][0]["text"]


def test_a_person_is_not_asked_through_a_host(host):
    text = host.call("act", "confirm", "a1b2c3")["content"][0]["text"]

    assert "no terminal" in text


@pytest.mark.parametrize("how", ["cancelled", "closed", "killed"])
def test_a_call_ends_with_the_request_or_with_the_host(host, how):
    begun, over = threading.Event(), threading.Event()

    def until_gone(peer, _):
        peer.sendall(FRAMES_HEAD)
        begun.set()
        with suppress(ConnectionResetError):  # it went before it had read the above
            while peer.recv(1):
                pass
        over.set()

    with FakeDaemon(host.state, until_gone):
        host.send("tools/call", id=7, name="act", arguments={"args": ["wait", "60000"]})
        assert begun.wait(90)
        if how == "cancelled":
            host.send("notifications/cancelled", id=None, requestId=7)
        elif how == "closed":
            host.stdin.close()
            host.stdout.close()
        else:
            os.kill(host.process.pid, signal.SIGKILL)
        assert over.wait(90)

    if how == "cancelled":
        assert host.ask("ping")["result"] == {}  # and no answer to the other


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits a running process")
def test_without_room_for_a_process_a_call_says_so_and_the_next_works(host):
    kept = resource.prlimit(host.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(host.process.pid, resource.RLIMIT_NOFILE, (8, kept[1]))
    refused = host.call("act", "click", "@e1")
    resource.prlimit(host.process.pid, resource.RLIMIT_NOFILE, kept)

    assert refused["isError"]
    assert "was not run" in refused["content"][0]["text"]
    with FakeDaemon(host.state, says(b"done\n")):
        assert host.call("act", "click", "@e1")["content"][0]["text"] == "done"


def test_a_call_that_is_cancelled_at_once_ends(host):
    asked = {"name": "act", "arguments": {"args": ["text"]}}
    silent = threading.Event()
    with FakeDaemon(host.state, waits_for(silent)):
        for number in range(20):
            call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": asked}
            about = {"requestId": number}
            ends = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": about}
            host.send_raw(b"%s\n%s" % (json.dumps(call).encode(), json.dumps(ends).encode()))
        host.stdin.close()
        code = host.process.wait(20)  # it waits for what runs
        silent.set()

    assert code == 0


def test_a_host_that_closes_stdin_still_gets_its_answers(host):
    go = threading.Event()

    with FakeDaemon(host.state, waits_for(go, FRAMES_HEAD + b"1 3\nhi\nx 0\n")):
        host.send("tools/call", name="read", arguments={"args": ["text"]})
        host.stdin.close()
        result = host.take()["result"]
        go.set()

    assert result["content"][0]["text"] == "hi"
    assert host.process.wait(90) == 0


def test_a_long_answer_comes_whole(host):
    long = b"x" * 1_000_000

    with FakeDaemon(host.state, says(long)):
        host.send("tools/call", name="read", arguments={"args": ["text"]})
        result = host.take()["result"]

    assert result["content"][0]["text"] == long.decode()


def test_long_work_reports_its_progress_to_who_asked(tmp_path):
    (tmp_path / ".git").mkdir()
    often = "from browse.mcp import stdio; stdio.PROGRESS_S = 0.01; stdio.serve()"
    host, go = Host(tmp_path, often), threading.Event()

    def answers_when_told(peer, request):
        assert go.wait(90)
        says(b"done")(peer, request)

    with FakeDaemon(host.state, answers_when_told):
        words = {"args": ["wait", "9"]}
        host.send("tools/call", name="act", arguments=words, _meta={"progressToken": 3})
        notice = host.take()
        go.set()
        while "result" not in (last := host.take()):
            assert last["params"]["progressToken"] == 3
    host.close()

    assert notice["method"] == "notifications/progress"
    assert last["result"]["content"][0]["text"] == "done"


def test_a_new_client_gets_results_of_its_kind(host):
    meta: dict[str, object] = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    meta |= {"io.modelcontextprotocol/clientCapabilities": {}}

    assert host.ask("server/discover", _meta=meta)["result"]["resultType"] == "complete"
    meta["io.modelcontextprotocol/protocolVersion"] = "2031-01-01"
    assert host.ask("tools/list", _meta=meta)["error"]["code"] == -32022


def test_a_line_that_is_too_long_is_dropped_and_the_next_is_read():
    lines = LineSplitter(most=10)

    found = [*lines.feed(b"123456"), *lines.feed(b"78901\nab\ncd"), *lines.feed(b"\n1234567890\n")]

    assert found == [None, b"ab", b"cd", b"1234567890"]
    assert lines.feed(b"rest") == []
    assert lines.rest() == b"rest"
