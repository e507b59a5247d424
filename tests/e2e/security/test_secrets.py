"""Canaries: secrets of many kinds are planted, and no reply and no file may have one of them."""

import json
import shlex
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

# In halves, so that no scanner takes this file for a leak.
SHOWN = {
    "AWS key id": "AKIA" + "Q3EGRIPZX7LMN4TK",
    "GitHub token": "ghp_" + "Zx81kQpLmN0rStUvWxYz23456789AbCdEfGh",
    "OpenAI key": "sk-" + "proj-9fKq27XbLmT4vYwZ81RsPd",
    "Slack token": "xoxb-" + "273645189-Kq81LmPz",
    "JWT": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiI5OTExMjIifQ.Tk3-Zq81xLw_0pQ",
    "Stripe key": "sk_live_" + "51Hq8ZkLmN0pQrSt",
    "Google key": "AIza" + "SyD93kLmPqRsTuVwXyZ0123456789AbCdEf",
    "private key": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDq81Zk",
    "AWS secret": "wJalr81ZqEMI/K7MDENG+bPxRfiCYzq81LmKEYAAA",
    "card in text": "4111 1111 1111 1111",
}
HELD = {
    "password": "correct-Horse-81",
    "one-time code": "90817263",
    "card": "5500005555555559",
    "shown password": "plain-Sight-82",
}
SENT = {
    "bearer": "br-91zKqLmPx7Tt04",
    "HttpOnly cookie": "hc-81zKqLmPx7Tt05",
    "login in an address": "pw-71zKqLmPx7Tt06",
    "key in a query": "qk-61zKqLmPx7Tt07",
    "stored": "ls-51zKqLmPx7Tt08",
    "logged": "cl-41zKqLmPx7Tt09",
    "in a body": "jb-31zKqLmPx7Tt10",
    "posted": "fp-21zKqLmPx7Tt11",
}
TYPED = {
    "filled": "fi-11&zKq Lm'Px7",
    "typed": "ty-12zKqLmPx8",
    "pressed": "p7q8r9x",
    "header": "hd-13zKqLmPx9Tt",
    "cookie": "ck-14zKqLmPx0Tt",
    "filled in vain": "fv-15zKqLmPx1Tt",
}
PLANTED = SHOWN | HELD | SENT | TYPED
PAGE = f"""<title>Vault</title><h1>Vault</h1>
<p>id {SHOWN["AWS key id"]}</p><p>aws_secret_access_key = {SHOWN["AWS secret"]}</p>
<p>{SHOWN["GitHub token"]}, {SHOWN["OpenAI key"]} and {SHOWN["Slack token"]}</p>
<p>Card {SHOWN["card in text"]}</p>
<pre>-----BEGIN PRIVATE KEY-----\n{SHOWN["private key"]}\n-----END PRIVATE KEY-----</pre>
<a href="/secrets/get?api_key={SENT["key in a query"]}">Get</a>
<a href="/secrets/{SHOWN["GitHub token"]}.zip">Save {SHOWN["Stripe key"]}</a>
<img alt="{SHOWN["JWT"]}" src="/secrets/none.png?token={SENT["key in a query"]}">
<form method=post action="/secrets/post"><input id=pw type=password value="{HELD["password"]}">
<input id=otp autocomplete=one-time-code value={HELD["one-time code"]}>
<input id=card autocomplete=cc-number value={HELD["card"]}>
<input id=shown type=text autocomplete=current-password value="{HELD["shown password"]}">
<input id=filled type=password><input id=typed type=password><input id=pressed type=password>
<input type=hidden name=csrf_token value="{SENT["posted"]}"><button>Send</button></form>
<button id=ask onclick="alert('key {SHOWN["Google key"]}'); throw new Error('no {SHOWN["JWT"]}')">
Ask</button><output id=said></output><script>
addEventListener('input', (event) => {{
  said.textContent = 'You wrote ' + event.target.value;
  console.log('typed', event.target.value);
  fetch('/secrets/echo/' + encodeURIComponent(event.target.value));
}});
fetch('/secrets/api').then((answer) => answer.json()).then((all) => {{
  localStorage.setItem('session_token', all.storedToken);
  console.log('token=' + all.loggedToken, '{SHOWN["Stripe key"]}');
  document.title = 'Ready';
  return fetch('/secrets/api', {{method: 'POST', body: 'password=' + all.password,
    headers: {{authorization: 'Bearer ' + all.bearerToken}}}});
}});
</script>"""
READING = (
    "snapshot",
    "snapshot -i",
    "text",
    "text --hidden",
    "html",
    "markdown",
    "links",
    "forms",
    "accessibility",
    "media",
    "data",
    "attrs #pw",
    "attrs #shown",
    "attrs img",
    "js document.documentElement.innerText",
    "url",
    "tabs",
    "cookies",
    "storage",
    "storage get session_token",
    "console",
    "console --errors",
    "network",
    "network --bodies",
    "dialog",
    "header",
    "ux-audit",
    "chain 'text | links'",
    "tab-each url",
)


def echo(request) -> None:
    """Answer with what was typed through us: a site may do so at any time."""
    session = request.headers.get("cookie", "").partition("session=")[2]
    sent = f"{request.headers.get('x-api-key')} {session.partition(';')[0]} {request.path}"
    body = f"<title>Echo {sent}</title><p>{sent}</p>".encode()
    request.send_response(200)
    request.send_header("content-type", "text/html")
    request.send_header("content-length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


@pytest.fixture
def vault(site) -> str:
    answer = {
        "storedToken": SENT["stored"],
        "loggedToken": SENT["logged"],
        "password": SENT["in a body"],
        "bearerToken": SENT["bearer"],
        "note": SHOWN["Slack token"],
    }
    site.page("/secrets/api", json.dumps(answer), content_type="application/json")
    site.answer("/secrets/get", echo)
    site.answer("/secrets/post", echo)
    set_cookie = f"remember={SENT['HttpOnly cookie']}; HttpOnly; Path=/secrets"
    return site.page("/secrets/vault", PAGE, set_cookie=set_cookie)


def found_in(text: str) -> list[str]:
    """Name the canaries that are in a text, in whatever way they are spelled there."""
    plain = text.replace("\\u0026", "&").replace("%26", "&").replace("&amp;", "&")
    plain = plain.replace("%20", " ").replace("+Lm", " Lm").replace("%27", "'")
    return [kind for kind, value in PLANTED.items() if value in text or value in plain]


def written(*folders: Path) -> list[Path]:
    return [path for folder in folders for path in folder.rglob("*") if path.is_file()]


class Said:
    """Runs commands, in words and as JSON, and keeps every reply."""

    def __init__(self, project) -> None:
        self.project = project
        self.replies: list[tuple[str, str]] = []

    def run(self, *words: str) -> int:
        ran = self.project.browse(*words)
        self.replies.append((" ".join(words[:2]), ran.out + ran.err))
        return ran.code

    def ask(self, line: str) -> None:
        for form in (shlex.split(line), [*shlex.split(line), "--json"]):
            self.replies.append((line, self.project.post(*form)))

    def leaks(self) -> dict[str, list[str]]:
        return {line: found_in(reply) for line, reply in self.replies if found_in(reply)}


def use(said: Said, site, vault: str) -> None:
    """Do with the page what a person does."""
    login = f"{site.url}/secrets/get".replace("://", f"://ada:{SENT['login in an address']}@")
    assert said.run("header", f"X-Api-Key: {TYPED['header']}") == 0
    assert said.run("goto", login) == 0
    assert said.run("goto", f"{vault}?access_token={SENT['key in a query']}", "--json") == 0
    assert said.run("wait", "--js", "document.title === 'Ready'") == 0
    assert said.run("cookie", f"session={TYPED['cookie']}") == 0
    assert said.run("fill", "#filled", TYPED["filled"], "--snapshot", "--json") == 0
    assert said.run("focus", "#typed") == 0
    assert said.run("type", TYPED["typed"], "--snapshot") == 0
    for key in TYPED["pressed"]:
        assert said.run("press", key, "--on", "#pressed") == 0
    assert said.run("click", "#ask", "--json") == 0


def fail(said: Said, site) -> None:
    """Make errors that have secrets in their words."""
    assert said.run("fill", "#none", TYPED["filled in vain"]) != 0
    assert said.run("js", f"throw new Error('{SHOWN['OpenAI key']}')") != 0
    assert said.run("click", f"text={SHOWN['GitHub token']}!", "--json") != 0
    assert said.run("download", f"{site.url}/secrets/{SHOWN['GitHub token']}.zip") != 0


def test_no_canary_leaves_by_any_door(project, temporary, site, vault):
    said = Said(project)
    project.ok("network", "--capture")
    project.ok("har", "record", "kept.har")
    use(said, site, vault)
    fail(said, site)
    for line in READING:
        said.ask(line)
    said.run("click", "form button")
    said.ask("text")
    said.run("network", "--export", "bodies.jsonl")
    said.run("har", "stop")
    history = project.ask("GET", "/activity/history?limit=999")[1]
    said.replies.append(("history", history))
    rows = json.loads(history)["entries"]
    pressed = [row["args"] for row in rows if row.get("command") == "press"]
    assert {*pressed} == {"--on=#pressed ****"}
    project.ok("stop")

    assert said.leaks() == {}
    files = written(project.root, Path(project.env["HOME"]), temporary)
    names = {path.name for path in files}
    assert {"kept.har", "bodies.jsonl", "browse-audit.jsonl", "browse-console.log"} <= names
    held = {str(path): found_in(path.read_bytes().decode("utf-8", "replace")) for path in files}
    assert {path: kinds for path, kinds in held.items() if kinds} == {}


def test_the_owner_may_have_them_shown(browser, site, vault):
    browser.ok("goto", vault)
    browser.ok("wait", "--js", "document.title === 'Ready'")
    browser.ok("fill", "#typed", TYPED["typed"])

    for words, kind in (
        ("text", "GitHub token"),
        ("text", "private key"),
        ("html", "password"),
        ("forms", "card"),
        ("attrs #pw", "password"),
        ("storage", "stored"),
        ("cookies", "HttpOnly cookie"),
        ("js typed.value", "typed"),
    ):
        assert PLANTED[kind] not in browser.ok(*words.split(" ")).out
        assert PLANTED[kind] in browser.ok(*words.split(" "), "--reveal").out
        assert PLANTED[kind] in browser.ok(*words.split(" "), "--reveal", "--json").out
