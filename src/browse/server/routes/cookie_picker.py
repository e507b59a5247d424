"""The cookie picker: which browsers, profiles and domains there are, import and remove.

No endpoint returns a value of a cookie, nor a name, except of one that could not be imported.
"""

import time
from collections import Counter

import msgspec
from msgspec.structs import replace
from starlette.requests import Request

from browse.auth.caller import Caller
from browse.browser.storage.cookies import read_cookies
from browse.cookies.browsers import named
from browse.cookies.everyday import EverydayBrowsers
from browse.dispatch.call import Call
from browse.guard.files import NO_FILES
from browse.registry.params import SESSION, Surroundings
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.routes.command import answer
from browse.server.services import Services
from browse.server.sources import Sources

# The name under which the audit log has what a person does at the picker.
NAME = "cookie-picker"
MAX_BYTES = 1024 * 1024


class DomainsToImport(msgspec.Struct, forbid_unknown_fields=True):
    """Domains of a profile, for a session."""

    browser: str
    domains: list[str]
    profile: str | None = None
    session: str = ""


class DomainsToRemove(msgspec.Struct, forbid_unknown_fields=True):
    """Domains whose cookies are to be removed from a session."""

    domains: list[str]
    session: str = ""


def endpoints(services: Services) -> list[Endpoint]:
    """Build the endpoints of the picker."""
    return [*_reading(services), *_acting(services)]


def _reading(services: Services) -> list[Endpoint]:
    def everyday() -> EverydayBrowsers:
        return services.running.runner.parts.everyday

    async def browsers(_: Request, __: Caller) -> reply.Reply:
        """List the browsers with cookies on this machine: `{browsers: [{name, title}]}`."""
        here = [it for it, _ in await everyday().installed()]
        return reply.facts({"browsers": [{"name": it.name, "title": it.title} for it in here]})

    async def profiles(request: Request, _: Caller) -> reply.Reply:
        """List the profiles of `?browser=`: `{profiles: [{folder, name, account, title}]}`."""
        wanted = named(request.query_params.get("browser", ""))
        found = [its for it, its in await everyday().installed() if it is wanted]
        rows = [
            {"folder": it.folder, "name": it.name, "account": it.account, "title": it.title}
            for its in found
            for it in its
        ]
        return reply.facts({"profiles": rows})

    async def domains(request: Request, _: Caller) -> reply.Reply:
        """Count the cookies of `?browser=&profile=`: `{page: {domains: [{domain, count}]}}`."""
        browser = named(request.query_params.get("browser", ""))
        profile = await everyday().profile(browser, request.query_params.get("profile"))
        return _counted(await everyday().domains(browser, profile, time.time()))

    async def imported(request: Request, _: Caller) -> reply.Reply:
        """Count the imported cookies of `?session=`, in the form of `/cookie-picker/domains`."""
        browser = services.running.runner.parts.browser
        tabs = await browser.tabs(_session(request.query_params.get("session", "")))
        rows = await read_cookies(tabs.context)
        hosts = Counter(row.get("domain", "").removeprefix(".") for row in rows)
        ours = browser.imported.domains
        return _counted(Counter({host: count for host, count in hosts.items() if host in ours}))

    ours, own = EndpointAccess.COOKIE_PICKER, Sources.OWN_PAGES
    return [
        Endpoint("GET", "/cookie-picker/browsers", ours, browsers, own),
        Endpoint("GET", "/cookie-picker/profiles", ours, profiles, own),
        Endpoint("GET", "/cookie-picker/domains", ours, domains, own),
        Endpoint("GET", "/cookie-picker/imported", ours, imported, own),
    ]


def _acting(services: Services) -> list[Endpoint]:
    async def take(request: Request, caller: Caller) -> reply.Reply:
        """Import cookies: `{browser, domains, profile?, session?}`.

        Answers as `cookie-import-browser --json`.
        """
        sent = body.decode(await body.read(request, MAX_BYTES), DomainsToImport)
        words = [f"--profile={sent.profile}"] if sent.profile is not None else []
        words += [f"--domain={','.join(sent.domains)}", "--", sent.browser]
        return await run(request, caller, sent.session, "cookie-import-browser", *words)

    async def remove(request: Request, caller: Caller) -> reply.Reply:
        """Remove cookies: `{domains, session?}`. Answers as `cookies clear --json`."""
        sent = body.decode(await body.read(request, MAX_BYTES), DomainsToRemove)
        domains = f"--domain={','.join(sent.domains)}"
        return await run(request, caller, sent.session, "cookies", "--clear", domains)

    async def run(request: Request, who: Caller, session: str, *words: str) -> reply.Reply:
        services.running.admit()
        first, *rest = words
        caller = replace(who, agent=NAME)
        call = Call((first, "--json", *rest), caller, services.project, session=_session(session))
        return await answer(call, services, request)

    ours, own = EndpointAccess.COOKIE_PICKER, Sources.OWN_PAGES
    return [
        Endpoint("POST", "/cookie-picker/import", ours, take, own),
        Endpoint("POST", "/cookie-picker/remove", ours, remove, own),
    ]


def _session(name: str) -> str:
    """Check the name of a session; "" for the usual one."""
    return str(SESSION.parse(name, Surroundings("/", NO_FILES))) if name else ""


def _counted(found: Counter[str]) -> reply.Reply:
    rows = [{"domain": domain, "count": count} for domain, count in sorted(found.items())]
    return reply.rendered({"page": {"domains": rows}})
