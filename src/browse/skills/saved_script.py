"""Write the files of a skill from a script that ran: `skill save`."""

from pathlib import Path

from browse.core.errors import Usage
from browse.guard.secrets import scrubbed
from browse.skills import template
from browse.skills.frontmatter import is_argument
from browse.skills.recording.spelling import is_plain, scalar
from browse.skills.script_runs import LastScript

TASK = "task.py"
MAX_DEFAULT_CHARS = 500
_TEST = Path(__file__).parent / "saved" / "test_script.py.txt"


def files_of(name: str, script: LastScript) -> dict[str, bytes]:
    """Write the files: the script as it was, what runs it, a first test, and the SDK."""
    if wrong := next((key for key in script.args if not is_argument(key)), None):
        raise Usage(
            f"the script was run with --arg {wrong[:60]!r}, and a skill's argument is one word",
            hint="run it again with another name: --arg first-name=tea",
        )
    sdk = template.SDK.parent
    files = {library: (sdk / Path(library).name).read_bytes() for library in template.LIBRARIES}
    runner = (
        f'"""Runs {TASK}: a script that `browse run` ran first."""\n\n'
        "from _lib.run_script import run_file\n\n"
        'if __name__ == "__main__":\n'
        f'    run_file("{TASK}")\n'
    )
    texts = {
        "SKILL.md": _manifest(name, script),
        "script.py": runner,
        TASK: script.source,
        "test_script.py": _TEST.read_text("utf-8"),
    }
    return {**files, **{path: text.encode() for path, text in texts.items()}}


def _is_default(value: str) -> bool:
    return len(value) <= MAX_DEFAULT_CHARS and is_plain(value) and scrubbed(value) == value


def _manifest(name: str, script: LastScript) -> str:
    words = name.replace("-", " ")
    head = [
        f"name: {name}",
        f"host: {scalar(script.host or '*')}",
        f"description: {scalar(f'Runs the script {words}.')}",
        "triggers:",
        f"  - {scalar(words)}",
    ]
    for number, (key, value) in enumerate(script.args.items()):
        head += [] if number else ["args:"]
        how = f"default: {scalar(value)}" if _is_default(value) else "required: true"
        head += [f"  - name: {scalar(key)}", f"    {how}"]
    head += ["trusted: false", "version: 1.0.0", "source: agent"]
    body = [f"# {name}", "", f"`{TASK}` is the script as it was run; change it as you like.", ""]
    return "\n".join(["---", *head, "---", "", *body])
