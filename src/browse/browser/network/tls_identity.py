"""The key with which the daemon speaks TLS to its own Chromium (`tls_exceptions.py`).

Made once for each user, and kept in a private file. Chromium is told the hash of the public key,
and takes a certificate with it as good; nobody else has the key.
"""

import base64
import hashlib
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from browse.core.files import private_folder, write_private

_MARK = "key "
_YEARS = timedelta(days=3650)


class TlsIdentity(msgspec.Struct, frozen=True):
    """A file with a key and its certificate; the hash of the public key, as Chromium spells it."""

    path: Path
    hash: str

    @classmethod
    def load(cls, path: Path) -> "TlsIdentity":
        """Read it, or make it the first time."""
        try:
            first = path.read_text("ascii").partition("\n")[0]
        except (OSError, UnicodeDecodeError):
            first = ""
        found = cls(path, first.removeprefix(_MARK))
        if first.startswith(_MARK) and _is_whole(found):
            return found
        return cls(path, _make(path).removeprefix(_MARK))

    def context(self, protocol: str | None) -> ssl.SSLContext:
        """Return what a server needs that speaks this protocol (ALPN)."""
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(self.path)
        if protocol:
            made.set_alpn_protocols([protocol])
        return made


def _is_whole(identity: TlsIdentity) -> bool:
    try:
        identity.context(None)
    except OSError:  # those of TLS are among them
        return False
    return True


def _make(path: Path) -> str:
    """Write a new key with its certificate; return the first line of the file."""
    from cryptography import x509  # a tenth of a second, once for each user
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "browse, on this machine")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + _YEARS)
        .sign(key, hashes.SHA256())
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    first = _MARK + base64.b64encode(hashlib.sha256(public).digest()).decode()
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    private_folder(path.parent)
    certificate = made.public_bytes(serialization.Encoding.PEM)
    write_private(path, f"{first}\n".encode() + secret + certificate)
    return first
