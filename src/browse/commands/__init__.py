"""The commands, one folder or module per group of the help. Importing this declares them all."""

import pkgutil
from importlib import import_module

from browse.setup import commands as setup

__all__ = ["setup"]

for _module in pkgutil.walk_packages(__path__, f"{__name__}."):
    import_module(_module.name)
