"""`python -m browse.daemon`: started by the client, never by hand."""

import gc
import os
import sys

from browse.core.launching.start_options import private_variables
from browse.daemon.begin import main

if __name__ == "__main__":
    gc.disable()  # nothing of what is loaded now becomes garbage; lifecycle.py enables it
    environ = dict(os.environ)  # noqa: TID251 - the one read of the environment, given to the settings table
    for name in private_variables():
        os.environ.pop(name, None)  # noqa: TID251 - as above; no program inherits it
    sys.exit(main(environ))
