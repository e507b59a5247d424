"""What a page script tells of a slider."""

import msgspec


class SliderState(msgspec.Struct, frozen=True):
    """Where a slider stands, and from where to where it goes, as far as it tells."""

    now: float | None
    low: float | None
    high: float | None
