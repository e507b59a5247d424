"""The rules of `browse.guard`, and by which channels each is enforced.

One cell for every rule and channel: the module that enforces it with a test that shows it, a reason
why it does not apply, or a gap. `tests/meta/test_guard_table.py` walks the table; `tools/gen.py`
writes docs/security/rules.md from it.
"""

from tools.guard_cells import Cell, Channel, Enforced, Inapplicable, Rule
from tools.guard_decisions import (
    AFAR,
    ANEW,
    AS_PAGE,
    AS_REQUEST,
    BEFORE,
    CONFINED,
    FOREIGN,
    NO_ADDRESS,
    NO_CALL,
    NO_FILE,
    NO_METHOD,
    NO_REPLY,
    NO_REQUEST,
    SAME_TYPES,
)


def _cells(*groups: tuple[Cell, tuple[Channel, ...]]) -> dict[Channel, Cell]:
    return {channel: cell for cell, channels in groups for channel in channels}


def _at(cell: Cell, *channels: Channel) -> tuple[Cell, tuple[Channel, ...]]:
    return cell, channels


C = Channel
_PROXY, _RULES = "browser/network/socks_proxy.py", "browser/network/request_rules.py"
_NET = "tests/e2e/network/test_network_rules.py"
_ALL_WAYS = f"{_NET}::test_pages_do_not_reach_metadata_addresses_in_any_way"
_ESCAPES = f"{_NET}::test_nothing_of_a_fenced_tab_gets_out_to_another_domain"
_DOMAINS = f"{_NET}::test_only_allowed_domains_are_reached_loopback_included"
_READS = f"{_NET}::test_read_only_browser_sends_nothing_but_reads"
_FILES, _LOCAL = "browser/network/file_requests.py", "tests/e2e/security/test_local_files.py"
_CALLS = f"{_NET}::test_a_read_only_browser_sends_nothing_by_calls_either"
_SILENT = Enforced(
    "browser/network/silent_senders.py",
    "tests/e2e/network/test_silent_senders.py::test_nothing_of_a_fenced_tab_gets_out_silently",
)
_SOCKS = "tests/browser/network/test_socks_proxy.py"
_CALLS_END = f"{_SOCKS}::test_calls_between_browsers_end_here_while_there_are_rules"
_HELD, _THERE = "browser/attach/held_requests.py", "tests/e2e/attach/test_attach.py"
_HELD_THERE = Enforced(
    _HELD,
    "tests/browser/attach/test_passage.py"
    "::test_requests_are_held_in_our_pages_only_and_before_they_begin",
)
_HOSTS_THERE = Enforced(
    _PROXY, f"{_SOCKS}::test_hosts_are_checked_for_a_browser_that_does_not_use_the_proxy"
)
_UP = "tests/browser/network/test_upstream.py"
_BEHIND = Enforced(_PROXY, f"{_UP}::test_rules_about_hosts_hold_before_the_proxy")

RULES = (
    Rule(
        "Metadata addresses",
        "Nothing connects to cloud metadata services and link-local addresses.",
        ("urls", "hosts", "resolver"),
        _cells(
            _at(Enforced(_PROXY, f"{_UP}::test_address_rules_hold_before_the_proxy"), C.PROXY),
            _at(
                Enforced(
                    _HELD,
                    f"{_THERE}::test_only_what_is_ours_or_taken_is_used_and_all_else_stays",
                ),
                C.ATTACHED,
            ),
            _at(
                Enforced(
                    "guard/urls.py",
                    "tests/guard/test_urls.py::test_every_spelling_of_a_metadata_address_is_refused",
                ),
                C.ARGUMENT,
            ),
            _at(
                Enforced(
                    _PROXY, f"{_NET}::test_redirect_to_a_metadata_address_is_refused_and_told"
                ),
                C.REDIRECT,
            ),
            _at(Enforced(_PROXY, _ALL_WAYS), C.FRAME, C.WORKER),
            _at(
                Enforced(_PROXY, f"{_SOCKS}::test_metadata_addresses_are_refused_and_remembered"),
                C.CALL,
            ),
            _at(AS_PAGE, C.FILE),
            _at(
                Enforced(
                    _PROXY,
                    f"{_SOCKS}::test_name_that_changes_its_address_is_checked_when_it_is_used",
                ),
                C.RELOAD,
            ),
            _at(_SILENT, C.PREFETCH),
            _at(NO_ADDRESS, C.UPLOAD),
            _at(FOREIGN, C.DOWNLOAD),
            _at(SAME_TYPES, C.SKILL, C.TUNNEL),
        ),
    ),
    Rule(
        "Schemes",
        "Callers open http, https, file and about:blank addresses only.",
        ("urls",),
        _cells(
            _at(NO_REQUEST, C.PROXY),
            _at(NO_REQUEST, C.ATTACHED),
            _at(
                Enforced(
                    "guard/urls.py",
                    "tests/guard/test_urls.py::test_scheme_refusal_has_its_promised_words",
                ),
                C.ARGUMENT,
            ),
            _at(
                Inapplicable("Chromium refuses redirects and links to its own pages and to files"),
                *(C.REDIRECT, C.FRAME, C.RELOAD, C.WORKER, C.CALL, C.PREFETCH),
            ),
            _at(Inapplicable("the rule on reading files decides"), C.FILE),
            _at(NO_ADDRESS, C.UPLOAD),
            _at(FOREIGN, C.DOWNLOAD),
            _at(SAME_TYPES, C.SKILL, C.TUNNEL),
        ),
    ),
    Rule(
        "Domains of the daemon",
        "With `BROWSE_ALLOWED_DOMAINS`, nothing connects to other hosts.",
        ("sites", "domains", "hosts"),
        _cells(
            _at(_BEHIND, C.PROXY),
            _at(_HOSTS_THERE, C.ATTACHED),
            _at(Enforced("guard/sites.py", _DOMAINS), C.ARGUMENT),
            _at(Enforced(_PROXY, _DOMAINS), C.REDIRECT, C.FRAME, C.WORKER, C.DOWNLOAD),
            _at(Enforced(_PROXY, f"{_SOCKS}::test_only_allowed_domains_pass"), C.CALL),
            _at(ANEW, C.RELOAD),
            _at(AS_PAGE, C.FILE),
            _at(_SILENT, C.PREFETCH),
            _at(NO_ADDRESS, C.UPLOAD),
            _at(SAME_TYPES, C.SKILL, C.TUNNEL),
        ),
    ),
    Rule(
        "Domains of a tab",
        "With `--allowed-domains` or `pair-agent --domain`, a tab sends nothing to other hosts.",
        ("domains", "hosts"),
        _cells(
            _at(_BEHIND, C.PROXY),
            _at(
                Enforced(
                    _HELD,
                    f"{_THERE}::test_what_holds_there_is_said_and_what_concerns_all_of_it_is_refused",
                ),
                C.ATTACHED,
            ),
            _at(
                Enforced(
                    "dispatch/gates.py",
                    "tests/e2e/remote/test_agents.py::test_a_token_for_one_domain_goes_nowhere_else",
                ),
                C.ARGUMENT,
                C.FILE,
            ),
            _at(Enforced(_RULES, _ESCAPES), C.REDIRECT, C.FRAME, C.WORKER, C.DOWNLOAD),
            _at(Enforced("browser/network/client_hello.py", _CALLS_END), C.CALL),
            _at(
                Enforced(
                    _RULES,
                    f"{_NET}::test_fence_holds_for_one_tab_for_pages_that_are_there_"
                    "and_until_it_is_lifted",
                ),
                C.RELOAD,
            ),
            _at(_SILENT, C.PREFETCH),
            _at(AS_REQUEST, C.UPLOAD),
            _at(Inapplicable("a skill works with the limits of the tab that it is in"), C.SKILL),
            _at(
                Enforced(
                    _RULES,
                    "tests/e2e/remote/test_agents.py"
                    "::test_what_a_page_of_such_an_agent_asks_for_elsewhere_is_blocked",
                ),
                C.TUNNEL,
            ),
        ),
    ),
    Rule(
        "Read only",
        "With `BROWSE_READONLY`, pages send GET and HEAD requests only.",
        (),
        _cells(
            _at(BEFORE, C.PROXY),
            _at(_HELD_THERE, C.ATTACHED),
            _at(Inapplicable("commands act on the page, and its requests are held"), C.ARGUMENT),
            _at(Enforced(_RULES, _READS), C.FRAME, C.WORKER),
            _at(Enforced("browser/network/client_hello.py", _CALLS), C.CALL),
            _at(Inapplicable("a redirect keeps the method or makes it GET"), C.REDIRECT),
            _at(ANEW, C.RELOAD),
            _at(AS_PAGE, C.FILE),
            _at(_SILENT, C.PREFETCH),
            _at(AS_REQUEST, C.UPLOAD),
            _at(Inapplicable("a download is a GET request"), C.DOWNLOAD),
            _at(Inapplicable("the setting is the browser's, whoever uses it"), C.SKILL, C.TUNNEL),
        ),
    ),
    Rule(
        "Blocklist",
        "With `BROWSE_CONTENT_FILTER=block`, nothing connects to hosts that collect data.",
        ("blocklist", "sites"),
        _cells(
            _at(_BEHIND, C.PROXY),
            _at(_HOSTS_THERE, C.ATTACHED),
            _at(
                Enforced(
                    "guard/sites.py",
                    "tests/guard/test_sites.py::test_filter_decides_about_the_blocklist",
                ),
                C.ARGUMENT,
            ),
            _at(
                Enforced(
                    _PROXY,
                    f"{_SOCKS}::test_hosts_of_the_blocklist_are_refused_if_that_is_set",
                ),
                *(C.REDIRECT, C.FRAME, C.WORKER, C.CALL, C.DOWNLOAD),
            ),
            _at(ANEW, C.RELOAD),
            _at(AS_PAGE, C.FILE),
            _at(_SILENT, C.PREFETCH),
            _at(NO_ADDRESS, C.UPLOAD),
            _at(SAME_TYPES, C.SKILL, C.TUNNEL),
        ),
    ),
    Rule(
        "Reading files",
        "Only files below the caller's folders are read, by their real path.",
        ("files", "opening", "path_errors", "real_path"),
        _cells(
            _at(BEFORE, C.PROXY),
            _at(_HELD_THERE, C.ATTACHED),
            _at(
                Enforced(
                    "guard/files.py",
                    "tests/guard/test_files.py::test_refusal_names_the_roots_and_no_way_around_them",
                ),
                C.ARGUMENT,
            ),
            _at(
                Enforced(
                    _FILES, f"{_LOCAL}::test_a_page_in_the_project_loads_no_file_from_elsewhere"
                ),
                C.FRAME,
            ),
            _at(
                Enforced(
                    _FILES,
                    f"{_LOCAL}::test_a_reload_does_not_follow_a_link_that_took_the_files_place",
                ),
                C.RELOAD,
            ),
            _at(
                Enforced(
                    _FILES,
                    f"{_LOCAL}::test_a_click_on_a_link_opens_no_file_from_elsewhere_nor_a_listing",
                ),
                C.FILE,
            ),
            _at(Inapplicable("Chromium refuses redirects to files"), C.REDIRECT),
            _at(Inapplicable("a page from a file has no worker"), C.WORKER),
            _at(NO_CALL, C.CALL),
            _at(_SILENT, C.PREFETCH),
            _at(
                Enforced(
                    "browser/actions/uploads.py",
                    "tests/browser/actions/test_uploads.py"
                    "::test_what_took_a_files_place_after_the_check_is_not_copied",
                ),
                C.UPLOAD,
            ),
            _at(NO_FILE, C.DOWNLOAD),
            _at(CONFINED, C.SKILL),
            _at(SAME_TYPES, C.TUNNEL),
        ),
    ),
    Rule(
        "Writing files",
        "Files are written below the caller's folders only, without following links.",
        ("files",),
        _cells(
            _at(NO_REQUEST, C.PROXY),
            _at(NO_REQUEST, C.ATTACHED),
            _at(
                Enforced(
                    "guard/files.py",
                    "tests/guard/test_files.py"
                    "::test_folder_swapped_for_a_link_after_the_check_stops_the_write",
                ),
                C.ARGUMENT,
                C.DOWNLOAD,
            ),
            _at(
                Inapplicable("a page writes no file"),
                *(C.REDIRECT, C.FRAME, C.RELOAD, C.WORKER, C.CALL, C.PREFETCH, C.FILE, C.UPLOAD),
            ),
            _at(CONFINED, C.SKILL),
            _at(AFAR, C.TUNNEL),
        ),
    ),
    Rule(
        "Programs",
        "A downloaded program is saved under a name that does not run.",
        ("file_types",),
        _cells(
            _at(NO_REQUEST, C.PROXY),
            _at(NO_REQUEST, C.ATTACHED),
            _at(
                Enforced(
                    "browser/files/received_file.py",
                    "tests/browser/files/test_received_file.py"
                    "::test_program_is_put_aside_whole_and_the_reply_says_what_to_type",
                ),
                C.DOWNLOAD,
                C.ARGUMENT,
            ),
            _at(
                Inapplicable("nothing is saved there"),
                *(C.REDIRECT, C.FRAME, C.RELOAD, C.WORKER, C.CALL, C.PREFETCH, C.FILE, C.UPLOAD),
            ),
            _at(CONFINED, C.SKILL),
            _at(AFAR, C.TUNNEL),
        ),
    ),
    Rule(
        "CDP methods",
        "Callers use the listed CDP methods only.",
        ("protocol",),
        _cells(
            _at(NO_REQUEST, C.PROXY),
            _at(NO_REQUEST, C.ATTACHED),
            _at(
                Enforced(
                    "guard/protocol.py",
                    "tests/e2e/inspection/test_cdp.py::test_what_cannot_be_done_is_said",
                ),
                C.ARGUMENT,
            ),
            _at(
                NO_METHOD,
                *(C.REDIRECT, C.FRAME, C.RELOAD, C.WORKER, C.CALL, C.PREFETCH, C.FILE),
                *(C.UPLOAD, C.DOWNLOAD),
            ),
            _at(
                Enforced(
                    "dispatch/gates.py",
                    "tests/dispatch/test_matrix.py::test_who_may_run_it",
                ),
                C.SKILL,
                C.TUNNEL,
            ),
        ),
    ),
    Rule(
        "Credentials",
        "Credentials are masked in replies, errors, logs and saved files.",
        (
            *("secrets", "secret_fields", "credentials", "credential_kinds", "spellings", "bodies"),
            *("secret_input", "stand_ins"),
        ),
        _cells(
            _at(
                Enforced(
                    "core/launching/proxy_address.py",
                    "tests/e2e/network/test_proxy.py"
                    "::test_pages_come_through_a_proxy_with_a_login_and_its_rules_hold",
                ),
                C.PROXY,
            ),
            _at(NO_REQUEST, C.ATTACHED),
            _at(
                Enforced(
                    "egress/pipeline.py",
                    "tests/e2e/security/test_secrets.py::test_no_canary_leaves_by_any_door",
                ),
                *(C.ARGUMENT, C.FRAME, C.FILE, C.TUNNEL, C.SKILL),
            ),
            _at(
                NO_REPLY,
                *(C.REDIRECT, C.RELOAD, C.WORKER, C.CALL, C.PREFETCH, C.UPLOAD),
            ),
            _at(Inapplicable("a download is saved as it was sent"), C.DOWNLOAD),
        ),
    ),
)
