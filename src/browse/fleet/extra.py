"""Whether Dask is installed: the extra `fleet`, without which every other command works."""

from importlib.util import find_spec

from browse.core.errors import BrowseError, Code

INSTALL = "pip install 'gstack-browse[fleet]'"


def require() -> None:
    """Raise if Dask is missing, with the command that installs it."""
    if find_spec("distributed") is None:
        raise BrowseError(
            Code.FLEET,
            "There is no fleet: Dask distributed is not installed.",
            hint=f"type `{INSTALL}` in the environment of browse",
        )


def fault(message: str, hint: str) -> BrowseError:
    """Build the error for a fleet that is not there, or that cannot be used."""
    return BrowseError(Code.FLEET, message, hint=hint)
