"""Finding out who is asking, from the bearer token."""

from starlette.datastructures import Headers

from browse.auth.caller import ROOT, Caller, bearer, same_secret
from browse.core.errors import BrowseError, Code


class Identify:
    """Knows the tokens of this daemon."""

    def __init__(self, root_token: str) -> None:
        self._root_token = root_token

    def caller(self, headers: Headers) -> Caller:
        """Name the caller, or refuse."""
        token = bearer(headers.get("authorization", ""))
        if token and same_secret(token, self._root_token):
            return ROOT
        raise BrowseError(
            Code.UNAUTHENTICATED,
            "No valid token was sent.",
            hint="send 'Authorization: Bearer <token>' with the token from .gstack/browse.json",
        )
