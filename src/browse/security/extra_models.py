"""Extra models that a user adds to ours, each in its own process (docs/security/classifier.md).

They are asked about doubtful words only, in parallel, and are ignored when not installed. One of
them, the defender, has no vote of its own: its say is added to that of our model (`together.py`).
"""

import asyncio
import logging
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import msgspec

from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.security.combine import Layer, Signal
from browse.security.sidecar import Sidecar

# Its say is added to ours; the others have a vote of their own.
SECOND = Layer.DEFENDER
_log = logging.getLogger(__name__)


class _Kind(msgspec.Struct, frozen=True):
    """A model that we know: the name of its sidecar, and its folder or package."""

    sidecar: str
    folder: str = ""
    package: str = ""


_KINDS = {
    Layer.DEFENDER: _Kind("defender", package="stackone_defender"),
    Layer.TESTSAVANT: _Kind("testsavant", folder="testsavant-small"),
    Layer.DEBERTA: _Kind("deberta", folder="deberta-v3-injection"),
}


class ExtraModels:
    """The extra models that are installed."""

    def __init__(self, settings: Settings, paths: Paths) -> None:
        self._models = paths.models
        self._wanted = {
            layer: kind
            for layer, kind in _KINDS.items()
            if layer is not Layer.DEBERTA or settings.ensemble == "deberta"
        }
        self._found: dict[Layer, Sidecar] | None = None

    def status(self) -> dict[str, str]:
        """Return the state of each model."""
        found = self._found or {}
        looked = "absent" if self._found is not None else "not started"
        return {
            layer.value: found[layer].state if layer in found else looked for layer in self._wanted
        }

    async def ask(self, text: str) -> list[Signal]:
        """Ask the models that vote and are ready; the others load meanwhile."""
        found = await self._installed()
        voting = {layer: it for layer, it in found.items() if layer is not SECOND}
        return await _said(voting, text)

    async def second(self, passage: str) -> Signal | None:
        """Ask the model that counts together with ours about a passage, if it is ready."""
        found = await self._installed()
        said = await _said({SECOND: found[SECOND]}, passage) if SECOND in found else []
        return said[0] if said else None

    async def close(self) -> None:
        found, self._found = self._found or {}, {}
        await asyncio.gather(*(sidecar.close() for sidecar in found.values()))

    async def _installed(self) -> dict[Layer, Sidecar]:
        if self._found is None:
            self._found = await asyncio.to_thread(self._look)
        return self._found

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


async def _said(sidecars: Mapping[Layer, Sidecar], text: str) -> list[Signal]:
    said = await asyncio.gather(*(sidecar.ask(text) for sidecar in sidecars.values()))
    return [
        Signal(layer, confidence)
        for layer, confidence in zip(sidecars, said, strict=True)
        if confidence is not None
    ]


def _is_there(kind: _Kind, models: Path) -> bool:
    if kind.package:
        return find_spec(kind.package) is not None
    return (models / kind.folder).is_dir()
