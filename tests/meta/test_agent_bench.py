"""The scripted agent: its tasks can be set up again, and it understands what the tools print."""

import random

import pytest
from tools.bench.agent import acting, reading  # noqa: F401 - importing them declares the tasks
from tools.bench.agent.__main__ import Attempt, table
from tools.bench.agent.drivers import AgentBrowser, Browse, PlaywrightCli
from tools.bench.agent.scenes import TASKS

OURS = """Clicked @e1
--- page [d33ab85a]
@e1 [button] "Save \\"it\\"" [active]
  @e2 [textbox] "Order": 1234
~ @e3 [button] [hint=trash]
+ @c1 [cursor:pointer] "Menu"
- @e9 [button] "Gone"
--- end [d33ab85a]
"""


def test_there_are_thirty_tasks_and_more():
    assert len({task.name for task in TASKS}) == len(TASKS) >= 30


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_seed_gives_the_same_task_and_another_a_different_one(task):
    first, again, *others = [task.make(random.Random(seed)) for seed in (1, 1, 2, 3, 4, 5)]

    assert first == again
    assert [other for other in others if other.expected != first.expected]


def test_the_agent_takes_in_our_rows(tmp_path):
    agent = Browse([], tmp_path)

    agent.see(OURS)

    assert agent.find("button", "save") == "@e1"
    assert agent.find("clickable", "Menu") == "@c1"
    assert agent.hinted("trash") == "@e3"
    assert agent.rows["@e2"].rest == ": 1234"
    assert agent.find("button", "Gone") == ""


@pytest.mark.parametrize(
    ("driver", "said", "ref"),
    [
        (AgentBrowser, '- button "Save" [level=1, ref=e2]', "@e2"),
        (AgentBrowser, '- button "Save" [ref=e3]', "@e3"),
        (PlaywrightCli, '  - button "Save" [active] [ref=e4] [cursor=pointer]', "e4"),
        (PlaywrightCli, '    - button "Save" [ref=f1e5]', "f1e5"),
    ],
)
def test_the_agent_takes_in_the_rows_of_others(tmp_path, driver, said, ref):
    agent = driver([], tmp_path)

    agent.see(said)

    assert agent.find("button", "Save") == ref


def test_the_agent_prefers_the_control_with_nothing_else_in_its_name(tmp_path):
    agent = AgentBrowser([], tmp_path)

    agent.see('- generic "BirchFjord" [ref=e2]\n  - menuitem "Fjord" [ref=e4]')

    assert agent.find("menuitem|clickable", "Fjord") == "@e4"


def test_only_solved_tasks_count():
    name = TASKS[0].name
    shown = table({"tool": [Attempt(name, True, 2, 300), Attempt(name, False, 9, 9000)]})

    assert [line.split() for line in shown.splitlines()[1:]] == [
        [name, "1/2", "2.0", "calls", "300"],
        ["all", "1/2", "2.0", "calls", "300"],
    ]
