"""The commands, one module per group of the help. Importing this package declares them all."""

from browse.commands import (
    inspection,
    interaction,
    meta,
    navigation,
    reading,
    server,
    snapshot,
    tabs,
    waiting,
)
from browse.setup import commands as setup

__all__ = [
    "inspection",
    "interaction",
    "meta",
    "navigation",
    "reading",
    "server",
    "setup",
    "snapshot",
    "tabs",
    "waiting",
]
