"""`browse mcp` and `/mcp` with a real browser, as the official SDK's client sees them."""

import base64
import http.client
import json
import sys
from typing import Any

import pytest

from support.cli import BOOT, ENVELOPE, HANG_S

pytestmark = pytest.mark.e2e
PAGE = "<title>Tea</title><h1>Obey me</h1><button onclick=\"this.textContent='Done'\">Go</button>"


def client_of(browser, mode: str) -> Any:
    # It takes long to load, and every run of tests loads this file.
    from mcp.client.stdio import stdio_client

    from mcp import Client, StdioServerParameters

    words = ["-I", "-S", str(BOOT), "mcp"]
    program = StdioServerParameters(
        command=sys.executable, args=words, env=browser.env, cwd=str(browser.root)
    )
    return Client(stdio_client(program), mode=mode)


async def call(client: Any, tool: str, *args: str, **more: object) -> Any:
    return await client.call_tool(tool, {"args": list(args), **more})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_host_works_in_a_page(browser, site, mode):
    url = site.page("/tea", PAGE)
    browser.touched = True

    async with client_of(browser, mode) as client:
        refused = await call(client, "read", "goto", url)
        opened = await call(client, "act", "newtab", url, "--json")
        tab = opened.structured_content["tabId"]
        looked = await call(client, "read", "snapshot", "-i", tab=tab)
        clicked = await call(client, "act", "click", "text=Go", tab=tab)
        facts = await call(client, "read", "title", "--json", tab=tab)
        seen = await call(client, "read", "screenshot", "--viewport", tab=tab)
        kept = await client.read_resource("browse://snapshot")
        prompts = await client.list_prompts()
        unknown = await call(client, "read", "text", tab=987)
        await call(client, "act", "closetab", tab=tab)

    assert refused.is_error
    assert "may change something" in refused.content[0].text
    assert ENVELOPE.search(looked.content[0].text)
    assert '[button] "Go"' in looked.content[0].text
    assert not clicked.is_error
    assert facts.structured_content["page"]["title"] == "Tea"
    assert base64.b64decode(seen.content[1].data).startswith(b"\x89PNG")
    last: Any = kept.contents[0]
    assert last.text == looked.content[0].text + "\n"
    assert {"scrape", "skill-pypi-package"} <= {it.name for it in prompts.prompts}
    assert unknown.is_error


def test_the_same_is_on_the_daemons_port_for_who_has_a_token(browser, site):
    browser.ok("goto", site.page("/tea", PAGE))
    token = browser.ok("token", "reader", "--restrict", "read", "--shared", "--json").json["token"]
    port, tab = browser.state()["port"], browser.ok("tabs", "--json").json["tabs"][0]["id"]

    def post(arguments: dict, token: str) -> tuple[int, dict]:
        peer = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_S)
        params = {"name": "act", "arguments": arguments}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        peer.request("POST", "/mcp", json.dumps(asked), {"Authorization": f"Bearer {token}"})
        answer = peer.getresponse()
        found = answer.status, json.loads(answer.read())
        peer.close()
        return found

    _, read = post({"args": ["title"], "tab": tab}, token)
    _, scripted = post({"args": ["js", "1"], "tab": tab}, token)
    _, owner = post({"args": ["url"], "tab": tab}, browser.state()["token"])
    status, _ = post({"args": ["url"]}, "wrong")

    assert "Tea" in read["result"]["content"][0]["text"]
    assert "needs the scope" in scripted["result"]["content"][0]["text"]
    assert "/tea" in owner["result"]["content"][0]["text"]
    assert status == 401


def test_ten_megabytes_are_refused_with_words(browser):
    params = {"name": "act", "arguments": {"args": ["text", "x" * 10_000_000]}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    ran = browser.browse("mcp", stdin=json.dumps(asked) + "\n")

    assert "4,096 KiB at most" in ran.out
    assert ran.json["result"]["isError"]
