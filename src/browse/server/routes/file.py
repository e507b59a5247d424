"""GET /file: the files that a caller's commands wrote, such as screenshots."""

import asyncio
import os
from typing import BinaryIO

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.core.errors import BrowseError, Code
from browse.guard.files import Roots, check_read
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services
from browse.server.sources import Sources

MAX_BYTES = 200 * 1024 * 1024


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint that serves files."""

    async def file(request: Request, caller: Caller) -> reply.Reply:
        """Fetch a file: `?path=<path>`, at most 200 MB.

        An agent gets only what is in its own folder, where the output of its commands is; the owner
        gets everything below the temporary folder but the files of browse itself.
        """
        path = request.query_params.get("path", "")
        roots = services.running.runner.parts.files.fetchable(caller)
        opened = await asyncio.to_thread(_opened, path, roots)
        size = os.fstat(opened.fileno()).st_size
        if size > MAX_BYTES:
            opened.close()
            raise BrowseError(
                Code.TOO_LARGE, "The file is larger than 200 MB.", hint="write a smaller one"
            )
        return reply.file(opened, path, size)

    return Endpoint("GET", "/file", EndpointAccess.BEARER, file, Sources.EXTENSION)


def _opened(path: str, roots: Roots) -> BinaryIO:
    """Open a file below the folders; all other paths are refused alike."""
    try:
        return check_read(path, cwd="/", roots=roots).open()
    except BrowseError as exc:
        raise BrowseError(
            Code.PATH_REFUSED,
            "There is no such file for you.",
            hint="give a path from the reply of one of your own commands",
        ) from exc
