import base64

import pytest

from browse.logins.totp import Hash, Seed, parse_seed

# Appendix B of RFC 6238; the key of each hash is as long as the hash.
DIGITS = b"1234567890"
KEYS: dict[Hash, bytes] = {
    "SHA1": DIGITS * 2,
    "SHA256": (DIGITS * 4)[:32],
    "SHA512": (DIGITS * 7)[:64],
}
VECTORS = [
    (59, "94287082", "46119246", "90693936"),
    (1111111109, "07081804", "68084774", "25091201"),
    (1111111111, "14050471", "67062674", "99943326"),
    (1234567890, "89005924", "91819424", "93441116"),
    (2000000000, "69279037", "90698825", "38618901"),
    (20000000000, "65353130", "77737706", "47863826"),
]


@pytest.mark.parametrize(("moment", "sha1", "sha256", "sha512"), VECTORS)
def test_codes_are_those_of_the_rfc(moment, sha1, sha256, sha512):
    wanted = {"SHA1": sha1, "SHA256": sha256, "SHA512": sha512}

    assert {name: Seed(key, 8, 30, name).code(moment) for name, key in KEYS.items()} == wanted


def test_a_seed_is_read_as_sites_show_it_and_as_an_address():
    shown = base64.b32encode(KEYS["SHA1"]).decode().lower()
    spaced = " ".join(shown[at : at + 4] for at in range(0, len(shown), 4))
    address = f"otpauth://totp/Shop:ada?secret={shown}&digits=8&period=60&algorithm=SHA256"

    assert parse_seed(spaced) == Seed(KEYS["SHA1"])
    assert parse_seed(address) == Seed(KEYS["SHA1"], 8, 60, "SHA256")


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "hunter2!",
        "otpauth://hotp/x?secret=GEZDGNBV&counter=1",
        "otpauth://totp/x",
        "otpauth://totp/x?secret=GEZDGNBV&digits=99",
        "otpauth://totp/x?secret=GEZDGNBV&period=0",
        "otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5",
    ],
)
def test_a_bad_seed_is_refused_and_not_repeated(raw):
    with pytest.raises(ValueError, match=r"it|only") as caught:
        parse_seed(raw)

    assert "GEZD" not in str(caught.value)
    assert "hunter2" not in str(caught.value)
