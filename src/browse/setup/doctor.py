"""Check the machine: each check reports what it found and what to do. Changes nothing."""

from collections.abc import Callable, Iterable

from browse.registry.results import Text
from browse.setup import chromium, machine, project
from browse.setup.check import Check, Scene

Look = Callable[[Scene], Check]

CHECKS: tuple[Look, ...] = (
    machine.python,
    machine.packages,
    machine.name,
    machine.settings,
    chromium.found,
    chromium.starts,
    chromium.sandbox,
    project.state_folder,
    project.daemon,
    machine.temp,
    machine.disk,
    machine.loopback,
    machine.start_up,
    machine.skills,
    machine.encoding,
)


def examine(say: Callable[[str], None], scene: Scene, looks: Iterable[Look] = CHECKS) -> Text:
    """Run every check in turn, and report each as it is done."""
    seen: list[Check] = []
    for look in looks:
        check = look(scene)
        seen.append(check)
        for line in check.lines():
            say(line)
    failed = [check.name for check in seen if not check.ok]
    rows = [
        {"name": c.name, "ok": c.ok, "detail": c.detail, "fix": "" if c.ok else c.fix} for c in seen
    ]
    verdict = f"Not well: {', '.join(failed)}." if failed else "All is well."
    return Text(verdict, {"ok": not failed, "checks": rows})
