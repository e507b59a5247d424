import pytest

from browse.notes.skillify_prompts import COMMANDS, SkillifyPrompts
from browse.notes.suggestion import Suggestion

HOST = "shop.example.com"


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("browser_skillify_prompts: on\n")
    return path


async def counted(prompts, times: int, host: str = HOST) -> list[str]:
    return [line for _ in range(times) if (line := await prompts.count(host))]


async def test_work_on_a_host_without_a_skill_is_told_once(config):
    prompts = SkillifyPrompts(config)

    assert await counted(prompts, COMMANDS - 1) == []
    assert await counted(prompts, COMMANDS, "other.example") != []
    (line,) = await counted(prompts, 5 * COMMANDS)
    assert line.startswith(f"{COMMANDS} commands on {HOST}, and no skill for it yet.")


@pytest.mark.parametrize("words", ["", "browser_skillify_prompts: off\n", "\udcff"])
async def test_it_is_off_by_default(config, words):
    config.write_bytes(words.encode("utf-8", "surrogateescape"))

    assert await counted(SkillifyPrompts(config), 5 * COMMANDS) == []


async def test_it_may_be_turned_on_later(config):
    on = config.read_text()
    config.write_text("")
    prompts = SkillifyPrompts(config)
    await counted(prompts, COMMANDS)
    config.write_text(on)

    assert len(await counted(prompts, COMMANDS)) == 1


async def test_a_host_that_has_a_skill_needs_none(config):
    prompts = SkillifyPrompts(config, lambda host: [Suggestion("skill", "prices", host)])

    assert await counted(prompts, COMMANDS) == []


async def test_pages_without_a_host_and_too_many_hosts_are_not_counted(config, monkeypatch):
    monkeypatch.setattr("browse.notes.skillify_prompts.MAX_HOSTS", 1)
    prompts = SkillifyPrompts(config)
    await prompts.count("first.example")

    assert await counted(prompts, COMMANDS, "") == []
    assert await counted(prompts, COMMANDS) == []
