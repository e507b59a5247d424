"""What is done with each page, and whether it may be done twice."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

import msgspec

from browse.commands._modules import MODULES
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.guard.files import Roots
from browse.registry import chain_script
from browse.registry.bind import Bound, bind
from browse.registry.params import Surroundings
from browse.registry.spec import ChangedTabs
from browse.registry.table_on_use import TableOnUse

PLACE = "{url}"
NO_FILES: Mapping[str, str] = MappingProxyType({})
_ANY_URL = "https://example.com/"
READING = Scope.READ | Scope.META
# It names a file of whoever starts the run, which is sent along.
SCRIPT = "run"
# What runs other commands hides what these do.
NESTED = ("chain", "fleet", "batch")


class Job(msgspec.Struct, frozen=True):
    """The commands for each page; `{url}` in a word is its address.

    `goes`: the page is opened first, because no word has its address. `repeatable`: all that they
    do is reading, so they may run again elsewhere.
    """

    steps: tuple[tuple[str, ...], ...]
    goes: bool
    repeatable: bool
    session: str = ""
    timeout_s: float = 60.0
    scripts: dict[str, str] = {}

    def script(self, url: str, files: Mapping[str, str] = NO_FILES) -> list[list[str]]:
        """Return the commands for one page, as `chain` takes them, with where its scripts are."""
        first = [["goto", url]] if self.goes else []
        words = ([files.get(it) or it.replace(PLACE, url) for it in step] for step in self.steps)
        return [*first, *words]


def parse(do: str, *, session: str = "", timeout_s: float = 60.0) -> Job:
    """Check the commands as the daemon would, before any page is sent anywhere."""
    if not do.strip():
        raise Usage(
            "map: --do is missing: what is done with each page", hint="such as --do 'text --main'"
        )
    steps = chain_script.parse(do)
    table = TableOnUse(MODULES)
    bound = [_bound(table, step) for step in steps]
    scripts: dict[str, str] = {}
    taken = tuple(_taken(step, each, scripts) for step, each in zip(steps, bound, strict=True))
    return Job(
        taken,
        goes=not any(PLACE in word for step in steps for word in step),
        repeatable=all(map(_only_reads, bound)),
        session=session,
        timeout_s=timeout_s,
        scripts=scripts,
    )


def _taken(step: tuple[str, ...], bound: Bound, scripts: dict[str, str]) -> tuple[str, ...]:
    """Take the script of a step along, under a name of its own: a worker may have another."""
    if bound.spec.command != SCRIPT:
        return step
    file = str(bound.values["file"])
    try:
        text = Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        why = getattr(exc, "strerror", None) or exc.args[-1]
        hint = "name a script here: --do 'run prices.py --arg url={url}'"
        raise Usage(f"map: the script {file[:300]} cannot be read: {why}", hint=hint) from exc
    name = f"script-{sha256(text.encode()).hexdigest()[:16]}.py"
    scripts[name] = text
    at = step.index(file, 1)
    return (*step[:at], name, *step[at + 1 :])


def _bound(table: TableOnUse, step: Sequence[str]) -> Bound:
    words = [word.replace(PLACE, _ANY_URL) for word in step]
    spec, rest = table.split(words)
    if spec.command in NESTED or spec.runs_here:
        raise Usage(
            f"map: {spec.command} cannot be done with a page",
            hint="name commands of the page, with bars between: --do 'text | links'",
        )
    # Files are on the worker, so only it can check them.
    return bind(spec, rest, Surroundings("/", Roots(()), remote=True))


def _only_reads(bound: Bound) -> bool:
    if bound.mutates or bound.spec.acts or bound.local_only:
        return False
    if bound.spec.navigates or not bound.scopes & ~READING:
        return True
    # Such as `wait`, which is declared to change nothing.
    declared_so = bound.spec.changes is not None and bound.changes is ChangedTabs.NONE
    return declared_so and not bound.scopes & ~(READING | Scope.WRITE)
