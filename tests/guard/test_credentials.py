import base64
import hashlib

import pytest

from browse.guard.credentials import MASK, MAX_TYPED, SEALED, Typed, masked, seal

PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 3 + "Ab==\n"
# In halves, so that no scanner takes this file for a leak.
CREDENTIALS = [
    "AKIA" + "Q3EGRIPZX7LMN4TK",
    "ghp_" + "Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh",
    "github_pat_" + "11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
    "glpat-" + "x9Y8z7W6v5U4t3S2r1Q0",
    "sk-" + "proj-9fKq27XbLmT4vYwZ81RsPd",
    "sk-" + "ant-api03-9fKq27XbLmT4vYwZ81RsPd",
    "sk_live_" + "51Hq8ZkLmN0pQrSt",
    "rk_test_" + "51Hq8ZkLmN0pQrSt",
    "whsec_" + "51Hq8ZkLmN0pQrStUvWx",
    "xoxb-" + "273645189-Kq81LmPz",
    "AIza" + "SyD93kLmPqRsTuVwXyZ0123456789AbCdEf",
    "ya29." + "a0AfH6SMBx9kLmPqRsTuVw",
    "SG." + "ngeVfQFYQlKU0ufo8x5d1A." + "TwL2iGABf9DHoTf09kqeF8tAmbihYzrnopKcTE9ab",
    "npm_" + "Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh",
    "hf_" + "Zx81kQpLmN0rStUvWxYz23456789AbCdEf",
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiI5OTExMjIifQ.Tk3-Zq81xLw_0pQ",
    "4111 1111 1111 1111",
    "5500-0055-5555-5559",
    PEM + "-----END RSA PRIVATE KEY-----",
]
BENIGN = [
    "550e8400-e29b-41d4-a716-446655440000",
    hashlib.sha1(b"commit").hexdigest(),
    hashlib.sha256(b"file").hexdigest(),
    "sha512-" + base64.b64encode(hashlib.sha512(b"integrity").digest()).decode(),
    "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 4).decode(),
    "sk-fading-circle-container-large",
    "sk-cube-grid sk-cube1",
    "task-4567890123456789ABCDEF",
    "disk-usage-REPORT-2026-01-31-final",
    "css-1q2w3e4r5t6y7u8i9o0p",
    "_app-8f7e6d5c4b3a2918.js",
    "jsx-3847561029 svelte-1tky8bj",
    "AKIA",
    "ASIATISCHESMUSEUMWIEN",
    "pk_live_51Hq8ZkLmN0pQrSt",
    "eyJ",
    "ghp_",
    "xoxo-love-and-kisses-forever",
    "Bearer bonds were once popular instruments",
    "Authorization: see the manual",
    "The secret key of success: patience and hard work every single day",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQsw",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk7Z4mXr7Jt8cPq ada@example.com",
    "4111111111111111",
    "1234 5678 9012 3456",
    "4111 1111 1111 1112",
    "ISBN 978-3-16-148410-0",
    "DE89 3704 0044 0532 0130 00",
    "+44 20 7946 0958",
    "2026-01-31T10:00:00.000Z",
    "https://example.com/how-to-rotate-an-api-key-in-python",
    "https://example.com/?page=2&sort=token&q=password+reset",
    "https://example.com/list?pageToken=CAUQAA0123456789",
    "https://example.com:8443/a@b/c",
    "mailto:ada@example.com",
    "git@github.com:ada/engine.git",
    "npm_config_registry=https://registry.npmjs.org",
    "hf_hub_download_with_progress_bars",
    "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPjRR",
    "0x742d35Cc6634C0532925a3b844Bc454e4438f44e",
    "arn:aws:iam::123456789012:role/Admin",
    "1Z999AA10123456784",
    "price: 4,111.11 and 1,111.11",
]


@pytest.mark.parametrize("value", CREDENTIALS, ids=range(len(CREDENTIALS)))
def test_credentials_are_masked_wherever_they_stand(value):
    for text in (f"key {value}.", f"key={value}&n=1", f'{{"k": "{value}"}}', f"a%3D{value}"):
        clean = masked(text)

        assert value.splitlines()[-2 if "\n" in value else 0][-12:] not in clean
        assert MASK in clean
        assert clean.count("\n") == text.count("\n")


@pytest.mark.parametrize("text", BENIGN)
def test_what_only_looks_alike_stays(text):
    assert masked(f"see {text} there") == f"see {text} there"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("https://ada:hunter2@a.example/x", "https://****@a.example/x"),
        ("http://a.example/?x=1&api_key=abcdef123", "http://a.example/?x=1&api_key=****"),
        ("http://a.example/#access_token=abcdef123", "http://a.example/#access_token=****"),
        ("Authorization: Basic YWRhOmh1bnRlcg==", "Authorization: Basic ****"),
        ("sent Bearer abcdefgh12345678", "sent Bearer ****"),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "aws_secret_access_key = ****",
        ),
    ],
)
def test_what_stands_around_a_value_tells_it(text, clean):
    assert masked(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "sk-",
        "eyJ-",
        "eyJaaaaaaaa.",
        "-----BEGIN PRIVATE KEY----- ",
        "?token=",
        "4111 1111 1111 ",
        "SG.aaaaaaaaaaaaaaaaaa.",
        "://a:",
        "Bearer ",
    ],
)
def test_masking_takes_no_longer_for_text_made_to_be_slow(text):
    """Only a limit on steps can fail here: a quadratic search takes minutes on this."""
    assert masked(text * 30_000)


def test_what_was_typed_is_masked_as_it_is_spelled_in_addresses_json_and_html():
    typed = Typed()
    typed.add('pa&s "w\u00f6rd/9')
    for text in (
        'pa&s "w\u00f6rd/9',
        "pa%26s%20%22w%C3%B6rd%2F9",
        "pa%26s+%22w%c3%b6rd/9",
        'pa&s \\"w\\u00f6rd/9',
        "pa&amp;s &quot;w\u00f6rd/9",
        "pa&#38;s &amp;quot;w&#xf6;rd/9",
        'pa&s \\\\\\"w\\\\u00F6rd\\/9',
        "pa%2526s%2520%22w%25c3%25b6rd%252F9",
    ):
        assert typed.masked(f"[{text}]") == "[****]"


def test_what_is_too_short_too_long_or_common_is_not_remembered_and_six_digits_stand_alone():
    typed = Typed()
    for value in ("abc12", "password", "Secret", "123456", "x" * 5_000_000):
        typed.add(value)

    assert "x" * 9 in typed.masked("x" * 5_000_000)
    assert typed.masked("abc12 password Secret") == "abc12 password Secret"
    assert typed.masked("code 123456, id 91234567") == "code ****, id 91234567"


def test_the_newest_are_kept_and_the_longest_goes_first():
    typed = Typed()
    for number in range(MAX_TYPED + 1):
        typed.add(f"value-{number:04}")
    typed.add("value-0100-and-more")

    assert typed.masked("value-0000 value-0100-and-more") == "value-0000 ****"


def test_a_value_is_forgotten_with_all_that_stands_for_it_and_counts_once():
    typed = Typed(most=2)
    for number in range(3):
        typed.add(f"value-{number}", [f"other-{number}{it}" for it in "abc"])

    assert typed.masked("value-0 other-0b value-1 other-1b") == "value-0 other-0b **** ****"


@pytest.fixture
def sealed(monkeypatch):
    """What this test seals is forgotten after it."""
    monkeypatch.setattr(SEALED, "_patterns", SEALED._patterns.copy())
    monkeypatch.setattr(SEALED, "_longest_first", SEALED._longest_first)
    seal("s3al&d pw", "ada")
    seal("4711")


@pytest.mark.parametrize(
    "spelled",
    [
        "s3al&d pw",
        "s3al%26d+pw",
        "s3al&amp;d pw",
        "czNhbCZkIHB3",  # base64
        "YWRhOnMzYWwmZCBwdw==",  # base64 of the login
        "4711",
    ],
)
def test_what_is_sealed_is_masked_in_its_spellings(sealed, spelled):
    for mask in (SEALED.masked, masked):
        assert spelled.rstrip("=") not in mask(f"it is ({spelled}).")


@pytest.mark.parametrize("before", ["", "a", "ab", '{"pw":"', "bob:"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_what_is_sealed_is_masked_inside_a_longer_text_in_base64(sealed, before, encode):
    value = "~~Staple?>?93~~"
    seal(value, "ada")

    shown = masked(encode(f"{before}{value}, x".encode()).decode())

    assert MASK in shown
    assert len(shown) < len(before) * 2 + 16


@pytest.mark.parametrize("value", ["4711", "482913", "hunt7r"])
@pytest.mark.parametrize(
    "text",
    [
        "/told/pw%3D{}",
        "?next=%2Fin%3Fpw%253d{}&o=%20{}/",
        r'{{"said":"code\n{}","to":"\u00e9{}"}}',
        "typed_{}_twice",
    ],
)
def test_a_short_one_stands_alone_behind_an_escape_too(sealed, value, text):
    seal(value)

    assert masked(text.format(value, value)) == text.format(MASK, MASK)


def test_a_sealed_one_is_masked_in_words_and_a_code_not_in_numbers(sealed):
    seal("hunt7r")
    seal("482913")

    assert masked("xhunt7ry code482913s 1482913 4829130") == f"x{MASK}y code{MASK}s 1482913 4829130"


def test_a_short_one_is_masked_only_where_it_stands_alone(sealed):
    assert masked("code 4711, order 147112") == f"code {MASK}, order 147112"
