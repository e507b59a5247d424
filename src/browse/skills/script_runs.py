"""Scripts that callers send (`browse run`): how one starts, and which one a caller ran last."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec

import browse
from browse.core.errors import BrowseError, Code
from browse.skills import environment, runtimes, sandbox
from browse.skills.process import Ended, Plan
from browse.skills.sandbox import Bounds, Means
from browse.skills.script_launcher import ScriptLauncher

SCRIPT = "script.py"
MAX_MEMORY_BYTES = 1 << 30
# Of one caller at a time, and of how many callers the last script is remembered.
MAX_AT_ONCE = 4
MAX_KEPT = 50
_CODES = frozenset(Code)
_PACKAGE = Path(browse.__file__).parent
_RUN = "import sys; sys.path.append(sys.argv.pop(1)); from sdk.run_script import main; main()"


class LastScript(msgspec.Struct, frozen=True):
    """A script that ran to its end without an error, and the arguments that it had."""

    source: str
    args: Mapping[str, str]
    host: str


class ScriptError(msgspec.Struct, frozen=True):
    """What went wrong in a script, and at which of its lines: in words of the script's own."""

    line: int | None
    text: str
    what: str
    code: str = ""
    hint: str = ""
    detail: str = ""

    @property
    def cause(self) -> str:
        """The code of the command that failed; any other word would be the script's, not ours."""
        return self.code if self.code in _CODES else ""

    @property
    def page(self) -> str:
        """The line and the reason: words of the script, and perhaps of a page."""
        at = f"line {self.line}: {self.text}" if self.line else ""
        hint = f"({self.hint})" if self.hint else ""
        return "\n".join(filter(None, [at, self.what, self.detail, hint]))


class ScriptTold(msgspec.Struct, frozen=True):
    """What a script told at its end."""

    result: Any = None
    exit: Annotated[int, msgspec.Meta(ge=0, le=255)] = 0
    error: ScriptError | None = None


class ScriptRuns:
    """The scripts that run now, and the last one of each caller."""

    def __init__(self) -> None:
        self._running: Counter[str] = Counter()
        self._last: dict[str, LastScript] = {}

    @contextmanager
    def one_more(self, holder: str) -> Iterator[None]:
        """Count a script while it runs; raise if its caller has too many already."""
        if self._running[holder] >= MAX_AT_ONCE:
            raise BrowseError(
                Code.RATE_LIMITED,
                f"{MAX_AT_ONCE} scripts of yours run already.",
                hint="wait until one has ended",
            )
        self._running[holder] += 1
        try:
            yield
        finally:
            self._running[holder] -= 1

    def keep(self, holder: str, script: LastScript) -> None:
        """Remember the last script of a caller."""
        self._last.pop(holder, None)
        self._last[holder] = script
        for oldest in list(self._last)[:-MAX_KEPT]:
            del self._last[oldest]

    def last(self, holder: str) -> LastScript:
        """Return the last script that a caller ran; raise if there is none."""
        if holder not in self._last:
            raise BrowseError(
                Code.SKILL_UNKNOWN,
                "You have run no script without an error since the daemon started.",
                hint="run one first: browse run script.py",
            )
        return self._last[holder]


def plan(scratch: Path, words: Sequence[str], given: Mapping[str, str], port: int) -> Plan:
    """Say how to start the script in a folder: confined, with limits, and with these variables."""
    means = sandbox.available()
    script, sdk = str(scratch / SCRIPT), str(_PACKAGE / "sdk")
    bounds = Bounds(scratch, scratch, port, (sdk,))
    # Under Landlock, the launcher itself becomes the script.
    whole = [sandbox.python(), *runtimes.FLAGS, "-c", _RUN, str(_PACKAGE)]
    start = [] if means.means is Means.LANDLOCK else whole
    environ = environment.of_script(environment.of_daemon(), given, scratch=scratch)
    environ["MALLOC_ARENA_MAX"] = "1"  # glibc would reserve 64 MiB of its memory for each thread
    limits = ["--forks", "no", "--memory", str(MAX_MEMORY_BYTES)]
    return Plan(
        [*limits, *sandbox.arguments(means, bounds)],
        sandbox.wrapped(means, bounds, [*start, script, *words]),
        scratch,
        environ,
        supervisor=ScriptLauncher,
    )


def told(ended: Ended) -> ScriptTold | None:
    """Read what a script told at its end; None if it did not come to that."""
    try:
        return msgspec.convert(json.loads(ended.output), ScriptTold)
    except (ValueError, RecursionError, msgspec.ValidationError):
        return None
