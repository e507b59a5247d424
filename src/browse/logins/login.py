"""A login: where it belongs, and where its secrets come from."""

import re
from typing import Literal

import msgspec

from browse.core.errors import Usage
from browse.guard import hosts
from browse.registry.params import Surroundings

Source = Literal["vault", "op", "bw", "pass", "command"]
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
_LOOPBACK = re.compile(r"localhost|(?:.+\.)?localhost|127(?:\.[0-9]{1,3}){3}|::1")


class Login(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a login. `item` and `words` say what to ask another vault for."""

    origin: str
    source: Source
    user: str = ""
    password: str = ""
    seed: str = ""
    item: str = ""
    words: tuple[str, ...] = ()


class Credentials(msgspec.Struct, frozen=True):
    """What is typed; "" for what a login does not have."""

    user: str = ""
    password: str = ""
    code: str = ""

    def __repr__(self) -> str:  # in no traceback
        return "Credentials(…)"


def checked_name(raw: str, _: Surroundings) -> str:
    """Parse the name of a login: only characters that are safe in file names."""
    if not _NAME.fullmatch(raw):
        raise Usage(
            f"{raw[:40]!r} is not a name for a login",
            hint="use up to 64 letters, digits, _, - and dots, such as shop or mail.work",
        )
    return raw


def checked_origin(raw: str, _: Surroundings) -> str:
    """Parse an origin, spelled as browsers spell it: `https://shop.example`, with a port or none.

    An address is taken for its origin. Plain http is for this machine only.
    """
    scheme, _sep, rest = hosts.cleaned(raw).partition("://")
    scheme = scheme.lower()
    try:
        if not _sep or scheme not in ("http", "https"):
            raise ValueError(scheme)
        place = hosts.authority(rest)
        if not place.host or place.login:
            raise ValueError(place.host)
    except ValueError:
        raise Usage(
            f"{raw[:80]!r} is not the address of a site", hint="give it as https://shop.example"
        ) from None
    if scheme == "http" and not _LOOPBACK.fullmatch(place.host):
        raise Usage(
            "a password would go over the network readable to all: this address has no https",
            hint=f"give it as https://{place.host}",
        )
    host = f"[{place.host}]" if ":" in place.host else place.host
    port = "" if place.port in ("", hosts.PORTS[scheme]) else f":{place.port}"
    return f"{scheme}://{host}{port}"
