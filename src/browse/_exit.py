"""Exit codes of the `browse` command: the one table, shared by the client and the daemon.

Plain integers, not an enum: the client imports this on its warm path.
"""

OK = 0
FAILED = 1
USAGE = 2
TARGET = 3
REFUSED = 4
TIMEOUT = 5
UNREACHABLE = 6
UNMET = 7
# As a shell reports a program that a signal ended.
INTERRUPTED = 130
BROKEN_PIPE = 141

MEANING = {
    OK: "the command did what was asked",
    FAILED: "the command failed; the message says why and what to type next",
    USAGE: "the command line was wrong; nothing was done",
    TARGET: "the element or tab that was meant is gone or has changed; nothing was done to it",
    REFUSED: "a rule forbids it: scope, URL policy, path policy",
    TIMEOUT: "it took longer than it may; the message says what it was waiting for",
    UNREACHABLE: "the daemon is busy, unreachable or could not be started",
    UNMET: "the action was done, but what --expect names did not come true",
    INTERRUPTED: "it was interrupted, by Ctrl-C for one",
    BROKEN_PIPE: "nobody reads its output any more",
}
