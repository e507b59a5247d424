"""What leaves this machine goes through the proxy that the owner set, and the rules hold.

The site answers under names that only the proxies know, so an answer shows the way that it took.
"""

from contextlib import closing, suppress

import psutil
import pytest

from support.certificates import Authority, http2_site, secure_echo, secure_site
from support.proxies import LOGIN, ServingProxy

pytestmark = [pytest.mark.e2e, pytest.mark.issue(17)]
NAMES = dict.fromkeys(("site.test", "other.test", "ca.test"), "127.0.0.1")
SECRET = LOGIN[1]
HEARD = """new Promise((done, failed) => {
  const link = new WebSocket('wss://site.test:PORT/');
  link.onopen = () => link.send('hello');
  link.onmessage = (event) => done(event.data);
  link.onerror = () => failed(new Error('no connection'));
})"""


@pytest.fixture
def socks():
    made = ServingProxy(names=NAMES)
    yield made
    made.close()


@pytest.fixture
def http():
    made = ServingProxy("http", names=NAMES)
    yield made
    made.close()


def told(project) -> str:
    """What is written down or visible of the daemon and its programs, but for the private note."""
    folder = project.root / ".gstack"
    files = [it for it in folder.rglob("*") if it.is_file() and it.name != "browse-start-options"]
    daemon = psutil.Process(project.state()["pid"])
    seen = daemon.cmdline()
    for process in daemon.children(recursive=True):
        with suppress(psutil.Error):  # some of Chromium's end by themselves
            seen += [*process.cmdline(), *process.environ().values()]
    return "\n".join([*seen, *(it.read_text(errors="replace") for it in files)])


def test_pages_come_through_a_proxy_with_a_login_and_its_rules_hold(project, site, socks):
    site.page("/through", "<p>through")
    page = f"http://site.test:{site.port}/through"

    denied = project.browse("goto", page, "--proxy", socks.url(("ada", "wrong"), "socks5h"))
    project.ok("goto", page, "--proxy", socks.url(LOGIN, "socks5h"))
    text = project.ok("text").page
    status = project.ok("status")
    others = [project.browse("url", "--proxy", it) for it in ("http://h:1", "off", socks.url())]
    refused = project.browse("goto", "http://169.254.169.254/")
    unreached = project.browse("goto", f"http://elsewhere.test:{site.port}/")

    assert (text, denied.code, refused.code) == ("through", 1, 4)
    assert "does not accept the user name and password; no page was opened" in denied.err
    assert f"Proxy: socks5h://127.0.0.1:{socks.port} (with a login; it looks up" in status.out
    assert {(it.code, "browse restart" in it.err) for it in others} == {(4, True)}
    assert "the proxy socks5h://127.0.0.1" in unreached.err
    asked = {host for host, port, _ in socks.asked if port != socks.port}
    assert asked == {"site.test", "elsewhere.test"}
    said = "".join(it.out + it.err for it in (denied, status, *others, refused, unreached))
    assert SECRET not in told(project) + said


def test_the_proxy_holds_until_the_daemon_is_stopped(project, site, socks, http):
    site.page("/kept", "<p>kept")
    page = f"http://site.test:{site.port}/kept"
    login = {"BROWSE_PROXY_USER": LOGIN[0], "BROWSE_PROXY_PASS": SECRET}

    project.ok("url", "--proxy", socks.url(LOGIN, "socks5h"))
    psutil.Process(project.state()["pid"]).kill()
    # A daemon that was lost comes back with its proxy, also if another option is given now.
    project.ok("goto", page, "--chromium-flag", "kiosk")
    socks.close()
    down = project.browse("goto", f"{page}?again")
    project.ok("restart", "--proxy", http.url(), BROWSE_PROXY_DNS="proxy", **login)
    project.ok("goto", page)
    seen = told(project)
    project.ok("stop")
    note = project.root / ".gstack" / "browse-start-options"

    assert "cannot be reached: nothing listens there (ERR_PROXY_CONNECTION_FAILED)" in down.err
    assert ("site.test", site.port, True) in http.asked
    assert SECRET not in seen
    assert not note.exists()


def test_tls_is_excepted_for_named_hosts_through_a_proxy_with_tls(project, tmp_path):
    authority = Authority(tmp_path)
    nobody = authority.server("any.test", is_signed=False)
    proxy = ServingProxy("http", names=NAMES, tls=authority.server("localhost"))
    address = f"https://{':'.join(LOGIN)}@localhost:{proxy.port}"
    asking = {"BROWSE_PROXY_DNS": "proxy"}
    with (
        closing(proxy),
        secure_site(nobody) as bad,
        secure_site(authority.server("ca.test")) as good,
        http2_site(authority.pem("any.test", is_signed=False)) as second,
        secure_echo(nobody) as echo,
    ):
        untrusted = project.browse("url", "--proxy", address, **asking)
        options = ["--proxy", address, "--ca-cert", str(authority.file)]
        options += ["--ignore-tls", "site.test"]
        ignored = project.ok("goto", f"https://site.test:{bad}/", *options, **asking)
        fetched = project.ok("js", "fetch('/').then((answer) => answer.text())").page
        heard = project.ok("js", HEARD.replace("PORT", str(echo))).page
        saved = project.ok("download", f"https://site.test:{bad}/", str(project.root / "x.html"))
        project.ok("goto", f"https://site.test:{second}/")
        version = project.ok("text").page
        trusted = project.ok("goto", f"https://ca.test:{good}/")
        text = project.ok("text").page
        others = [
            project.browse("goto", f"https://other.test:{port}/") for port in (bad, good)
        ]  # of nobody, and of the CA for another name
        local = project.ok("goto", f"https://localhost:{bad}/")

    assert "has a TLS certificate that is not trusted" in untrusted.err
    assert "--ca-cert <file>" in untrusted.err
    assert "[warning] the TLS certificate of site.test is not trusted" in ignored.out
    assert (fetched, text) == ("<p>secure site.test", "secure ca.test")
    assert (heard, version) == ("heard hello", "by HTTP/2.0")
    assert "Downloaded" in saved.out
    assert "warning" not in trusted.out
    assert {("ERR_CERT" in it.err, "--ca-cert" in it.err, it.code) for it in others} == {
        (True, True, 1)
    }
    assert "taken because it is on this machine" in local.out
    assert {host for host, _, _ in proxy.asked} >= {"site.test", "ca.test", "other.test"}
    assert "localhost" not in {host for host, port, _ in proxy.asked if port != proxy.port}
