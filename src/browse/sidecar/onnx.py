"""Score a text with an ONNX model: the highest score of its windows counts."""

from collections.abc import Callable, Sequence
from typing import Any

from browse.sidecar.verified import UnusableModel

# Each window shares this many tokens with the previous one.
OVERLAP = 32
MAX_WINDOWS = 32
# The daemon and the browser need the other cores.
THREADS = 2


class Scorer:
    """A model and its tokenizer; `confidence` turns a row of logits into a number from 0 to 1."""

    def __init__(
        self,
        model: bytes,
        tokenizer: bytes,
        *,
        tokens: int,
        confidence: Callable[[Sequence[float]], float],
    ) -> None:
        try:
            import numpy as np
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as exc:
            raise UnusableModel(f"{exc.name} is not installed: add the extra `models`") from None
        self._np = np
        self._confidence = confidence
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer = Tokenizer.from_buffer(tokenizer)
        except Exception as exc:  # these libraries raise classes of their own, without a base
            raise UnusableModel(f"the model cannot be loaded ({type(exc).__name__})") from None
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=tokens, stride=OVERLAP)

    def __call__(self, text: str) -> float:
        whole = self._tokenizer.encode(text)
        windows = [each.ids for each in (whole, *whole.overflowing)][:MAX_WINDOWS]
        rows = self._session.run(None, self._given(windows))[0].tolist()
        return min(1.0, max(0.0, *(self._confidence(row) for row in rows)))

    def _given(self, windows: Sequence[Sequence[int]]) -> dict[str, Any]:
        shape = len(windows), max(1, *map(len, windows))
        ids: Any = self._np.zeros(shape, self._np.int64)
        mask: Any = self._np.zeros(shape, self._np.int64)
        for row, window in enumerate(windows):
            ids[row, : len(window)] = window
            mask[row, : len(window)] = 1
        given = {"input_ids": ids, "attention_mask": mask}
        given["token_type_ids"] = self._np.zeros(shape, self._np.int64)
        return {name: value for name, value in given.items() if name in self._inputs}
