"""A scripted agent on small tasks: `.venv/bin/python -m tools.bench.agent [--seeds 3]`.

It opens a page, looks, acts and checks, as an agent would; no model takes part. Counted are calls,
the characters that it reads, and whether the task was truly solved: what the page reports, or the
answer. `--peers` names a folder where npm has installed agent-browser and @playwright/cli, for the
same tasks with them. `--browse` runs another checkout of ours.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.bench.agent import acting, reading  # noqa: F401 - importing them declares the tasks
from tools.bench.agent.drivers import AgentBrowser, Browse, Driver, PlaywrightCli
from tools.bench.agent.scenes import TASKS, Task
from tools.bench.agent.site import Site, serving

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Attempt:
    """How one task with one seed went."""

    task: str
    solved: bool
    calls: int
    chars: int


def attempt(driver: Driver, site: Site, task: Task, seed: int) -> Attempt:
    """Let the agent solve a task."""
    scene = task.make(random.Random(f"{task.name} {seed}"))  # noqa: S311 - so that all tools get the same
    site.put({"/": scene.html, **scene.more}, scene.answers)
    driver.begin()
    driver.open(f"{site.base}/")
    try:
        answer = task.solve(driver, scene.want)
    except (LookupError, ValueError, StopIteration) as exc:
        answer = f"the agent is lost: {exc!r}\n{driver.said}"
    solved = scene.expected in (site.reported, answer.strip())
    if os.environ.get("BENCH_TRACE") and not solved:
        print(f"{task.name} {seed}: {scene.expected!r}, not {site.reported!r} or {answer!r}")
    return Attempt(task.name, solved, driver.calls, driver.chars)


def drivers(args: argparse.Namespace, folder: Path) -> dict[str, Driver]:
    """Prepare the tools that are here, each in a project of its own."""
    made: dict[str, Driver] = {"browse": Browse([args.browse], _project(folder, "browse"))}
    bin = Path(args.peers) / "node_modules" if args.peers else None
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or ""
    if bin and (program := bin / "agent-browser/bin/agent-browser-linux-x64").exists():
        env = {"AGENT_BROWSER_EXECUTABLE_PATH": chromium, "AGENT_BROWSER_ARGS": "--no-sandbox"}
        env["AGENT_BROWSER_SESSION"] = f"bench-{os.getpid()}"
        made["agent-browser"] = AgentBrowser([str(program)], _project(folder, "ab"), env)
    if bin and (program := bin / ".bin/playwright-cli").exists():
        place = _project(folder, "pw")
        options = {"executablePath": chromium, "args": ["--no-sandbox"], "headless": True}
        browser = {"browserName": "chromium", "isolated": True, "launchOptions": options}
        (place / "pw.json").write_text(json.dumps({"browser": browser}))
        cli = PlaywrightCli([str(program), f"-s=bench{os.getpid()}"], place)
        cli.run(("open", "about:blank", "--config=pw.json"))
        made["playwright-cli"] = cli
    return made


def _project(folder: Path, name: str) -> Path:
    place = folder / name
    (place / ".git").mkdir(parents=True)
    return place


def table(results: Mapping[str, Sequence[Attempt]]) -> str:
    """Format what each tool needed, by task and together; only solved tasks count."""
    names = list(results)
    lines = ["task".ljust(34) + "".join(f"{name:>26}" for name in names)]
    for task in [each.name for each in TASKS]:
        cells = [_cell([it for it in results[name] if it.task == task]) for name in names]
        if any(cell.strip() != "-" for cell in cells):
            lines.append(task.ljust(34) + "".join(f"{cell:>26}" for cell in cells))
    lines.append("all".ljust(34) + "".join(f"{_cell(results[name]):>26}" for name in names))
    return "\n".join(lines)


def _cell(attempts: Sequence[Attempt]) -> str:
    solved = [it for it in attempts if it.solved]
    if not solved:
        return f"0/{len(attempts)}" if attempts else "-"
    calls = statistics.mean(it.calls for it in solved)
    chars = statistics.mean(it.chars for it in solved)
    return f"{len(solved)}/{len(attempts)}  {calls:.1f} calls {chars:6.0f}"


def main() -> None:
    """Run every task with every tool and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.agent", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--peers", default="", help="folder with node_modules of the peers")
    parser.add_argument("--browse", default=str(ROOT / "browse"))
    parser.add_argument("--tasks", default="", help="only tasks with this in their name")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving() as site:
        tools = drivers(args, Path(folder))
        results: dict[str, list[Attempt]] = {name: [] for name in tools}
        try:
            for task in [task for task in TASKS if args.tasks in task.name]:
                for seed in range(args.seeds):
                    for name, driver in tools.items():
                        results[name].append(attempt(driver, site, task, seed))
        finally:
            for driver in tools.values():
                driver.stop()
    print(table(results))


if __name__ == "__main__":
    main()
