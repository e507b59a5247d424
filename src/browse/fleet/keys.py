"""The keys of a fleet: whoever has one may run code on every machine of it.

The head keeps the authority that signs them. A machine needs one private file, with its own key,
its certificate and that of the authority; every connection is refused without.
"""

from __future__ import annotations

import re
import socket
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from browse.core.errors import Usage
from browse.core.files import private_folder, write_private
from browse.fleet.extra import fault

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from distributed.security import Security

AUTHORITY, OWN = "authority.pem", "keys.pem"
VALID = timedelta(days=365)
# Clocks of machines differ.
BEFORE = timedelta(days=1)


def own(folder: Path) -> Path:
    """Return the file with the keys of this machine; make it, and the authority, the first time."""
    if not (folder / OWN).exists():
        _issue(folder, socket.gethostname(), OWN)
    return usable(folder / OWN)


def issue(folder: Path, name: str) -> Path:
    """Write the keys of another machine into a file, to be copied there."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}", name):
        raise Usage(f"{name[:40]!r} is not a name for a machine", hint="browse fleet keys m3")
    own(folder)
    return _issue(folder, name, f"keys-{name}.pem")


def renew(folder: Path) -> Path:
    """Make a new authority and new keys of this machine; all keys that there were end with it."""
    for path in folder.glob("*.pem"):
        path.unlink()
    return own(folder)


def ends(path: Path) -> datetime:
    """Return until when the certificates in a file are valid."""
    return _span(path)[1]


def _span(path: Path) -> tuple[datetime, datetime]:
    from cryptography import x509

    found = x509.load_pem_x509_certificates(path.read_bytes())
    begins = max(each.not_valid_before_utc for each in found)
    return begins, min(each.not_valid_after_utc for each in found)


def usable(path: Path, *, now: datetime | None = None) -> Path:
    """Return a file with keys; raise if it is missing, open to others, damaged or too old."""
    try:
        mode = path.stat().st_mode
        begins, until = _span(path)
    except FileNotFoundError as exc:
        where = "on the head type `browse fleet keys <name>`, and copy the file that it names here"
        raise fault(f"There are no keys of a fleet at {path}.", where) from exc
    except (OSError, ValueError) as exc:
        again = "make them again: browse fleet keys --renew"
        raise fault(f"The keys of the fleet at {path} cannot be read: {exc}.", again) from exc
    if mode & 0o077:
        raise fault(f"Others may read the keys of the fleet at {path}.", f"type `chmod 600 {path}`")
    today = now or datetime.now(UTC)
    if not begins <= today <= until:
        which = f"ended on {until:%Y-%m-%d}" if begins <= today else f"begin on {begins:%Y-%m-%d}"
        raise fault(
            f"The keys of the fleet at {path} {which}, and here it is {today:%Y-%m-%d}.",
            "if the clock of this machine is right, make new ones on the head: `browse fleet down`,"
            " `browse fleet keys --renew`, then new keys for all",
        )
    return path


def security(path: Path) -> Security:
    """Return how Dask speaks with these keys: always encrypted, both sides known."""
    from distributed.security import Security

    file = str(path)
    sides = {
        f"tls_{it}_{part}": file
        for it in ("client", "worker", "scheduler")
        for part in ("cert", "key")
    }
    return Security(tls_ca_file=file, require_encryption=True, **sides)


def _issue(folder: Path, name: str, file: str) -> Path:
    """Sign a new key, and write it with all that its owner needs."""
    from cryptography.hazmat.primitives.asymmetric import ec

    private_folder(folder)
    authority = folder / AUTHORITY
    if not authority.exists():
        root = ec.generate_private_key(ec.SECP256R1())
        made = _certificate("browse fleet", root.public_key(), root, None)
        write_private(authority, _pem(root) + _pem_of(made))
    key = ec.generate_private_key(ec.SECP256R1())
    root, above = _read(authority)
    signed = _certificate(name, key.public_key(), root, above)
    write_private(folder / file, _pem(key) + _pem_of(signed) + _pem_of(above))
    return folder / file


def _certificate(
    name: str,
    public: ec.EllipticCurvePublicKey,
    root: ec.EllipticCurvePrivateKey,
    above: x509.Certificate | None,
) -> x509.Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    now = datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    is_root = above is None
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(root.public_key())
    usage = x509.KeyUsage(not is_root, *(False,) * 4, is_root, is_root, *(False,) * 2)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(above.subject if above else subject)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now + VALID)
        .add_extension(x509.BasicConstraints(ca=is_root, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(signer, critical=False)
        .add_extension(usage, critical=True)
    )
    return made.sign(root, hashes.SHA256())


def _read(path: Path) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    raw = path.read_bytes()
    key = serialization.load_pem_private_key(raw, None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)  # noqa: S101  # it is what we wrote
    return key, x509.load_pem_x509_certificate(raw)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives import serialization

    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _pem_of(certificate: x509.Certificate) -> bytes:
    from cryptography.hazmat.primitives import serialization

    return certificate.public_bytes(serialization.Encoding.PEM)
