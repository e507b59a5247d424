"""Decisions that several rules of the guard share: what enforces them, or why they do not apply."""

from tools.guard_cells import Enforced, Inapplicable

SAME_TYPES = Enforced(
    "registry/params.py", "tests/registry/test_params.py::test_the_rules_hold_for_every_caller"
)
CONFINED = Enforced(
    "skills/sandbox.py",
    "tests/e2e/skills/test_skill_trust.py"
    "::test_an_untrusted_skill_is_confined_and_the_browser_reads_no_files_for_it",
)
AFAR = Enforced(
    "dispatch/gates.py", "tests/commands/test_commands.py::test_no_file_is_written_from_afar"
)
FOREIGN = Enforced(
    "guard/urls.py",
    "tests/guard/test_foreign_urls.py::test_what_is_refused_is_quoted_as_the_pages",
)
BEFORE = Inapplicable("it is decided in the browser, before there is a connection")
NO_REQUEST = Inapplicable("the rule is about commands and replies, the same in every browser")
NO_ADDRESS = Inapplicable("no address is taken there")
NO_FILE = Inapplicable("no file of this machine is named there")
NO_REPLY = Inapplicable("nothing reaches a caller there; what does is a reply to a command")
NO_METHOD = Inapplicable("CDP methods are named in one argument only")
AS_REQUEST = Inapplicable("what it sends is a request of the page: see frame")
AS_PAGE = Inapplicable("it sends requests as every page does: see frame")
NO_CALL = Inapplicable("a call between browsers carries no file, method or reply")
ANEW = Inapplicable("nothing is kept from the first time: each request is decided anew")
