"""GET /file: the files that a caller's commands wrote, such as screenshots."""

import asyncio
import stat
from pathlib import Path

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.core.errors import BrowseError, Code
from browse.core.paths import temp_folder
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services

MAX_BYTES = 200 * 1024 * 1024


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint that serves files."""

    async def file(request: Request, caller: Caller) -> reply.Reply:
        """Fetch a file: `?path=<path>`, below the temporary folder, at most 200 MB.

        An agent gets only what its own commands wrote; the owner gets everything there.
        """
        real, size = await asyncio.to_thread(_real, request.query_params.get("path", ""))
        mine = caller.is_owner or services.running.runner.outputs.has(caller.name, real)
        if not real or not mine:
            raise BrowseError(
                Code.PATH_REFUSED,
                "There is no such file for you.",
                hint="give a path from the reply of one of your own commands",
            )
        if size > MAX_BYTES:
            raise BrowseError(
                Code.TOO_LARGE, "The file is larger than 200 MB.", hint="write a smaller one"
            )
        return reply.file(real)

    return Endpoint("GET", "/file", EndpointAccess.BEARER, file)


def _real(typed: str) -> tuple[str, int]:
    """Return the real path of a regular file below the temporary folder, and its size."""
    try:
        path = Path(typed).resolve(strict=True)
        about = path.stat()
    except (OSError, ValueError, RuntimeError):
        return "", 0
    inside = path.is_relative_to(temp_folder().resolve()) and stat.S_ISREG(about.st_mode)
    return (str(path), about.st_size) if inside else ("", 0)
