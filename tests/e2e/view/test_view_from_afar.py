"""The live view through the tunnel, and when its daemon ends."""

import re

import pytest
from playwright.async_api import expect

from support.cli import Project
from support.live_view import at, open_view, refused, run, take_control, view
from support.sshd import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]
AGREED = {"GSTACK_PAIR_AGENT": "on", "BROWSE_TUNNEL_PROVIDER": "none"}
FIELD = "<title>Field</title><input autofocus style='position:absolute;top:0;left:0;width:600px'>"


@pytest.mark.issue(16)
async def test_the_owner_uses_a_tab_through_the_tunnel(person, tmp_path, site):
    project = Project.make(tmp_path, **AGREED, BROWSE_PORT=str(free_port()))
    try:
        await run(project, "goto", site.page("/field", FIELD))
        closed = await refused(project, "view", "--tunnel")
        await run(project, "tunnel", "start")
        there = re.findall(r"http\S+", (await run(project, "view", "--tunnel")).out)[0]
        here = re.findall(r"http\S+", (await run(project, "view", "--no-open")).out)[0]
        stranger = await person.new_page()
        await stranger.goto(there.partition("#")[0] + "#" + here.partition("#")[2])
        await expect(stranger.get_by_role("alert")).to_contain_text("was opened before")
        page = await open_view(person, there)
        await take_control(page)
        await page.mouse.click(*await at(page, 100, 10))
        await page.keyboard.type("from afar")
        await page.get_by_role("button", name="Give back").click()
        await expect(page.get_by_text("The agent has control")).to_be_visible()
        typed = (await run(project, "value", "input")).page
        beside = await view(person, project)
        await run(project, "restart")
        told = beside.get_by_role("alert")
        await expect(told).to_contain_text("was started again", timeout=60_000)
        await expect(told.get_by_role("button", name="Copy")).to_be_visible()
        await expect(page.get_by_role("alert")).to_contain_text("browse view", timeout=60_000)
    finally:
        project.end()

    assert "browse tunnel start" in closed.err
    assert typed == "from afar"
    assert f":{project_port(here)}/" not in there


def project_port(address: str) -> str:
    return re.findall(r":(\d+)/", address)[0]
