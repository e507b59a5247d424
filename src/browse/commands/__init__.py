"""The commands, one module per group of the help. Importing this package declares them all."""

import pkgutil
from importlib import import_module

from browse.setup import commands as setup

__all__ = ["setup"]

for _module in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
