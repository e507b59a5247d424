"""The set-up commands. They are declared beside the code that runs them, which needs no daemon."""

from browse.setup.commands import demo, doctor, install

__all__ = ["demo", "doctor", "install"]
