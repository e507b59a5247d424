import base64
import hashlib
import ssl
import stat

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from browse.browser.network.tls_identity import TlsIdentity


def test_it_is_made_once_and_kept_privately(tmp_path):
    path = tmp_path / "tls" / "identity.pem"
    made = TlsIdentity.load(path)

    assert TlsIdentity.load(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    certificate = x509.load_pem_x509_certificate(path.read_bytes())
    public = certificate.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    assert made.hash == base64.b64encode(hashlib.sha256(public).digest()).decode()
    assert isinstance(made.context("h2"), ssl.SSLContext)


@pytest.mark.parametrize("content", ["", "key abc\nnothing", "\x00"])
def test_one_that_is_damaged_is_made_anew(tmp_path, content):
    path = tmp_path / "identity.pem"
    path.write_text(content)

    assert len(TlsIdentity.load(path).hash) == 44
