"""The head: Dask's scheduler, and what a fleet asks of it beyond placing tasks.

It runs nothing itself. A task whose worker is lost is never run again by Dask: the one who sent it
decides that. And it gives out claims, so that what changes something runs at most once.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask
import msgspec
from distributed import Scheduler

import browse
from browse.core.tasks import spawn
from browse.fleet import keys
from browse.fleet.connect import CONFIG, on_end
from browse.fleet.extra import fault

LOOPBACK = "127.0.0.1"


class HeadOptions(msgspec.Struct, frozen=True):
    """Where the head listens, and the file with its keys."""

    host: str
    port: int
    keys: str
    dashboard: bool = False


class Desk:
    """Answers what workers and commands ask of the head."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._claimed: set[str] = set()
        scheduler.handlers |= {
            "browse_hello": self.hello,
            "browse_claim": self.claim,
            "browse_workers": self.workers,
            "browse_down": self.down,
        }

    async def hello(self, name: str) -> dict[str, Any]:
        """Say who we are, so that what cannot join is refused before it starts a browser."""
        taken = any(str(each.name) == name for each in self._scheduler.workers.values())
        return {"version": browse.__version__, "taken": taken}

    async def claim(self, key: str) -> bool:
        """Tell whether this may run now: only for the first who asks."""
        first = key not in self._claimed
        self._claimed.add(key)
        return first

    async def workers(self) -> list[dict[str, Any]]:
        """List the workers, for `status` and for how many pages to send at once."""
        return [
            {
                "name": str(each.name),
                "address": each.address,
                "host": each.host,
                "tabs": each.nthreads,
                "busy": len(each.processing),
                "memory": int(each.metrics.get("memory", 0)),
                "state": each.status.name,
            }
            for each in self._scheduler.workers.values()
        ]

    async def down(self) -> None:
        """End all workers, each with its daemon, then the head."""
        await self._scheduler.broadcast(msg={"op": "browse_leave"}, on_error="ignore")
        spawn(self._scheduler.close(), name="end the head")


async def serve(options: HeadOptions, ready: Callable[..., None]) -> None:
    """Be the head until it is told to end."""
    # Dask's own pages have no log-in, so nobody but this machine may see them.
    routes = dask.config.get("distributed.scheduler.http.routes") if options.dashboard else []
    with dask.config.set({**CONFIG, "distributed.scheduler.http.routes": routes}):
        scheduler = Scheduler(
            host=options.host,
            port=options.port,
            protocol="tls",
            security=keys.security(Path(options.keys)),
            allowed_failures=0,
            dashboard=options.dashboard,
            dashboard_address=f"{LOOPBACK}:0",
        )
        Desk(scheduler)
        try:
            await scheduler
        except (OSError, RuntimeError) as exc:
            raise fault(
                f"The head cannot listen on {options.host}:{options.port}: {exc.__cause__ or exc}.",
                "name another port: browse fleet up --port 8787",
            ) from exc
        on_end(lambda: spawn(scheduler.close(), name="end the head"))
        port = scheduler.identity()["services"]["dashboard"]
        ready(
            address=scheduler.address,
            dashboard=f"http://{LOOPBACK}:{port}/status" if options.dashboard else "",
        )
        await scheduler.finished()
