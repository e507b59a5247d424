"""A tunnel by any program that forwards a port: ssh, cloudflared, tailscale, or your own."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from browse.core.children import described
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.guard.secrets import MASK, looks_secret, names_a_secret, scrubbed
from browse.tunnel.address import AddressFinder
from browse.tunnel.program import TunnelProgram
from browse.tunnel.provider import OPEN_S

log = logging.getLogger(__name__)
# If a program that prints no address fails, it does so within this time.
SETTLE_S = 2.0
MIN_SECRET_CHARS = 4
BY_HAND = "run BROWSE_TUNNEL_COMMAND by hand to see more; it must stay in the foreground"

Announced = str | BrowseError  # the address in a line, or why it is not valid


class CommandTunnel:
    """Opens tunnels by starting a program and waiting for the address that it prints."""

    name = "command"

    def __init__(
        self,
        words: Sequence[str],
        finder: AddressFinder,
        *,
        open_s: float = OPEN_S,
        settle_s: float = SETTLE_S,
    ) -> None:
        self._words = words
        self._finder = finder
        self._limit_s = open_s if finder.needs_a_line else settle_s

    async def open(self, port: int) -> "CommandOpened":
        argv = [word.replace("{port}", str(port)) for word in self._words]
        program = PurePath(argv[0]).name[:40]
        found: asyncio.Future[Announced] = asyncio.get_running_loop().create_future()
        running = await TunnelProgram.start(argv, lambda line: self._has_announced(line, found))
        try:
            url = await self._address(program, running, found)
        except BaseException:
            await asyncio.shield(spawn(running.end(), name="end the tunnel's program"))
            raise
        log.info("a tunnel is open, by %s", program)
        return CommandOpened(url, program, running)

    def _has_announced(self, line: str, found: asyncio.Future[Announced]) -> bool:
        if not self._finder.needs_a_line:
            return True
        try:
            announced: Announced | None = self._finder.look(line)
        except BrowseError as exc:
            announced = exc
        if announced and not found.done():
            found.set_result(announced)
        return found.done()

    async def _address(
        self, program: str, running: TunnelProgram, found: asyncio.Future[Announced]
    ) -> str:
        news: set[asyncio.Future[Any]] = {found, running.ended}
        await asyncio.wait(news, timeout=self._limit_s, return_when=asyncio.FIRST_COMPLETED)
        if running.ended.done():
            how = described(running.ended.result())
            raise self._no_tunnel(f"{program} {how}", BY_HAND, running)
        if found.done():
            announced = found.result()
            if isinstance(announced, BrowseError):
                raise announced
            return announced
        if not self._finder.needs_a_line:
            return self._finder.fixed
        raise self._no_tunnel(
            f"{program} printed no line with an address within {self._limit_s:g} s",
            "set BROWSE_TUNNEL_URL_PATTERN to what its line looks like, or BROWSE_TUNNEL_URL",
            running,
        )

    def _no_tunnel(self, what: str, hint: str, running: TunnelProgram) -> BrowseError:
        said = "\n".join(running.last)
        for secret in _secrets(self._words):
            said = said.replace(secret, MASK)
        message = f"There is no tunnel: {what}."
        return BrowseError(Code.TUNNEL, message, hint=hint, page=scrubbed(said)[-2000:])


class CommandOpened:
    """A tunnel that lasts as long as its program."""

    def __init__(self, url: str, program: str, running: TunnelProgram) -> None:
        self.url = url
        self._program = program
        self._running = running
        self._closing = False

    async def wait_closed(self) -> str:
        how = await asyncio.shield(self._running.ended)
        return "it was closed" if self._closing else f"{self._program} {described(how)}"

    async def close(self) -> None:
        self._closing = True
        await self._running.end()


def _secrets(words: Sequence[str]) -> list[str]:
    """List the words of a command line that a message must not repeat."""
    found = []
    for before, word in zip(("", *words), words, strict=False):
        name, _, value = word.partition("=")
        if before.startswith("-") and names_a_secret(before.lstrip("-")):
            found.append(word)
        elif names_a_secret(name.lstrip("-")) or looks_secret(value):
            found.append(value)
        elif looks_secret(word):
            found.append(word)
    return [secret for secret in found if len(secret) >= MIN_SECRET_CHARS]
