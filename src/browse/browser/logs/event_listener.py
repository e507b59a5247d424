"""Listeners for frequent events."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Listener = TypeVar("Listener", bound=Callable[..., Any])
_ONE = inspect.Signature([inspect.Parameter("event", inspect.Parameter.POSITIONAL_OR_KEYWORD)])


def quick(listener: Listener) -> Listener:
    """Set the signature of a listener, so that the driver need not inspect it at every event."""
    listener.__signature__ = _ONE  # type: ignore[attr-defined] # read by `inspect.signature`
    return listener
