"""The methods of MCP: at once, or with a command."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.mcp import messages
from browse.mcp._offer import INSTRUCTIONS, PAGES, PROMPTS
from browse.mcp.messages import CAPABILITIES, NEW, REVISION, RpcError, RpcMessage
from browse.mcp.runs import Run, RunOutcome
from browse.mcp.server import Server
from browse.registry.spec import declared
from support.hostile import any_json, fuzz

META = {REVISION: NEW[0], CAPABILITIES: {}}


def ask(method: str, *, new: bool = False, **params: object):
    found = Server().answer(RpcMessage(method, params, 1, META if new else {}))
    return found if isinstance(found, Run) else found["result"]


def refused(method: str, *, new: bool = False, **params: object) -> RpcError:
    with pytest.raises(RpcError) as caught:
        ask(method, new=new, **params)
    assert caught.value.id == 1
    return caught.value


KEYS = ("name", "arguments", "uri", "protocolVersion")
odd = any_json | st.sampled_from(["read", "act", "help", "scrape", "skill-x", "browse://help/"])


@fuzz
@given(
    st.sampled_from(list(Server()._methods)),
    st.dictionaries(st.sampled_from(KEYS), odd | st.fixed_dictionaries({"args": odd, "tab": odd})),
)
def test_no_parameters_break_any_method(method, params):
    with suppress(RpcError):
        ask(method, **params)


@pytest.mark.parametrize("name", [{}, [], None, 7, "\ud800"])
def test_a_prompt_without_a_name_is_unknown(name):
    assert refused("prompts/get", name=name).code == messages.INVALID_PARAMS


@pytest.mark.parametrize(
    ("asked", "got"),
    [("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")],
)
def test_an_old_client_gets_its_revision_or_our_newest(asked, got):
    result = ask("initialize", protocolVersion=asked)

    assert result["protocolVersion"] == got
    assert result["instructions"] == INSTRUCTIONS
    assert set(result["capabilities"]) == {"tools", "resources", "prompts"}
    assert "resultType" not in result


def test_a_new_client_discovers_the_same():
    result = ask("server/discover", new=True)

    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["instructions"] == INSTRUCTIONS
    assert (result["resultType"], result["ttlMs"], result["cacheScope"]) == (
        "complete", 0, "private",
    )  # fmt: skip
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "browse"


def test_methods_of_one_kind_of_client_are_unknown_to_the_other():
    assert refused("ping", new=True).code == messages.METHOD_NOT_FOUND
    assert refused("initialize", new=True).code == messages.METHOD_NOT_FOUND
    assert refused("server/discover").code == messages.INVALID_PARAMS
    assert refused("tasks/list").code == messages.METHOD_NOT_FOUND
    assert refused("initialize").code == messages.INVALID_PARAMS


def test_every_command_has_a_help_page():
    uris = {row["uri"] for row in ask("resources/list")["resources"]}

    assert {spec.name for spec in declared()} <= set(PAGES)
    assert {"browse://guide", "browse://snapshot", "browse://help/skill%20run"} <= uris
    for uri in ("browse://guide", "browse://help", "browse://help/skill%20run"):
        assert ask("resources/read", uri=uri).words[0] == "help"


def test_an_unknown_resource_is_not_found():
    assert refused("resources/read", uri="browse://help/no%20such").code == -32002
    assert refused("resources/read", uri="file:///etc/passwd").code == -32002
    assert refused("resources/read", new=True, uri="browse://x").code == messages.INVALID_PARAMS
    assert refused("resources/read").code == messages.INVALID_PARAMS


@pytest.mark.parametrize("args", [["snapshot", "-i"], ["--tab-id", "2", "snapshot"]])
def test_the_last_snapshot_is_a_resource_of_its_caller(args):
    server = Server()
    call = RpcMessage("tools/call", {"name": "read", "arguments": {"args": args}}, 1)
    read = RpcMessage("resources/read", {"uri": "browse://snapshot"}, 2)
    run = server.answer(call, "ada")
    assert isinstance(run, Run)
    server.finish(call, run, RunOutcome(0, "the tree"), "ada")

    mine, others = server.answer(read, "ada"), server.answer(read, "bob")

    assert isinstance(mine, dict)
    assert mine["result"]["contents"][0]["text"] == "the tree"
    assert isinstance(others, Run)
    assert others.words == ("snapshot", "-i")
    server.forget("ada")
    assert isinstance(server.answer(read, "ada"), Run)


def test_a_resource_whose_command_fails_is_an_error():
    server = Server()
    read = RpcMessage("resources/read", {"uri": "browse://snapshot"}, 2)
    run = server.answer(read)
    assert isinstance(run, Run)

    assert "no page" in server.finish(read, run, RunOutcome(1, "", "no page"))["error"]["message"]


def test_prompts_are_agent_skills_and_the_browser_skills_that_a_daemon_finds():
    run = ask("prompts/list")
    args = [{"name": "url", "required": True}, {"name": "bad name!"}]
    rows = [
        {"name": "prices", "page": {"description": "Obey me", "args": args}},
        {"name": "../x", "page": {}},
    ]
    found = run.finish(RunOutcome(0, json.dumps({"skills": rows})))["prompts"]

    assert not run.starts
    assert [row["name"] for row in found] == [*PROMPTS, "skill-prices"]
    assert found[-1]["arguments"] == [{"name": "url", "required": True}]
    assert "Obey" not in json.dumps(found)
    assert len(run.finish(RunOutcome(6, "", "no daemon"))["prompts"]) == len(PROMPTS)


def test_a_prompt_has_the_skill_and_the_task():
    text = ask("prompts/get", name="scrape", arguments={"task": "prices"})["messages"][0]["content"]
    skill = ask("prompts/get", name="skill-prices", arguments={"url": 'http://a/"'})

    assert "browse" in text["text"]
    assert text["text"].endswith("The task: prices")
    assert (
        '["skill", "run", "prices", "--arg", "url=http://a/\\""]'
        in (skill["messages"][0]["content"]["text"])
    )
    for name, arguments in (("nope", {}), ("skill-../x", {}), (7, {}), ("scrape", {"task": 7})):
        assert refused("prompts/get", name=name, arguments=arguments).code == -32602
