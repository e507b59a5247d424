"""Run the client from a checkout. Compiled at every run, so it holds only the entry point."""

import os
import sys

sys.path.insert(0, os.path.abspath(__file__ + "/../../.."))
from browse.client.main import main  # importable by the line above

os._exit(main())  # all output went through os.write, so tearing the interpreter down is idle work
