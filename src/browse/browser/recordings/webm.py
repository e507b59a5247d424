"""Write WebM files of VP8 key frames, each shown until the next one.

A lossy WebP image is a VP8 key frame, so a video needs no encoder but the one for images.
"""

import struct
from collections.abc import Sequence
from typing import BinaryIO, NamedTuple

import msgspec

# How often a frame is listed as a place to seek to; every frame is a key frame.
SEEK_EVERY_MS = 1000
_EBML = 0x1A45DFA3
_SEGMENT = 0x18538067
_INFO = 0x1549A966
_TRACKS = 0x1654AE6B
_CUES = 0x1C53BB6B
_CLUSTER = 0x1F43B675


class FrameSize(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


class VideoFrame(msgspec.Struct, frozen=True):
    """When a frame appears, and its size in bytes."""

    at_ms: int
    size: int


def vp8_frame(webp: bytes) -> bytes:
    """Return the VP8 frame in a lossy WebP image."""
    at = 12
    while at + 8 <= len(webp):
        name, size = struct.unpack_from("<4sI", webp, at)
        if name == b"VP8 ":
            return webp[at + 8 : at + 8 + size]
        at += 8 + size + size % 2
    raise ValueError("not a lossy WebP image")


def write_webm(
    out: BinaryIO,
    images: BinaryIO,
    frames: Sequence[VideoFrame],
    *,
    size: FrameSize,
    length_ms: int,
) -> None:
    """Write a video of the frames, whose bytes follow each other in `images`."""
    heads = [_cluster_head(frame) for frame in frames]
    sizes = [len(head) + frame.size for head, frame in zip(heads, frames, strict=True)]
    about = _info(length_ms) + _tracks(*size)
    first = len(about) + len(_cues(frames, [0] * len(frames)))
    offsets = [first + sum_before for sum_before in _sums(sizes)]
    start = about + _cues(frames, offsets)
    out.write(_header() + _id(_SEGMENT) + _long_size(len(start) + sum(sizes)) + start)
    for head, frame in zip(heads, frames, strict=True):
        out.write(head + images.read(frame.size))


def _sums(sizes: Sequence[int]) -> list[int]:
    sums = [0]
    for size in sizes:
        sums.append(sums[-1] + size)
    return sums[:-1]


def _header() -> bytes:
    versions = _number(0x4286, 1) + _number(0x42F7, 1) + _number(0x42F2, 4) + _number(0x42F3, 8)
    kind = _element(0x4282, b"webm") + _number(0x4287, 2) + _number(0x4285, 2)
    return _element(_EBML, versions + kind)


def _info(length_ms: int) -> bytes:
    millisecond_ns = _number(0x2AD7B1, 1_000_000)
    length = _element(0x4489, struct.pack(">d", length_ms))
    return _element(
        _INFO, millisecond_ns + length + _element(0x4D80, b"browse") + _element(0x5741, b"browse")
    )


def _tracks(width: int, height: int) -> bytes:
    video = _element(0xE0, _number(0xB0, width) + _number(0xBA, height))
    numbers = _number(0xD7, 1) + _number(0x73C5, 1) + _number(0x83, 1) + _number(0x9C, 0)
    return _element(_TRACKS, _element(0xAE, numbers + _element(0x86, b"V_VP8") + video))


def _cues(frames: Sequence[VideoFrame], offsets: Sequence[int]) -> bytes:
    """Build the index for seeking; its size does not depend on the offsets."""
    points = []
    due = 0
    for frame, offset in zip(frames, offsets, strict=True):
        if frame.at_ms >= due:
            due = frame.at_ms + SEEK_EVERY_MS
            where = _number(0xF7, 1) + _element(0xF1, offset.to_bytes(8, "big"))
            points.append(_element(0xBB, _number(0xB3, frame.at_ms) + _element(0xB7, where)))
    return _element(_CUES, b"".join(points))


def _cluster_head(frame: VideoFrame) -> bytes:
    """Build the head of a cluster of one frame: track 1, at the cluster's time, key frame."""
    block = _id(0xA3) + _size(4 + frame.size) + b"\x81\x00\x00\x80"
    time = _number(0xE7, frame.at_ms)
    return _id(_CLUSTER) + _size(len(time) + len(block) + frame.size) + time + block


def _element(id: int, payload: bytes) -> bytes:
    return _id(id) + _size(len(payload)) + payload


def _number(id: int, value: int) -> bytes:
    return _element(id, value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big"))


def _id(id: int) -> bytes:
    return id.to_bytes((id.bit_length() + 7) // 8, "big")


def _size(size: int) -> bytes:
    length = 1
    while size >= (1 << 7 * length) - 1:
        length += 1
    return (size | 1 << 7 * length).to_bytes(length, "big")


def _long_size(size: int) -> bytes:
    return (size | 1 << 56).to_bytes(8, "big")
