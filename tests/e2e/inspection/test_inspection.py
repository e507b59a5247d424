"""Running JavaScript in pages with the real client, daemon and Chromium."""

import os

import pytest

pytestmark = pytest.mark.e2e
# Out of any folder, however deep the temporary one is.
UP = "../" * 40

DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        ("1 + 1", "2"),
        ("'words'", "words"),
        ("let a = 1; a + 1", "2"),
        ("if (true) { 'branch' }", "branch"),
        ("1\n+\n1", "2"),
        ("// why\n3", "3"),
        ("await Promise.resolve(3)", "3"),
        ("await Promise.resolve('a;b') // ; if", "a;b"),
        ("const a = await 4; return a", "4"),
        ('const u = "http://x"; return await u', "http://x"),
        ("`${await 1}//`", "1//"),
        ("Promise.resolve(5)", "5"),
        ("() => 6", "6"),
        ("async () => 7", "7"),
        ("function named() { return 8 }", "8"),
        ("function f() { return 9 } f()", "9"),
        ("undefined", ""),
        ("null", "null"),
        ("NaN", "NaN"),
        ("-1 / 0", "-Infinity"),
        ("true", "true"),
        ("10n ** 20n", "100000000000000000000"),
        ("Symbol('s')", "Symbol(s)"),
        ("[1, {b: 'ü'}]", '[\n  1,\n  {\n    "b": "ü"\n  }\n]'),
        ("new Map([['k', 1]])", '{\n  "k": 1\n}'),
        ("new Set([1])", "[\n  1\n]"),
        ("const c = {}; c.c = c; c", "[object Object]"),
        ("({n: 1n})", "[object Object]"),
        ("new Date(0)", '"1970-01-01T00:00:00.000Z"'),
        ("document.createElement('hr')", "<hr>"),
        ("document.createTextNode('t')", "t"),
        ("document", "<html><head></head><body></body></html>"),
        ("window", "[object Window]"),
        ("new TypeError('told')", "TypeError: told"),
        ("'\\ud800'", "\ufffd"),
        ("({'\\ud800': '\\\\ud800'})", '{\n  "\ufffd": "\\\\ud800"\n}'),
    ],
)
def test_js_prints_what_the_script_gives(browser, script, shown):
    assert browser.ok("js", script).page == shown


@pytest.mark.parametrize(
    ("script", "data"),
    [
        ("[1, null]", {"type": "json", "value": [1, None]}),
        ("'5'", {"type": "text", "value": "5"}),
        ("undefined", {"type": "undefined", "value": None}),
        ("({'\\udfff': 1})", {"type": "json", "value": {"\ufffd": 1}}),
        ("new Error('e')", {"type": "error", "value": "Error: e"}),
    ],
)
def test_js_gives_the_value_as_data(browser, script, data):
    assert browser.ok("js", script, "--json").json == {"page": data}


@pytest.mark.parametrize(
    ("script", "thrown"),
    [
        ("throw new Error('on purpose')", "Error: on purpose"),
        ("throw 5", "5"),
        ("throw null", "null"),
        ("Promise.reject(new TypeError('later'))", "TypeError: later"),
        ("await Promise.reject('no')", "no"),
        ("nobody", "ReferenceError: nobody is not defined"),
        ("document.querySelector('[[')", "SyntaxError: "),
    ],
)
def test_js_that_throws_fails_and_shows_what_was_thrown(browser, script, thrown):
    ran = browser.browse("js", script)

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("The page threw an error while running your script:\n--- page [")
    assert f"]\n{thrown}" in ran.err


def test_js_shows_no_stack_lines_of_the_driver(browser):
    script = "function inner() { throw new Error('deep') }; inner()"

    assert "UtilityScript" not in browser.browse("js", script).err


def test_js_reads_a_script_from_stdin(browser):
    assert browser.ok("js", stdin="const a = 20;\na + 2").page == "22"


@pytest.mark.parametrize("given", ["", " \n"])
def test_js_without_a_script_is_a_usage_error(browser, given):
    ran = browser.browse("js", stdin=given)

    assert ran.code == 2
    assert "<expression> is missing" in ran.err


@pytest.mark.parametrize("script", ["1 + 1", "await 2", "() => 2", "document.title.length + 1"])
def test_js_runs_on_a_page_with_a_strict_policy(browser, site, script):
    policy = "default-src 'none'; require-trusted-types-for 'script'"
    browser.ok("goto", site.page("/strict", "<title>T</title>", content_security_policy=policy))

    assert browser.ok("js", script).page == "2"


def test_js_survives_a_page_that_breaks_the_language(browser, site):
    tricks = "JSON.stringify = () => '{'; String = () => 5"
    browser.ok("goto", site.page("/broken", f"<script>{tricks}</script>"))

    assert browser.ok("js", "({a: 1})", "--json").json["page"]["value"] == "{"
    ran = browser.browse("js", "1")
    assert ran.code == 1
    assert "The page has replaced built-in JavaScript functions" in ran.err


@pytest.mark.parametrize("script", ["location.href = '/arrived'", "location.reload(); 'going'"])
def test_js_that_navigates_succeeds(browser, site, script):
    site.page("/arrived", "<p>arrived")
    browser.ok("goto", site.page("/departing", "<p>departing"))

    browser.ok("js", script)

    browser.ok("wait", "--load")


def test_js_cut_short_by_a_navigation_says_so(browser, site):
    site.page("/taken-away", "<p>x")
    browser.ok("goto", site.page("/taking-away", "<p>x"))

    ran = browser.browse("js", "location.href = '/taken-away'; await new Promise(() => {})")

    assert ran.code == 1
    assert ran.err.startswith("The page navigated away while running your script.")


def test_js_prints_three_megabytes_when_asked(browser):
    assert browser.ok("js", "'x'.repeat(3e6)", "--max-chars", "0").page == 3_000_000 * "x"


def test_js_output_is_cut_by_default(browser):
    ran = browser.ok("js", "'x'.repeat(60000)")

    assert len(ran.page) == 50_000
    assert "[10,000 of 60,000 characters left out: add --after 50000 for the rest" in ran.out


def test_out_writes_the_result_as_text(browser):
    path = browser.root / "new" / "folder" / "result.json"

    ran = browser.ok("js", "({a: 'ü'})", "--out", "new/folder/result.json")

    assert ran.out == f"JS result written: {os.path.realpath(path)} (15 bytes)\n"
    assert path.read_text() == '{\n  "a": "ü"\n}'
    assert path.stat().st_mode & 0o777 == 0o600


def test_out_decodes_a_data_url(browser):
    browser.ok("js", f"'{DOT}'", "--out", "dot.gif")

    assert (browser.root / "dot.gif").read_bytes().startswith(b"GIF89a")


def test_raw_writes_a_data_url_as_it_is(browser):
    told = browser.ok("js", f"'{DOT}'", "--out", "dot.txt", "--raw", "--json").json

    assert told == {"path": os.path.realpath(browser.root / "dot.txt"), "bytes": len(DOT)}
    assert (browser.root / "dot.txt").read_text() == DOT


def test_out_refuses_malformed_base64_and_writes_nothing(browser):
    ran = browser.browse("js", "'data:x/y;base64,a*b='", "--out", "malformed.bin")

    assert ran.code == 1
    assert "malformed base64" in ran.err
    assert "--raw" in ran.err
    assert not (browser.root / "malformed.bin").exists()


def test_out_of_a_script_that_throws_writes_nothing(browser):
    assert browser.browse("js", "throw 1", "--out", "thrown.txt").code == 1
    assert not (browser.root / "thrown.txt").exists()


@pytest.mark.parametrize("path", ["/etc/browse-was-here", f"{UP}etc/browse-was-here"])
def test_out_refuses_a_path_outside_and_does_not_run_the_script(browser, path):
    ran = browser.browse("js", "window.ran = 1", "--out", path)

    assert (ran.code, ran.out) == (4, "")
    assert browser.ok("js", "window.ran").page == ""


def test_out_refuses_a_link_that_leads_outside(browser):
    link = browser.root / "link-out"
    link.unlink(missing_ok=True)
    link.symlink_to("/etc")

    assert browser.browse("js", "1", "--out", "link-out/browse-was-here").code == 4


def test_out_starts_at_the_callers_folder(browser):
    inner = browser.root / "below"
    inner.mkdir(exist_ok=True)

    browser.ok("js", "1", "--out", "one.txt", cwd=inner)

    assert (inner / "one.txt").read_text() == "1"


def test_eval_runs_a_file_of_the_callers_folder(browser):
    inner = browser.root / "scripts"
    inner.mkdir(exist_ok=True)
    (inner / "sum.js").write_text("const a = 2\na + 3 // the last value\n")

    assert browser.ok("eval", "./sum.js", cwd=inner).page == "5"
    assert browser.ok("eval", "scripts/sum.js", "--json").json["page"]["value"] == 5


def test_eval_awaits(browser):
    (browser.root / "later.js").write_text("const a = await Promise.resolve(1)\nreturn a + 1\n")

    assert browser.ok("eval", "later.js").page == "2"


def test_eval_writes_to_a_file(browser):
    (browser.root / "dot.js").write_text(f"'{DOT}'")

    ran = browser.ok("eval", "dot.js", "--out", "eval.gif")

    assert ran.out.startswith("Eval result written: ")
    assert (browser.root / "eval.gif").read_bytes().startswith(b"GIF89a")


@pytest.mark.parametrize(
    ("path", "code", "message"),
    [
        ("not-there.js", 1, "File not found: not-there.js"),
        (".", 1, "is a directory"),
        ("/etc/hostname", 4, "Path must be within: "),
        (f"{UP}etc/hostname", 4, "Path must be within: "),
        ("", 2, "No file is named"),
    ],
)
def test_eval_refuses_what_it_may_not_or_cannot_read(browser, path, code, message):
    ran = browser.browse("eval", path)

    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


def test_eval_prefers_a_file_of_that_name(browser):
    (browser.root / "script").write_text("'from the file'")

    assert browser.ok("eval", "script").page == "from the file"


def test_eval_that_throws_shows_what_was_thrown(browser):
    (browser.root / "throws.js").write_text("throw new RangeError('far')")

    ran = browser.browse("eval", "throws.js")

    assert ran.code == 1
    assert "RangeError: far" in ran.err


@pytest.mark.issue(15)
@pytest.mark.parametrize("script", ["1 +", "let = = 2", "await fetch("])
def test_a_script_that_cannot_be_parsed_is_the_callers_mistake(browser, script):
    ran = browser.browse("js", script)

    assert ran.code == 1
    assert "Your script is not valid JavaScript. Nothing was run." in ran.err
    assert "SyntaxError" in ran.err
    assert "The page threw" not in ran.err


@pytest.mark.issue(15)
def test_a_syntax_error_that_the_script_meets_is_not_its_own(browser):
    ran = browser.browse("js", "JSON.parse('{')")

    assert "Your script is not valid JavaScript" not in ran.err
    assert "SyntaxError" in ran.err
