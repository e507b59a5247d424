"""Compare two images pixel by pixel. Slow: call it in a thread."""

import io

import msgspec

FADED = 0.7


class PixelDiff(msgspec.Struct, frozen=True):
    """How much differs, and an image of it: the second page faded, differences in red."""

    changed: int
    total: int
    image: bytes

    @property
    def percent(self) -> float:
        return 100 * self.changed / self.total


def compare_images(one: bytes, two: bytes, *, longest: int) -> PixelDiff:
    """Compare two PNGs; pixels that only one of them has count as different."""
    from PIL import Image, ImageChops  # heavy, and only needed here

    first, second = (Image.open(io.BytesIO(data)).convert("RGB") for data in (one, two))
    size = (max(first.width, second.width), max(first.height, second.height))
    common = (min(first.width, second.width), min(first.height, second.height))
    bands = ImageChops.difference(first.crop((0, 0, *common)), second.crop((0, 0, *common))).split()
    mask = Image.new("L", size, 255)
    strongest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    mask.paste(strongest.point(lambda value: 255 if value else 0), (0, 0))
    shown = Image.new("RGB", size, "white")
    shown.paste(second, (0, 0))
    shown = Image.blend(shown.convert("L").convert("RGB"), Image.new("RGB", size, "white"), FADED)
    shown.paste((220, 0, 0), mask=mask)
    shown.thumbnail((longest, longest))
    file = io.BytesIO()
    shown.save(file, "PNG")
    return PixelDiff(mask.histogram()[255], size[0] * size[1], file.getvalue())
