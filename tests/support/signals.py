"""How a child is to take signals, whatever the runner of the tests was told to ignore.

`nohup` and a shell's `&` have their child ignore SIGHUP or SIGINT, and all that it starts inherits
that: a test that sends one must first undo it.
"""

import signal

ORDINARY = (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGTERM)


def default_signals() -> None:
    """Take every ordinary signal as a fresh process does; for `preexec_fn` of a child."""
    for number in ORDINARY:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
