"""The declarations of `fleet …`, which run without a daemon of this project.

Like those of set-up, they import what they need when they run: Dask is nobody else's cost.
"""

from collections.abc import Callable
from typing import Annotated, Literal

from browse.core.scopes import Scope
from browse.registry.params import Doc, whole
from browse.registry.results import Text
from browse.registry.spec import Family, Group, Lane, command

Say = Callable[[str], None]
HERE = "browse.fleet"
MAX_WORKERS, MAX_TABS = 64, 64

FLEET = Family(
    "fleet",
    Group.FLEET,
    "Use many machines: send pages to their browsers, or run commands there.",
    """Dask distributed places the work (the extra `fleet`); each worker has an ordinary daemon, in
which tabs, sessions and logins stay. All connections are encrypted, and both sides need keys:
whoever has a key may run code on every machine of the fleet.""",
    default="status",
)
Workers = Annotated[int, whole(0, MAX_WORKERS)]
Many = Annotated[int, whole(1, 100_000)]
Tabs = Annotated[int, whole(1, MAX_TABS)]
Port = Annotated[int, whole(0, 65_535)]
Retries = Annotated[int, whole(0, 100)]
Seconds = Annotated[int, whole(1, 3600)]


@command(family=FLEET, scope=Scope.ROOT, lane=Lane.FREE, runs_here=HERE, deadline=None)
async def fleet_up(
    say: Say,
    *,
    local: Annotated[Workers, Doc("How many workers to start on this machine.")] = 0,
    tabs: Annotated[Tabs, Doc("How many pages each of them has open at once.")] = 2,
    listen: Annotated[str, Doc("The address of this machine where other machines reach it.")] = "",
    port: Annotated[Port, Doc("The port of the head.")] = 8786,
    dashboard: Annotated[bool, Doc("Offer Dask's own dashboard, to this machine only.")] = False,
) -> Text:
    """Start the head of a fleet on this machine, and workers beside it.

    Without --listen only this machine reaches it. A second `up` starts the workers that are
    missing. The dashboard needs `bokeh` and asks nobody who they are.

    Examples:
      browse fleet up --local 2
      browse fleet up --listen 10.0.0.5 --port 8786
    """
    from browse.fleet import running

    return await running.up(say, local, tabs, listen, port, dashboard=dashboard)


@command(family=FLEET, scope=Scope.ROOT, lane=Lane.FREE, runs_here=HERE, deadline=None)
async def fleet_keys(
    say: Say,
    name: Annotated[str, Doc("The machine that shall join.")] = "",
    *,
    renew: Annotated[bool, Doc("Make all keys anew; those that there are end.")] = False,
) -> Text:
    """Make the keys of a fleet, or those of another machine, which are copied there.

    The file is private. Copy it over a safe channel, to `~/.gstack/fleet/keys.pem` of that machine.
    Keys are valid for a year.

    Examples:
      browse fleet keys
      browse fleet keys m3
    """
    from browse.fleet import running

    return running.make_keys(name, renew=renew)


@command(family=FLEET, scope=Scope.ROOT, lane=Lane.FREE, runs_here=HERE, deadline=None)
async def fleet_join(
    say: Say,
    address: Annotated[str, Doc("The head, as `fleet up` prints it.")],
    *,
    name: Annotated[str, Doc("What the worker is called; default: this machine's name.")] = "",
    tabs: Annotated[Tabs, Doc("How many pages it has open at once.")] = 2,
    keys: Annotated[str, Doc("The file with the keys; default: ~/.gstack/fleet/keys.pem.")] = "",
    listen: Annotated[str, Doc("The address of this machine where the fleet reaches it.")] = "",
) -> Text:
    """Be a worker of a fleet, until Ctrl-C or until the fleet goes down.

    If the head is lost, the worker waits until it is back; its daemon keeps tabs and logins.

    Examples:
      browse fleet join tls://10.0.0.5:8786
      browse fleet join tls://10.0.0.5:8786 --name m3 --tabs 4
    """
    from browse.fleet import running

    return await running.join(say, address, name, tabs, keys, listen)


@command(family=FLEET, scope=Scope.ROOT, lane=Lane.FREE, runs_here=HERE, deadline=None)
async def fleet_status(say: Say) -> Text:
    """List the workers of the fleet, and what they do.

    Examples:
      browse fleet status
      browse fleet --json
    """
    from browse.fleet import running

    return await running.status()


@command(
    family=FLEET,
    scope=Scope.ROOT,
    lane=Lane.FREE,
    runs_here=HERE,
    deadline=None,
    destroys=True,
)
async def fleet_down(say: Say) -> Text:
    """End the fleet: all workers, each with its daemon, and the head.

    Examples:
      browse fleet down
    """
    from browse.fleet import running

    return await running.down()


@command(family=FLEET, scope=Scope.ROOT, lane=Lane.FREE, runs_here=HERE, deadline=None)
async def fleet_map(
    say: Say,
    urls: Annotated[str, Doc("Addresses: a file with one a line, .csv or .xml; - for stdin.")],
    *,
    do: Annotated[
        str, Doc("What is done with each page: a command, or several with bars between.")
    ] = "",
    out: Annotated[
        str, Doc("The file for the results, .jsonl or .parquet; default: stdout.", metavar="file")
    ] = "",
    resume: Annotated[bool, Doc("Go on with a file that has results already.")] = False,
    column: Annotated[str, Doc("The column of a CSV file that has the addresses.")] = "",
    per_host: Annotated[
        str, Doc("At most so many pages of a host: 2/s, 30/m, 100/h.", metavar="rate")
    ] = "",
    retries: Annotated[Retries, Doc("How often a page that only was read is tried again.")] = 2,
    robots: Annotated[bool, Doc("Leave out what robots.txt asks programs to leave alone.")] = False,
    on: Annotated[
        str, Doc("Only on this worker, in this session of it.", metavar="worker[/session]")
    ] = "",
    timeout: Annotated[Seconds, Doc("How many seconds a page may take in all.")] = 60,
) -> Text:
    """Do something with every page of a list, on all workers; write a line of JSON for each.

    Each page is opened first, unless `{url}` stands in --do. A line has the page's number in the
    list (`n`), its `state` (done, failed or unknown) and what the commands say with --json: what
    the page wrote is below `page`. The file is complete up to the moment of any kill, and --resume
    does the rest.

    Commands that only read are tried again, elsewhere if need be. One that changes something runs
    at most once for each page; if it is lost on the way, its page is `unknown`.

    Examples:
      browse fleet map urls.txt --do 'text --main' --out results.jsonl
      browse fleet map urls.txt --do 'text --main' --out results.jsonl --resume
      browse fleet map shops.csv --column site --do 'data | links' --per-host 2/s --robots
      browse fleet map urls.txt --do 'skill run price-list --arg url={url}' --out prices.jsonl
    """
    from browse.fleet import runs

    return await runs.map_pages(
        urls, do, out, resume=resume, column=column, per_host=per_host, retries=retries,
        robots=robots, on=on, timeout_s=timeout,
    )  # fmt: skip


@command(
    family=FLEET,
    scope=Scope.ROOT,
    lane=Lane.FREE,
    runs_here=HERE,
    deadline=None,
    runs_words=True,
)
async def fleet_run(
    say: Say,
    worker: Annotated[str, Doc("Where: a worker, and a session of it if you like.")],
    *command: Annotated[str, Doc("Any command of browse, as it is typed on that machine.")],
) -> Text:
    """Run a command on one machine of the fleet; output and exit code are the command's.

    `browse --on m3/shop goto …` is the same as `browse fleet run m3/shop goto …`. Files that it
    names are on that machine.

    Examples:
      browse fleet run m3 status
      browse fleet run m3/shop goto https://shop.example/login
    """
    from browse.fleet import runs

    return await runs.run_words(worker, command)


@command(family=FLEET, scope=Scope.ROOT, lane=Lane.FREE, runs_here=HERE, deadline=None)
async def fleet_config(
    say: Say,
    kind: Annotated[
        Literal["ssh", "slurm", "kubernetes"], Doc("What starts programs on the machines.")
    ],
    address: Annotated[str, Doc("The head, as the workers reach it.")],
    *,
    workers: Annotated[Many, Doc("How many workers.")] = 4,
    tabs: Annotated[Tabs, Doc("How many pages each has open at once.")] = 2,
    hosts: Annotated[str, Doc("ssh: the machines, with commas between.")] = "",
    image: Annotated[str, Doc("kubernetes: an image with browse and a Chromium.")] = "",
) -> Text:
    """Print what starts workers on many machines: a shell script, a SLURM job, a Deployment.

    Examples:
      browse fleet config ssh tls://10.0.0.5:8786 --hosts m1,m2
      browse fleet config slurm tls://10.0.0.5:8786 --workers 50
      browse fleet config kubernetes tls://10.0.0.5:8786 --image registry/browse:1
    """
    from browse.fleet import clusters

    return clusters.written(kind, address, workers, tabs, hosts, image)
