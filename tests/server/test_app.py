"""The routes of the local listener."""

from browse.dispatch.running import Running
from browse.server.app import local_routes
from browse.server.identify import Identify
from support.fakes import a_runner


def test_the_local_listener_serves_exactly_these():
    routes = local_routes(Identify("a-token"), Running(a_runner()), dict, project="/tmp")

    assert {route.path: set(route.methods or ()) - {"HEAD"} for route in routes} == {
        "/health": {"GET"},
        "/command": {"POST"},
        "/batch": {"POST"},
    }


def test_every_route_says_what_it_does():
    routes = local_routes(Identify("a-token"), Running(a_runner()), dict, project="/tmp")

    assert all(route.endpoint.__doc__ for route in routes)
