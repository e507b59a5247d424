"""Usage counts, for people who opt in: written to a file of their own, sent nowhere.

Off unless `config.yaml` has `telemetry: community` or `anonymous`. Event names, host names,
numbers and our own words; never what a person typed or a page wrote. It cannot fail or delay a
command.
"""

import re
from collections.abc import Mapping
from contextlib import suppress

import msgspec

from browse.core import config_file
from browse.core.clock import stamp
from browse.core.errors import BrowseError
from browse.core.files import private_folder
from browse.core.log_file import LogFile
from browse.core.paths import Paths
from browse.core.settings import Settings

TIERS = ("community", "anonymous")
MAX_WAITING = 1000
# Matches names of ours and of hosts, but no sentence and no path.
_WORD = re.compile(r"[A-Za-z0-9_.:-]{1,100}")

Value = str | int | float | bool


class Telemetry:
    """The file of events. Consent is read for each batch, so that revoking it works at once."""

    def __init__(self, settings: Settings, paths: Paths) -> None:
        self._off = settings.telemetry_off
        self._paths = paths
        self._file = LogFile(paths.telemetry, wanted=self._is_wanted)

    def add(self, event: str, **values: Value) -> None:
        """Add an event; values that are neither a number nor a plain word are dropped."""
        if not self._off and self._file.waiting < MAX_WAITING:
            self._file.add(_line(event, values))

    async def close(self) -> None:
        """Write the events that are still buffered."""
        await self._file.close()

    def _is_wanted(self) -> bool:
        with suppress(config_file.Unreadable, BrowseError):  # then nobody has agreed to anything
            if config_file.last_value(self._paths.config_yaml, "telemetry") in TIERS:
                private_folder(self._paths.telemetry.parent)
                return True
        return False


def _line(event: str, values: Mapping[str, Value]) -> str:
    kept = {
        name: value
        for name, value in values.items()
        if not isinstance(value, str) or _WORD.fullmatch(value)
    }
    return msgspec.json.encode({"ts": stamp(), "event": event, **kept}).decode()
