"""`python -m browse.daemon`: started by the client, never by hand."""

import gc
import os
import sys

from browse.daemon.begin import main

if __name__ == "__main__":
    gc.disable()  # nothing of what is loaded now becomes garbage; lifecycle.py enables it
    sys.exit(main(dict(os.environ)))  # noqa: TID251 - the one read of the environment, given to the settings table
