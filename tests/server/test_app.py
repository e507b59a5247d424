"""The endpoints of the local listener."""

from browse.dispatch.running import Running
from browse.server.access import Access
from browse.server.app import local_endpoints
from support.fakes import a_daemon, a_runner

ENDPOINTS = local_endpoints(a_daemon(Running(a_runner())))


def test_the_local_listener_serves_exactly_these_to_exactly_these():
    """A new endpoint is written down here, with the decision who may use it."""
    assert {f"{it.method} {it.path}": it.access for it in ENDPOINTS} == {
        "GET /health": Access.ANYONE,
        "POST /command": Access.BEARER,
        "POST /batch": Access.BEARER,
        "GET /connect": Access.ANYONE,
        "POST /connect": Access.ANYONE,
        "POST /pair": Access.OWNER,
        "POST /token": Access.OWNER,
        "DELETE /token/{client}": Access.OWNER,
        "GET /agents": Access.OWNER,
        "GET /activity/stream": Access.VIEWER,
        "GET /activity/history": Access.OWNER,
        "POST /sse-session": Access.OWNER,
        "POST /sidebar-chat": Access.BEARER,
        "GET /file": Access.BEARER,
        "GET /security": Access.VIEWER,
        "POST /tunnel/start": Access.OWNER,
        "POST /tunnel/stop": Access.OWNER,
        "GET /tunnel": Access.OWNER,
    }


def test_every_endpoint_says_what_it_does():
    assert all(it.handler.__doc__ for it in ENDPOINTS)
