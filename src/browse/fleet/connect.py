"""How the processes of a fleet reach its head: over TLS, with limits, and with clear errors."""

import asyncio
import logging
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import dask
from distributed import Client
from distributed.core import rpc

import browse
from browse.core.errors import BrowseError, Usage
from browse.fleet import keys, place
from browse.fleet.extra import fault

CONNECT_S = 10
# A browser is no memory of Dask's: results are short, and go to who asked for them.
CONFIG = {
    "distributed.comm.timeouts.connect": f"{CONNECT_S}s",
    "distributed.comm.require-encryption": True,
    # It looks at itself up to fifty times a second, also when it has nothing to do.
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.http.routes": [],
    "distributed.scheduler.worker-ttl": "60s",
}


def address(raw: str) -> str:
    """Check the address of a head."""
    if raw.startswith("tcp://"):
        raise Usage("a fleet speaks TLS only", hint=f"browse fleet join tls://{raw[6:]}")
    if not re.fullmatch(r"tls://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):[0-9]{1,5}", raw):
        raise Usage(f"{raw[:60]!r} is not the address of a head", hint="tls://head.example:8786")
    return raw


@asynccontextmanager
async def client() -> AsyncIterator[Any]:
    """Connect to the head of this machine, as who sends it work."""
    logging.disable()  # a command says itself what is wrong
    at = place.folder()
    head = place.living(at)
    security = keys.security(keys.own(at))
    with dask.config.set(CONFIG):
        try:
            async with Client(
                head.address, security=security, asynchronous=True, set_as_default=False
            ) as made:
                yield made
        except BrokenPipeError:  # of our stdout: `browse fleet map … | head`
            raise
        except OSError as exc:
            raise unreachable(head.address, exc) from exc


async def greet(at: str, file: Path, name: str) -> None:
    """Raise if a head cannot be reached, has another version or a worker of this name."""
    arguments = keys.security(file).get_connection_args("worker")
    head = rpc(at, connection_args=arguments)
    try:
        said = await head.browse_hello(name=name) or {}
    except OSError as exc:
        raise unreachable(at, exc) from exc
    finally:
        await head.close_rpc()
    theirs = said.get("version", "")
    if theirs != browse.__version__:
        raise fault(
            f"The head at {at} has browse {theirs or 'not at all'}, here is {browse.__version__}.",
            "install the same version on all machines",
        )
    if said["taken"]:
        raise fault(
            f"The fleet has a worker named {name} already.",
            f"name this one: browse fleet join {at} --name m4",
        )


def unreachable(at: str, exc: Exception) -> BrowseError:
    """Build the error for a head that does not answer, or not to us."""
    why = str(exc.__cause__ or exc)
    if "expired" in why.lower() or "not yet valid" in why:
        return fault(
            f"The head at {at} and this machine do not agree that keys are valid: {why[:200]}",
            "compare their clocks (date); if keys have ended: browse fleet keys --renew",
        )
    if "ssl" in why.lower() or "certificate" in why.lower():
        return fault(
            f"The head at {at} does not take our keys: {why[:200]}",
            "keys are those of one head: type `browse fleet keys <name>` there, and copy the file",
        )
    return fault(f"The head at {at} does not answer: {why[:200]}", "is it up? browse fleet status")


def on_end(end: Callable[[], object]) -> None:
    """Call this at SIGTERM or SIGINT, once."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end)
