"""Models that a user may add to ours, each in a process of its own (docs/security/classifier.md).

They are asked about doubtful words only, all at once, and have no say when they are not there.
"""

import asyncio
import logging
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.security.combine import Layer, Signal
from browse.security.sidecar import Sidecar

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A model that we know: the name of its sidecar, and the folder or the package it is in."""

    sidecar: str
    folder: str = ""
    package: str = ""


_KINDS = {
    Layer.DEFENDER: _Kind("defender", package="stackone_defender"),
    Layer.TESTSAVANT: _Kind("testsavant", folder="testsavant-small"),
    Layer.DEBERTA: _Kind("deberta", folder="deberta-v3-injection"),
}


class Further:
    """The further models that are there."""

    def __init__(self, settings: Settings, paths: Paths) -> None:
        self._models = paths.models
        self._wanted = {
            layer: kind
            for layer, kind in _KINDS.items()
            if layer is not Layer.DEBERTA or settings.ensemble == "deberta"
        }
        self._found: dict[Layer, Sidecar] | None = None

    def status(self) -> dict[str, str]:
        """Tell how far each model is."""
        found = self._found or {}
        looked = "absent" if self._found is not None else "not started"
        return {
            layer.value: found[layer].state if layer in found else looked for layer in self._wanted
        }

    async def ask(self, text: str) -> list[Signal]:
        """Ask all models that are ready; the others get ready meanwhile."""
        if self._found is None:
            self._found = await asyncio.to_thread(self._look)
        said = await asyncio.gather(*(sidecar.ask(text) for sidecar in self._found.values()))
        return [
            Signal(layer, confidence)
            for layer, confidence in zip(self._found, said, strict=True)
            if confidence is not None
        ]

    async def close(self) -> None:
        found, self._found = self._found or {}, {}
        await asyncio.gather(*(sidecar.close() for sidecar in found.values()))

    def _look(self) -> dict[Layer, Sidecar]:
        found = {}
        for layer, kind in self._wanted.items():
            if _is_there(kind, self._models):
                argv = (sys.executable, "-I", "-m", "browse.sidecar", kind.sidecar)
                found[layer] = Sidecar(layer.value, (*argv, str(self._models)))
            elif layer is Layer.DEBERTA:  # the one that somebody asked for
                where = self._models / kind.folder
                _log.warning("%s is not used: there is no %s", layer.value, where)
        return found


def _is_there(kind: _Kind, models: Path) -> bool:
    if kind.package:
        return find_spec(kind.package) is not None
    return (models / kind.folder).is_dir()
