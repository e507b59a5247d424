"""The endpoints of the local listener."""

from browse.dispatch.running import Running
from browse.server.access import EndpointAccess
from browse.server.app import local_endpoints
from browse.server.sources import Sources
from support.fakes import a_daemon, a_runner

ENDPOINTS = local_endpoints(a_daemon(Running(a_runner())))


def test_the_local_listener_serves_exactly_these_to_exactly_these():
    """A new endpoint is written down here, with the decision who may use it."""
    assert {f"{it.method} {it.path}": it.access for it in ENDPOINTS} == {
        "GET /health": EndpointAccess.ANYONE,
        "POST /command": EndpointAccess.BEARER,
        "POST /batch": EndpointAccess.BEARER,
        "POST /command/batch": EndpointAccess.BEARER,
        "GET /connect": EndpointAccess.ANYONE,
        "POST /connect": EndpointAccess.ANYONE,
        "POST /pair": EndpointAccess.OWNER,
        "POST /token": EndpointAccess.OWNER,
        "DELETE /token/{client}": EndpointAccess.OWNER,
        "GET /agents": EndpointAccess.OWNER,
        "GET /activity/stream": EndpointAccess.VIEWER,
        "GET /activity/history": EndpointAccess.OWNER,
        "POST /sse-session": EndpointAccess.OWNER,
        "POST /sidebar-chat": EndpointAccess.BEARER,
        "GET /file": EndpointAccess.BEARER,
        "GET /inbox": EndpointAccess.VIEW,
        "POST /inbox": EndpointAccess.VIEW,
        "POST /inspector/pick": EndpointAccess.OWNER,
        "POST /inspector/apply": EndpointAccess.OWNER,
        "POST /inspector/reset": EndpointAccess.OWNER,
        "GET /inspector": EndpointAccess.OWNER,
        "GET /inspector/history": EndpointAccess.OWNER,
        "GET /inspector/events": EndpointAccess.VIEWER,
        "POST /mcp": EndpointAccess.BEARER,
        "GET /memory": EndpointAccess.OWNER,
        "GET /refs": EndpointAccess.OWNER,
        "GET /security": EndpointAccess.VIEWER,
        "POST /tunnel/start": EndpointAccess.OWNER,
        "POST /tunnel/stop": EndpointAccess.OWNER,
        "GET /tunnel": EndpointAccess.OWNER,
        "POST /page-session": EndpointAccess.ANYONE,
        "GET /": EndpointAccess.ANYONE,
        "GET /welcome": EndpointAccess.ANYONE,
        "GET /view": EndpointAccess.ANYONE,
        "GET /cookie-picker": EndpointAccess.ANYONE,
        "GET /assets/{name}": EndpointAccess.ANYONE,
        "GET /dashboard/facts": EndpointAccess.DASHBOARD,
        "GET /dashboard/events": EndpointAccess.DASHBOARD,
        "GET /dashboard/picture/{tab}": EndpointAccess.DASHBOARD,
        "POST /dashboard/close-tab": EndpointAccess.DASHBOARD,
        "POST /dashboard/revoke": EndpointAccess.DASHBOARD,
        "GET /cookie-picker/browsers": EndpointAccess.COOKIE_PICKER,
        "GET /cookie-picker/profiles": EndpointAccess.COOKIE_PICKER,
        "GET /cookie-picker/domains": EndpointAccess.COOKIE_PICKER,
        "GET /cookie-picker/imported": EndpointAccess.COOKIE_PICKER,
        "POST /cookie-picker/import": EndpointAccess.COOKIE_PICKER,
        "POST /cookie-picker/remove": EndpointAccess.COOKIE_PICKER,
        "POST /pty-session": EndpointAccess.TERMINAL,
        "POST /pty-session/reattach": EndpointAccess.TERMINAL,
        "POST /pty-restart": EndpointAccess.TERMINAL,
        "POST /pty-dispose": EndpointAccess.TERMINAL,
        "POST /pty-inject-scan": EndpointAccess.TERMINAL,
    }


def test_pages_may_use_exactly_these():
    """A page of ours or our extension that may call an endpoint is written down here."""
    assert {f"{it.method} {it.path}": it.sources for it in ENDPOINTS if it.sources} == {
        "GET /inbox": Sources.OWN_PAGES | Sources.EXTENSION,
        "POST /inbox": Sources.OWN_PAGES | Sources.EXTENSION,
        **dict.fromkeys(
            [
                "POST /command",
                "GET /activity/stream",
                "GET /activity/history",
                "GET /file",
                "GET /security",
                "POST /inspector/pick",
                "POST /inspector/apply",
                "POST /inspector/reset",
                "GET /inspector",
                "GET /inspector/history",
                "GET /inspector/events",
                "GET /memory",
                "GET /refs",
            ],
            Sources.EXTENSION,
        ),
        "POST /page-session": Sources.OWN_PAGES | Sources.EXTENSION,
        "POST /mcp": Sources.OWN_PAGES,
        "GET /": Sources.OWN_PAGES,
        "GET /welcome": Sources.OWN_PAGES,
        "GET /view": Sources.OWN_PAGES,
        "GET /cookie-picker": Sources.OWN_PAGES,
        "GET /cookie-picker/browsers": Sources.OWN_PAGES,
        "GET /cookie-picker/profiles": Sources.OWN_PAGES,
        "GET /cookie-picker/domains": Sources.OWN_PAGES,
        "GET /cookie-picker/imported": Sources.OWN_PAGES,
        "POST /cookie-picker/import": Sources.OWN_PAGES,
        "POST /cookie-picker/remove": Sources.OWN_PAGES,
        "GET /assets/{name}": Sources.OWN_PAGES,
        "GET /dashboard/facts": Sources.OWN_PAGES,
        "GET /dashboard/events": Sources.OWN_PAGES,
        "GET /dashboard/picture/{tab}": Sources.OWN_PAGES,
        "POST /dashboard/close-tab": Sources.OWN_PAGES,
        "POST /dashboard/revoke": Sources.OWN_PAGES,
        "POST /pty-session": Sources.OWN_PAGES | Sources.EXTENSION,
        "POST /pty-session/reattach": Sources.OWN_PAGES | Sources.EXTENSION,
        "POST /pty-restart": Sources.OWN_PAGES | Sources.EXTENSION,
        "POST /pty-dispose": Sources.OWN_PAGES | Sources.EXTENSION,
        "POST /pty-inject-scan": Sources.OWN_PAGES | Sources.EXTENSION,
    }


def test_every_endpoint_says_what_it_does():
    assert all(it.handler.__doc__ for it in ENDPOINTS)
