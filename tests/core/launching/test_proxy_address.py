import pytest

from browse.core.launching.proxy_address import DIRECT, ProxyAddress, proxy_address


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("socks5://proxy.test", ProxyAddress("socks5", "proxy.test", 1080)),
        ("SOCKS5H://Proxy.test:9050/", ProxyAddress("socks5h", "proxy.test", 9050)),
        ("http://10.0.0.1:3128", ProxyAddress("http", "10.0.0.1", 3128)),
        ("https://[::1]", ProxyAddress("https", "::1", 443)),
        ("http://a:b%40c@p", ProxyAddress("http", "p", 80, ("a", "b@c"))),
        (" off ", DIRECT),
    ],
)
def test_an_address_is_read(raw, expected):
    assert proxy_address(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        "proxy.test:1080",
        "ftp://proxy.test",
        "socks4://proxy.test",
        "socks5://",
        "socks5://proxy.test:0",
        "socks5://proxy.test:99999",
        "socks5://proxy.test:x",
        "socks5://proxy.test/path",
        "socks5://proxy.test?a",
        "socks5://only-a-user@proxy.test",
        "socks5://:only-a-password@proxy.test",
        "socks5://a:b c@proxy.test",
        "socks5://a%0d:b@proxy.test",
        "http://a%3ab:c@proxy.test",
        f"socks5://a:{'x' * 256}@proxy.test",
        "socks5://[::1",
    ],
)
def test_what_is_no_address_is_refused_without_being_quoted(raw):
    with pytest.raises(ValueError, match=r"^an address") as raised:
        proxy_address(raw)

    assert "proxy.test" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_no_form_of_it_shows_the_login():
    address = ProxyAddress("socks5", "::1", 1080, ("ada", "secret"))

    assert "secret" not in f"{address} {address!r}"
    assert str(address) == "socks5://[::1]:1080"
