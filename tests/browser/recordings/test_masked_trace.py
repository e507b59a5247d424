import zipfile

from browse.browser.recordings import masked_trace
from browse.guard.credentials import Typed


def test_a_sealed_secret_is_masked_in_every_text_of_a_trace(tmp_path, monkeypatch):
    sealed = Typed()
    sealed.add("s3aled-pw")
    monkeypatch.setattr(masked_trace, "SEALED", sealed)
    path = tmp_path / "trace.zip"
    with zipfile.ZipFile(path, "w") as trace:
        trace.writestr("trace.trace", '{"text":"s3aled-pw"}')
        trace.writestr("resources/picture.jpeg", b"\xff\xd8 s3aled")

    masked_trace.mask_trace(path)

    with zipfile.ZipFile(path) as trace:
        assert trace.read("trace.trace") == b'{"text":"****"}'
        assert trace.read("resources/picture.jpeg") == b"\xff\xd8 s3aled"
