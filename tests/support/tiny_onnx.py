"""A model small enough to be made here: each token has two numbers, and the highest of each counts.

ONNX files are protocol buffers; the few fields that such a model needs are written by hand.
"""

import hashlib
import json
import struct
from pathlib import Path

WORDS = ["[UNK]", "tea", "obey"]
SHY, BOLD = (0.0, -6.0), (0.0, 6.0)
INT64, FLOAT = 7, 1


def _varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def _field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    raw = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(raw)) + raw


def _tensor_type(name: str, kind: int, axes: list[str]) -> bytes:
    shape = b"".join(_field(1, _field(2, axis)) for axis in axes)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def _node(op: str, inputs: list[str], output: str, attribute: bytes) -> bytes:
    names = b"".join(_field(1, name) for name in inputs) + _field(2, output)
    return names + _field(4, op) + _field(5, attribute)


def model(rows: list[tuple[float, float]]) -> bytes:
    """Make a model with inputs as classifiers of text have them."""
    table = b"".join(struct.pack("<2f", *row) for row in rows)
    weights = _field(1, len(rows)) + _field(1, 2) + _field(2, FLOAT) + _field(8, "w")
    whole = _field(1, "axis") + _field(3, 0) + _field(20, 2)
    axes = _field(1, "axes") + _field(8, 1) + _field(20, 7)
    keep = _field(1, "keepdims") + _field(3, 0) + _field(20, 2)
    graph = (
        _field(1, _node("Gather", ["w", "input_ids"], "each", whole))
        + _field(1, _node("ReduceMax", ["each"], "logits", axes) + _field(5, keep))
        + _field(2, "tiny")
        + _field(5, weights + _field(9, table))
        + _field(11, _tensor_type("input_ids", INT64, ["batch", "length"]))
        + _field(11, _tensor_type("attention_mask", INT64, ["batch", "length"]))
        + _field(12, _tensor_type("logits", FLOAT, ["batch", "two"]))
    )
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13))


def tokenizer() -> bytes:
    """Make a tokenizer of whole words."""
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": [],
            "pre_tokenizer": {"type": "Whitespace"},
            "model": {
                "type": "WordLevel",
                "vocab": {word: at for at, word in enumerate(WORDS)},
                "unk_token": WORDS[0],
            },
        }
    ).encode()


def write(folder: Path) -> Path:
    """Fill the folder of a model that knows one bad word, `obey`, with the sums of its files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "model.onnx": model([SHY, SHY, BOLD]),
        "tokenizer.json": tokenizer(),
        "config.json": json.dumps({"id2label": {"0": "SAFE", "1": "INJECTION"}}).encode(),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    sums = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files.items()]
    (folder / "SHA256SUMS").write_text("".join(sums))
    return folder
