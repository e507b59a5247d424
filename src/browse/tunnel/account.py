"""The ngrok account to use: its token and domain, from where people keep them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from browse.core.config_file import Unreadable, read_text
from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings

_IN_YAML = re.compile(r"[ \t]*authtoken:[ \t]*[\"']?([\w-]+)[\"']?[ \t]*(?:#.*)?")


@dataclass(frozen=True, slots=True)
class Account:
    """A token, and the domain to use if the account has one."""

    token: str = field(repr=False)
    domain: str

    @classmethod
    def find(cls, settings: Settings, paths: Paths) -> "Account":
        """Look in the environment, then in `ngrok.env`, then in ngrok's own files. Reads files."""
        kept = _env_file(paths.ngrok_env)
        places = (settings.ngrok_authtoken, kept.get("NGROK_AUTHTOKEN", ""))
        token = next(filter(None, (*places, *_in_yaml(paths))), "")
        if not token:
            raise BrowseError(
                Code.TUNNEL,
                "There is no tunnel: no token of an ngrok account was found.",
                hint=f"put NGROK_AUTHTOKEN=<token> into {paths.ngrok_env}, or use another program: "
                "BROWSE_TUNNEL_COMMAND='cloudflared tunnel --url http://127.0.0.1:{port}'",
            )
        return cls(token.strip(), settings.ngrok_domain or kept.get("NGROK_DOMAIN", ""))


def _env_file(path: Path) -> dict[str, str]:
    pairs = (line.removeprefix("export ").partition("=") for line in _lines(path))
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}


def _in_yaml(paths: Paths) -> Iterator[str]:
    for path in paths.ngrok_configs:
        for line in _lines(path):
            if found := _IN_YAML.fullmatch(line):
                yield found[1]


def _lines(path: Path) -> list[str]:
    try:
        return read_text(path).splitlines()
    except Unreadable as exc:
        raise BrowseError(
            Code.TUNNEL,
            f"There is no tunnel: {exc}.",
            hint=f"fix or remove {path}, or set NGROK_AUTHTOKEN",
        ) from exc
