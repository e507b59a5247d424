"""`browse fleet …` and `browse --on …`: run a command of the fleet in this process."""

import sys

from browse.fleet import commands
from browse.setup.run import main

LEFT = {"map": "What is in the file is kept: the same command with --resume does the rest."}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], commands.__name__, LEFT))
