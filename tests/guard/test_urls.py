"""The URL policy: what is admitted, what is refused, and what the refusal says."""

import asyncio
import ipaddress
import socket
import traceback
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from browse.core.errors import BrowseError, Code, Usage
from browse.guard.files import Roots
from browse.guard.urls import NavUrl, check_host, check_url

NOWHERE = Roots.of("/nowhere")


def check(raw: str) -> NavUrl:
    return check_url(raw, cwd="/nowhere", roots=NOWHERE)


def refusal(raw: str) -> BrowseError:
    with pytest.raises(BrowseError) as caught:
        check(raw)
    return caught.value


class FakeResolver:
    """Answers from a table; remembers who was asked for."""

    def __init__(self, *addresses: str, fails: OSError | None = None) -> None:
        self.addresses = list(addresses)
        self.fails = fails
        self.asked: list[str] = []

    async def __call__(self, host: str, /) -> list[str]:
        self.asked.append(host)
        if self.fails:
            raise self.fails
        return self.addresses


@pytest.mark.parametrize(
    ("raw", "text", "host"),
    [
        ("http://example.com", "http://example.com/", "example.com"),
        ("HTTPS://EXAMPLE.com/Path", "https://example.com/Path", "example.com"),
        ("http://example.com:80/", "http://example.com/", "example.com"),
        ("https://example.com:443/", "https://example.com/", "example.com"),
        ("https://example.com:80/", "https://example.com:80/", "example.com"),
        ("http://example.com:0/", "http://example.com:0/", "example.com"),
        ("http://example.com:008080/", "http://example.com:8080/", "example.com"),
        ("http://example.com?q", "http://example.com/?q", "example.com"),
        ("http://example.com#f", "http://example.com/#f", "example.com"),
        ("http:\\\\example.com\\a\\b?c\\d", "http://example.com/a/b?c\\d", "example.com"),
        ("http:example.com", "http://example.com/", "example.com"),
        (" http://exa\tmple.com/\n", "http://example.com/", "example.com"),
        ("http://example.com./", "http://example.com./", "example.com"),
        ("http://0x7f.1/", "http://127.0.0.1/", "127.0.0.1"),
        ("http://010.0.0.1/", "http://8.0.0.1/", "8.0.0.1"),
        ("http://256/", "http://0.0.1.0/", "0.0.1.0"),
        ("http://0x/", "http://0.0.0.0/", "0.0.0.0"),
        ("http://[0:0::1]:3000/", "http://[::1]:3000/", "::1"),
        ("http://fa\u00df.de/", "http://xn--fa-hia.de/", "xn--fa-hia.de"),
        ("http://\u0391\u03a3.gr/", "http://xn--mxa0b.gr/", "xn--mxa0b.gr"),
        ("http://\u0391\u03a3/", "http://xn--mxa0b/", "xn--mxa0b"),
        ("http://ex%41mple.com/", "http://example.com/", "example.com"),
        ("http://u@v@example.com/", "http://u%40v@example.com/", "example.com"),
        ("http://u:p@example.com/", "http://u:p@example.com/", "example.com"),
    ],
)
def test_web_address_is_spelled_as_a_browser_spells_it(raw: str, text: str, host: str) -> None:
    url = check(raw)

    assert (url.text, url.host) == (text, host)


def test_nav_url_cannot_be_made_by_hand() -> None:
    with pytest.raises(TypeError, match="only"):
        NavUrl("http://x/", "x", "http", seal=object())


@pytest.mark.parametrize("raw", ["about:blank", "About:BLANK"])
def test_blank_page_is_admitted_in_any_case(raw: str) -> None:
    assert (check(raw).text, check(raw).scheme, check(raw).host) == ("about:blank", "about", "")


def test_scheme_refusal_has_its_promised_words() -> None:
    error = refusal("JavaScript:alert(1)")

    assert error.code is Code.URL_REFUSED
    assert error.message == (
        'Blocked: scheme "javascript:" is not allowed. '
        "Only http:, https:, file:, and about:blank URLs are permitted."
    )
    assert "browse goto https://" in error.hint


def test_metadata_refusal_names_the_address_behind_the_spelling() -> None:
    error = refusal("http://0xa9fea9fe/latest")

    assert error.code is Code.URL_REFUSED
    assert error.message == (
        "Blocked: 169.254.169.254 is a cloud metadata endpoint. Access is denied for security."
    )


def test_unparsable_address_is_a_usage_error() -> None:
    error = refusal("http://exa mple/")

    assert isinstance(error, Usage)
    assert error.message == "Invalid URL: http://exa mple/"


@pytest.mark.parametrize(
    ("raw", "command"),
    [
        ("example.com", "browse goto https://example.com"),
        ("example.com/a/b", "browse goto https://example.com/a/b"),
        ("example.com:8080/a", "browse goto https://example.com:8080/a"),
        ("//example.com/a", "browse goto https://example.com/a"),
        ("localhost", "browse goto http://localhost"),
        ("localhost:3000", "browse goto http://localhost:3000"),
        ("localhost:3000/a", "browse goto http://localhost:3000/a"),
        ("app.localhost:3000", "browse goto http://app.localhost:3000"),
        ("127.0.0.1:3000", "browse goto http://127.0.0.1:3000"),
        ("[::1]:3000", "browse goto http://[::1]:3000"),
        ("/srv/page.html", "browse goto file:///srv/page.html"),
        ("./page.html", "browse goto file://./page.html"),
        ("~/page.html", "browse goto file://~/page.html"),
        ("", "browse goto https://example.com"),
        ("two words", "browse goto https://example.com"),
        ("mailto:someone", "browse goto https://example.com"),
    ],
)
def test_hint_says_what_to_type(raw: str, command: str) -> None:
    assert refusal(raw).hint == f"Type: {command}"


@pytest.mark.parametrize(
    "raw",
    [
        "http://hunter:s3cret@169.254.169.254/",
        "http://hunter:s3cret@exa mple/",
        "http://hunter:s3/cret@example.com:bad/",
        "http://hunter:s3cret?@x",
        "http://hunter:s3cret#@x",
        "http://h:bad/?token=s3cret",
        "http://h:bad/#s3cret",
        "http://h:bad/?token=a@s3cret",
        "hunter:s3cret@example.com",
        "hunter:8080/s3cret@example.com",
        "hunter/s3cret@example.com",
        "hunter@s3cret@",
        "//hunter:s3cret@example.com",
        "example.com?s3cret",
        "./page.html?s3cret",
        "ftp://hunter:s3cret@example.com/",
        "odd://hunter:s3cret@example.com/",
        "file://hunter:s3cret@host/x",
        "file://hunter:s3cret/x@host/x",
        "file:hunter:s3cret@host",
        "file://hunter@s3cret/x",
    ],
)
def test_refusal_never_repeats_a_login_or_a_query(raw: str) -> None:
    error = refusal(raw)
    printed = error.message + error.hint + "".join(traceback.format_exception(error))

    assert "s3" not in printed
    assert "hunter" not in printed


def test_printed_address_leaves_the_login_out() -> None:
    url = check("https://hunter:s3cret@example.com/a?b=c@d")

    assert str(url) == "https://example.com/a?b=c@d"
    assert "s3cret" not in repr(url)


def test_file_address_carries_the_real_path_query_and_fragment(tmp_path: Path) -> None:
    (tmp_path / "a b%.html").write_text("hello")
    roots = Roots.of(str(tmp_path))
    url = check_url("file://./a%20b%25.html?q=1#top", cwd=str(tmp_path), roots=roots)

    assert url.text == f"{tmp_path.as_uri()}/a%20b%25.html?q=1#top"
    assert (url.scheme, url.host) == ("file", "")
    assert check_url(url.text, cwd="/", roots=roots) == url


def test_file_address_resolves_links_before_the_browser_sees_them(tmp_path: Path) -> None:
    (tmp_path / "real.html").write_text("hello")
    (tmp_path / "alias.html").symlink_to("real.html")
    url = check_url("file://./alias.html", cwd=str(tmp_path), roots=Roots.of(str(tmp_path)))

    assert url.text == f"{tmp_path.as_uri()}/real.html"


def test_file_address_may_start_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_text("hello")
    monkeypatch.setenv("HOME", str(tmp_path))
    url = check_url("file://~/page.html", cwd="/", roots=Roots.of(str(tmp_path)))

    assert url.text == f"{tmp_path.as_uri()}/page.html"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("file:", "Invalid file URL: no file is named"),
        ("file://", "Invalid file URL: no file is named"),
        ("file:///", "Invalid file URL: the root folder is not a page"),
        ("file://localhost", "Invalid file URL: the root folder is not a page"),
        ("file://./", "Invalid file URL: a file name must follow ./"),
        ("file://~", "Invalid file URL: a file name must follow ~/"),
        ("file:page.html", "Invalid file URL: slashes must follow file:"),
        ("file://example.com/x", "Unsupported file URL host: example.com"),
        ("file:///etc/passwd", "Path must be within: /nowhere"),
        ("file://./missing.html", "File not found: ./missing.html"),
    ],
)
def test_file_refusal_says_what_is_wrong(raw: str, message: str) -> None:
    error = refusal(raw)

    assert error.message == message
    assert error.hint


@pytest.mark.parametrize(
    "address",
    ["169.254.169.254", "169.254.0.1", "100.100.100.200", "fd00:ec2::254", "fe80::1%eth0"],
)
async def test_name_that_leads_to_a_metadata_address_is_refused(address: str) -> None:
    resolve = FakeResolver("93.184.216.34", address)
    with pytest.raises(BrowseError) as caught:
        await check_host(check("http://rebind.example/"), resolve)

    assert caught.value.code is Code.URL_REFUSED
    assert "rebind.example resolves to a cloud metadata address" in caught.value.message
    assert "DNS rebinding" in caught.value.message


@pytest.mark.parametrize("address", ["93.184.216.34", "127.0.0.1", "10.0.0.1", "2001:db8::1"])
async def test_name_that_leads_elsewhere_passes(address: str) -> None:
    resolve = FakeResolver(address)
    await check_host(check("http://example.com./"), resolve)

    assert resolve.asked == ["example.com"]


@pytest.mark.parametrize("error", [TimeoutError(), socket.gaierror(-2, "unknown"), OSError()])
async def test_name_that_cannot_be_resolved_is_left_to_the_browser(error: OSError) -> None:
    resolve = FakeResolver(fails=error)
    await check_host(check("http://example.com/"), resolve)

    assert resolve.asked == ["example.com"]


@pytest.mark.parametrize(
    "raw",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://localhost/",
        "http://a.localhost/",
        "about:blank",
    ],
)
async def test_address_without_a_name_is_not_looked_up(raw: str) -> None:
    resolve = FakeResolver("169.254.169.254")
    await check_host(check(raw), resolve)

    assert resolve.asked == []


async def test_check_does_not_swallow_cancellation() -> None:
    async def resolve(host: str, /) -> list[str]:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await check_host(check("http://example.com/"), resolve)


def spelled(number: int, base: str, zeros: int) -> str:
    forms = {"dec": f"{number}", "oct": f"0{'0' * zeros}{number:o}"}
    return forms.get(base, f"{base}{'0' * zeros}{number:x}")


@st.composite
def ipv4_spellings(draw: st.DrawFn, addresses: st.SearchStrategy[int]) -> tuple[int, str]:
    """An IPv4 address and one of the ways in which a browser lets it be written."""
    address = draw(addresses)
    count = draw(st.integers(1, 4))
    octets = address.to_bytes(4, "big")
    numbers = [*octets[: count - 1], int.from_bytes(octets[count - 1 :], "big")]
    bases = st.sampled_from(["dec", "oct", "0x", "0X"])
    parts = [spelled(number, draw(bases), draw(st.integers(0, 9))) for number in numbers]
    dots = st.sampled_from([".", "%2e", "\u3002", "\uff0e", "\uff61"])
    hidden = ["".join(draw(disguises(char)) for char in part) for part in parts]
    text = hidden[0] + "".join(draw(dots) + part for part in hidden[1:])
    return address, text + draw(st.sampled_from(["", ".", "\u3002"]))


def disguises(char: str) -> st.SearchStrategy[str]:
    wide = chr(ord(char) + 0xFEE0)
    return st.sampled_from([char, char, f"\u00ad{char}", f"{char}\t", f"%{ord(char):02x}", wide])


LINK_LOCAL = st.integers(0, 0xFFFF).map(lambda low: 0xA9FE_0000 | low)
HARMLESS = st.integers(0, 2**32 - 1).filter(
    lambda n: n >> 16 != 0xA9FE and n not in (0x646464C8, 0xA83F8110, 0xC00000C0)
)
PREFIXES = st.sampled_from(
    ["http://", "https://", "HTTP:", "http:\\\\", "http://u:p@", "http://a@b@"]
)
SUFFIXES = st.sampled_from(["", "/", ":80/", "\\@example.com", "?@example.com", "#x", ":/"])


@settings(deadline=None)
@given(PREFIXES, ipv4_spellings(LINK_LOCAL), SUFFIXES)
def test_every_spelling_of_a_metadata_address_is_refused(
    prefix: str, spelling: tuple[int, str], suffix: str
) -> None:
    assert refusal(prefix + spelling[1] + suffix).code is Code.URL_REFUSED


@settings(deadline=None)
@given(ipv4_spellings(HARMLESS))
def test_every_spelling_of_another_address_reads_as_that_address(spelling: tuple[int, str]) -> None:
    address, text = spelling

    assert check(f"http://{text}/").host == str(ipaddress.IPv4Address(address))


@settings(deadline=None)
@given(LINK_LOCAL, st.sampled_from(["::", "::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::"]))
def test_metadata_address_inside_ipv6_is_refused(address: int, prefix: str) -> None:
    tail = f"{address >> 16:x}:{address & 0xFFFF:x}"

    assert refusal(f"http://[{prefix}{tail}]/").code is Code.URL_REFUSED
    assert refusal(f"http://[{prefix}{ipaddress.IPv4Address(address)}]/").code is Code.URL_REFUSED


@settings(deadline=None)
@given(st.text(), st.sampled_from(["", "http://", "file://", "file:///", "x:", "http://["]))
def test_any_text_is_an_address_or_a_named_error(raw: str, start: str) -> None:
    error = None
    try:
        check(start + raw)
    except BrowseError as caught:
        error = caught

    assert error is None or (error.message.isprintable() and error.hint.isprintable())


ODD = st.text(st.sampled_from(list("a0x1.-_:/\\?#@[]% \t\u00df\u3002\uff11\u00ad\u200d\ufffd")))


@settings(deadline=None)
@given(st.sampled_from(["http://", "https:", "HTTP:\\", "http://[::", "http://0x"]), ODD)
def test_admitted_address_is_admitted_again_unchanged(start: str, rest: str) -> None:
    try:
        once = check(start + rest)
    except BrowseError:
        assume(False)

    assert check(once.text) == once
    assert once.host.isascii()


@pytest.mark.parametrize(
    "host",
    [
        "a" * 255,
        "1" * 5000,
        "0" * 255,
        "a." * 128,
        "".join(chr(0x4E00 + 97 * step) for step in range(150)),
        "\u00df\u4e2d" * 200_000,
    ],
    ids=["letters", "digits", "zeros", "labels", "long-once-encoded", "slow-to-encode"],
)
def test_endless_host_is_invalid(host: str) -> None:
    assert refusal(f"http://{host}/").code is Code.USAGE
