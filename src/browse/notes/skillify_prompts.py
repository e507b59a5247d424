"""A nudge to keep repeated work as a skill. Off unless config.yaml says so.

Commands are counted per host. After every tenth one, while no skill is for that host, one line says
so; once per host and daemon.
"""

import asyncio
import logging
from pathlib import Path

from browse.core import config_file
from browse.notes.suggestion import Suggest

log = logging.getLogger(__name__)
KNOB = "browser_skillify_prompts"
ON = ("on", "true", "yes", "1")
COMMANDS = 10
MAX_HOSTS = 1_000


class SkillifyPrompts:
    """Counts commands per host, and says when a skill would be worth it."""

    def __init__(self, config: Path, programs: Suggest = lambda _: []) -> None:
        self._config = config
        self._programs = programs
        self._counts: dict[str, int] = {}
        self._told: set[str] = set()

    async def count(self, host: str) -> str:
        """Count a command on a host; return the nudge, if it is time for it, else ""."""
        if not host or host in self._told or len(self._counts) >= MAX_HOSTS:
            return ""
        count = self._counts[host] = self._counts.get(host, 0) + 1
        if count % COMMANDS or not await asyncio.to_thread(self._is_due, host):
            return ""
        self._told.add(host)
        return (
            f"{count} commands on {host}, and no skill for it yet. To keep such work as a script: "
            "/skillify, or browse skill record <name>"
        )

    def _is_due(self, host: str) -> bool:
        try:
            value = config_file.last_value(self._config, KNOB)
        except config_file.Unreadable as exc:
            log.warning("%s", exc)
            return False
        return (value or "").strip().lower() in ON and not self._programs(host)
