"""`python -m browse.setup <command> …`: run a set-up command in this process."""

import signal
import sys

# Until `run` can answer it, Ctrl-C just ends the process: the imports take a while.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

if __name__ == "__main__":
    from browse.setup.run import main  # after the line above

    sys.exit(main(sys.argv[1:]))
