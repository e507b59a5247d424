"""Listening to events that come by the thousand."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Listener = TypeVar("Listener", bound=Callable[..., Any])
_ONE = inspect.Signature([inspect.Parameter("event", inspect.Parameter.POSITIONAL_OR_KEYWORD)])


def quick(listener: Listener) -> Listener:
    """Spare the driver working out anew, at every event, that a function takes one argument."""
    listener.__signature__ = _ONE  # type: ignore[attr-defined] # read by `inspect.signature`
    return listener
