"""Run the daemon with some of its module constants changed.

In place of `python -I -m browse.daemon`:
`python -I drive_daemon.py '{"browser.process.launch.LAUNCH_MS": 500}'`
"""

import importlib
import json
import os
import sys

sys.path.insert(0, os.path.abspath(__file__ + "/../../../src"))  # noqa: PTH100
from browse.daemon.begin import main

if __name__ == "__main__":
    for name, value in json.loads(sys.argv[1]).items():
        module, _, constant = name.rpartition(".")
        setattr(importlib.import_module(f"browse.{module}"), constant, value)
    sys.exit(main(dict(os.environ)))
