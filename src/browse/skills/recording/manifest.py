"""Write the SKILL.md of a recorded skill: in our words; a page's words are only in names."""

from collections.abc import Sequence

from browse.core.text import counted
from browse.flow.steps import Step
from browse.skills.recording.actions import Given
from browse.skills.recording.script import ScriptPlan
from browse.skills.recording.spelling import is_plain, scalar

# The front matter may have 16 KiB; a longer default is only in the script.
MAX_DEFAULT_CHARS = 500


def manifest(plan: ScriptPlan, steps: Sequence[Step]) -> str:
    """Write SKILL.md."""
    words = plan.name.replace("-", " ")
    head = [
        f"name: {plan.name}",
        f"host: {scalar(plan.host)}",
        f"description: {scalar(described(plan, len(steps)))}",
        "triggers:",
        f"  - {scalar(words)}",
        *([f"  - {scalar(f'{words} on {plan.host}')}"] if plan.host != "*" else []),
        *(["args:"] if plan.given else []),
        *(line for given in plan.given for line in _arg(given)),
        "trusted: false",
        "version: 1.0.0",
        "source: agent",
    ]
    return "\n".join(["---", *head, "---", "", *_body(plan, steps)])


def described(plan: ScriptPlan, count: int) -> str:
    """Describe in one line what the skill does, in our own words."""
    many = counted(count, "step") + (f" on {plan.host}" if plan.host != "*" else "")
    if not plan.readings:
        return f"{many}; gives address and title of the page at the end."
    commands = dict.fromkeys(it.step.command for it in plan.readings)
    return f"{many}; gives what they read ({', '.join(commands)})."


def _arg(given: Given) -> list[str]:
    lines = [f"  - name: {given.name}", f"    description: {scalar(given.about)}"]
    if given.default is None:
        return [*lines, "    required: true"]
    if len(given.default) <= MAX_DEFAULT_CHARS and is_plain(given.default):
        lines.append(f"    default: {scalar(given.default)}")
    return lines


def _body(plan: ScriptPlan, steps: Sequence[Step]) -> list[str]:
    lines = [f"# {plan.name}", "", "Recorded by browse from what was done by hand:", ""]
    keys = {it.step.number: it for it in plan.readings}
    for at, step in enumerate(steps, 1):
        it = keys.get(step.number)
        how = "" if not it else f" → `{it.key}`, " + ("by its parser" if it.parsed else "live")
        lines.append(f"{at}. `{step.command}`{how}")
    shape = ", ".join(f'"{it.key}": {_shape(it.sample)}' for it in plan.readings)
    lines += ["", "Prints one JSON document:", ""]
    lines += [f"    {{{shape}}}" if plan.readings else '    {"url": "…", "title": "…"}', ""]
    lines += [
        "`flow.json` holds the steps with their elements, for `browse skill check`. Change",
        "`script.py` as you like; `browse skill test` and `browse skill check` tell if it holds.",
        "",
    ]
    return lines


def _shape(sample: object) -> str:
    return "[{…}]" if isinstance(sample, list) else "{…}" if isinstance(sample, dict) else '"…"'
