"""Run the client with some of its module constants changed.

`python -I -S drive_client.py '{"wire.SILENCE_SECONDS": 0.1}' <words of the command line>`
"""

import importlib
import json
import os
import sys

sys.path.insert(0, os.path.abspath(__file__ + "/../../../src"))  # noqa: PTH100
from browse.client.main import main

for name, value in json.loads(sys.argv.pop(1)).items():
    module, _, constant = name.partition(".")
    setattr(importlib.import_module(f"browse.client.{module}"), constant, value)
sys.exit(main())
