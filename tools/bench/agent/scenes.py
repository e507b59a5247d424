"""What a task is made of: its pages, what an agent is asked for, and what would be right."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tools.bench.agent.drivers import Driver

WORDS = [
    "Amber",
    "Birch",
    "Cedar",
    "Delta",
    "Ember",
    "Fjord",
    "Grove",
    "Haven",
    "Islet",
    "Jetty",
    "Karst",
    "Linen",
    "Maple",
    "North",
    "Ocean",
    "Pearl",
    "Quartz",
    "River",
    "Slate",
    "Tundra",
    "Umber",
    "Valley",
    "Willow",
    "Zephyr",
]


@dataclass
class Scene:
    """One task with one seed. `want` is what the agent was told; `expected` is kept from it."""

    html: str
    expected: str
    want: dict[str, str] = field(default_factory=dict)
    more: dict[str, str] = field(default_factory=dict)
    answers: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """A kind of task: how to set it up, and what an agent would do."""

    name: str
    make: Callable[[random.Random], Scene]
    solve: Callable[[Driver, dict[str, str]], str]


TASKS: list[Task] = []


def task(
    make: Callable[[random.Random], Scene],
) -> Callable[[Callable[[Driver, dict[str, str]], str]], Callable[[Driver, dict[str, str]], str]]:
    """Declare a task; the function is the agent's policy, and returns its answer."""

    def declare(solve: Callable[[Driver, dict[str, str]], str]) -> Callable[..., str]:
        TASKS.append(Task(solve.__name__, make, solve))
        return solve

    return declare


def some(luck: random.Random, count: int) -> list[str]:
    """Draw different words."""
    return luck.sample(WORDS, count)
