"""The running commands: counted, timed for the idle clock, and ended at shutdown."""

import asyncio
import time

from browse.browser.process.browser_errors import stopping
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.dispatch.call import Call
from browse.dispatch.runner import Runner, Sink
from browse.egress.pipeline import Wants, render_error


class Running:
    """Starts commands as tasks, which are cancelled when their caller or the daemon goes."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self._tasks: dict[asyncio.Task[BrowseError | None], Call] = {}
        self._cut_off: dict[asyncio.Task[BrowseError | None], BrowseError] = {}
        self._last_end = time.monotonic()
        self._stopping = False

    def admit(self) -> None:
        """Raise if the daemon is stopping, before any part of a command has run.

        The client then waits for the end, and sends the same words to the next daemon.
        """
        self.runner.check_alive()
        if self.runner.ending:
            raise stopping()

    def start(self, call: Call, sink: Sink) -> asyncio.Task[BrowseError | None]:
        """Run a call; the task ends with the command's error, or None."""
        task = spawn(self._run(call, sink), name=f"command {call.words[:1]}")
        self._tasks[task] = call
        task.add_done_callback(self._ended)
        return task

    async def _run(self, call: Call, sink: Sink) -> BrowseError | None:
        if not self._stopping:
            try:
                return await self.runner.run(call, sink)
            except asyncio.CancelledError:
                if not self._stopping and asyncio.current_task() not in self._cut_off:
                    raise
        error = self._why() or self.runner.ending_error()
        await sink.err(render_error(error, Wants(json="--json" in call.words)))
        return error

    def _why(self) -> BrowseError | None:
        return next(
            (why for task, why in self._cut_off.items() if task is asyncio.current_task()), None
        )

    def cut_off(self, client: str, why: BrowseError) -> None:
        """Cancel the commands of a client; each replies with the error."""
        for task, call in list(self._tasks.items()):
            if call.caller.name == client:
                self._cut_off[task] = why
                task.cancel()

    async def tab_of(self, call: Call) -> int:
        """Return the tab that a call will act on, to keep the calls of one tab in order."""
        return await self.runner.tab_of(call)

    def _ended(self, task: asyncio.Task[BrowseError | None]) -> None:
        self._tasks.pop(task, None)
        self._cut_off.pop(task, None)
        self._last_end = time.monotonic()

    def idle_s(self) -> float:
        """Return for how long nothing has run; 0 while something runs."""
        return 0.0 if self._tasks else time.monotonic() - self._last_end

    async def stop(self, grace_s: float) -> None:
        """Cancel every command; each replies with the reason."""
        self._stopping = True
        await asyncio.sleep(0)  # a task that never started could not reply
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=grace_s)


def revoked() -> BrowseError:
    """Build the error for a command whose caller's token was revoked."""
    return BrowseError(
        Code.REVOKED,
        "Your token was revoked while the command ran; the command was ended.",
        hint="ask the owner to pair you again",
    )
