"""The commands, one folder or module per group of the help.

Importing this declares none of them: each module is imported when one of its commands is first
used (`registry/table_on_use.py`), and all of them when somebody asks for the list.
"""

import pkgutil
from importlib import import_module

from browse.registry.spec import declare_later


def _declare_all() -> None:
    import_module("browse.setup.commands")
    import_module("browse.fleet.commands")
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        import_module(module.name)


declare_later(_declare_all)
