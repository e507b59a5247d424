"""Forms, media, data and the like, with the real client, daemon and Chromium."""

import json

import pytest

pytestmark = pytest.mark.e2e

FORMS = """<form id=f action=/go method=post>
<label>Your name <input name=who value=Ada required></label>
<input type=password name=p value=hunter2><input type=hidden name=csrf_token value=s3cr3t>
<input name=x autocomplete=cc-number value=4111>
<select name=size><option>S<option selected>M</select>
<input type=checkbox name=ok checked><input type=radio name=r value=a disabled>
<input name=action value=clobbers><button>Send</button></form>
<input form=f name=far value=away><input name=loose placeholder=Loose>
<div contenteditable aria-label=Notes>a note</div>
<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML =
'<form><textarea name=t>text</textarea></form>'</script>"""


def field(form, name):
    return next(it for it in form["fields"] if name in (it.get("name"), it.get("label")))


def test_forms(browser, site):
    browser.post("goto", site.page("/forms", FORMS))

    first, shadow, outside = json.loads(browser.ok("forms").page)

    assert (first["index"], first["action"], first["method"]) == (0, f"{site.url}/go", "post")
    assert field(first, "who") == {
        "tag": "input", "type": "text", "name": "who", "label": "Your name", "required": True,
        "value": "Ada",
    }  # fmt: skip
    assert [field(first, name)["value"] for name in ("p", "csrf_token", "x")] == ["[redacted]"] * 3
    assert field(first, "size")["options"][1] == {"value": "M", "text": "M", "selected": True}
    assert (field(first, "ok")["checked"], field(first, "r")["checked"]) == (True, False)
    assert field(first, "r")["disabled"] is True
    assert field(first, "far")["value"] == "away"
    assert field(first, "Send")["type"] == "submit"
    assert field(shadow, "t")["value"] == "text"
    assert outside["outside"] is True
    assert [it["label"] for it in outside["fields"]] == ["Loose", "Notes"]


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["plain", "json"])
def test_no_secret_leaves_with_the_forms(browser, site, form):
    browser.post("goto", site.page("/forms-secret", FORMS))

    shown = browser.ok("forms", *form).out

    assert not [word for word in ("hunter2", "s3cr3t", "4111") if word in shown]


def test_no_forms_is_an_empty_list(browser, site):
    browser.post("goto", site.page("/formless", "<p>x"))

    assert browser.ok("forms").page == "[]"


MEDIA = """<img src=/a.png alt=A width=20 height=10 loading=lazy data-src=/later.png>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" style=display:none>
<div id=bg style="background-image: url(/one.png), url('/two.png'); height: 9px"></div>
<video poster=/p.png><source src=/v.m3u8 type=application/x-mpegURL></video><audio src=/s.mp3>"""


def test_media(browser, site):
    browser.post("goto", site.page("/media", MEDIA))

    told = json.loads(browser.ok("media").page)

    first, second = told["images"]
    assert (first["src"], first["alt"], first["loading"]) == (f"{site.url}/a.png", "A", "lazy")
    assert (first["width"], first["height"], first["visible"]) == (20, 10, True)
    assert first["dataSrc"] == f"{site.url}/later.png"
    assert (second["src"], second["visible"]) == ("data:image/gif;base64,…", False)
    assert told["backgroundImages"] == [
        {"index": n, "url": f"{site.url}/{name}.png", "selector": "#bg", "element": "div"}
        for n, name in enumerate(["one", "two"])
    ]
    assert (told["videos"][0]["isHLS"], told["videos"][0]["isDASH"]) == (True, False)
    assert told["videos"][0]["poster"] == f"{site.url}/p.png"
    assert told["audio"][0]["src"] == f"{site.url}/s.mp3"
    assert told["total"] == 6


def test_media_of_a_kind_or_of_an_element(browser, site):
    browser.post("goto", site.page("/media-some", MEDIA))

    assert set(json.loads(browser.ok("media", "--videos", "--audio").page)) == {
        "videos", "audio", "total",
    }  # fmt: skip
    assert json.loads(browser.ok("media", "img >> nth=0").page)["total"] == 1
    assert browser.browse("media", "#nowhere").code == 3


DATA = """<title>T</title><link rel=canonical href=/c><meta name=Description content="a page">
<meta property=og:title content="OG"><meta property=og:image content=/1><meta property=og:image
content=/2><meta name=twitter:card content=summary>
<script type=application/ld+json>{"@type": "Thing"}</script>
<script type=application/ld+json>{broken</script>"""


def test_data(browser, site):
    browser.post("goto", site.page("/data", DATA))

    assert json.loads(browser.ok("data").page) == {
        "jsonLd": [{"@type": "Thing"}],
        "jsonLdBroken": 1,
        "openGraph": {"title": "OG", "image": ["/1", "/2"]},
        "twitterCards": {"card": "summary"},
        "meta": {"title": "T", "canonical": f"{site.url}/c", "description": "a page"},
    }
    assert set(json.loads(browser.ok("data", "--og", "--meta").page)) == {"openGraph", "meta"}


def test_accessibility_is_the_snapshot_without_refs(browser, site):
    inner = "<button>Inner</button>"
    browser.post(
        "goto", site.page("/tree", f"<h1>H</h1><button>B</button><iframe srcdoc='{inner}'>")
    )

    shown = browser.ok("accessibility").page

    assert shown == '[heading] "H" [level=1]\n[button] "B"\n[iframe]\n  [button] "Inner"'
    assert browser.ok("accessibility", "h1").page == '[heading] "H" [level=1]'


@pytest.mark.blank_tab
def test_accessibility_does_not_pass_a_changed_element_for_the_one_that_was_shown(browser, site):
    browser.post("goto", site.page("/changed", "<button id=b>Keep</button>"))
    assert '@e1 [button] "Keep"' in browser.ok("snapshot", "-i").page
    browser.post("js", "b.textContent = 'Delete'")
    browser.ok("accessibility")

    assert "Nothing was done" in browser.browse("click", "@e1").err


AUDIT = """<title>Docs</title><header><a class=logo href=/><img src=x alt=ACME></a>
<nav aria-label=Main><a href=/a aria-current=page>Home</a><a href=/b>Docs</a></nav></header>
<ol class=breadcrumb><li>Start<li>Here</ol><form role=search><input type=search></form>
<main><h1>Welcome</h1><p>Five words are in here.</p><p hidden>unseen words that nobody reads</p>
<button style="width: 40px; height: 20px">Go</button><button hidden>No</button></main>"""


def test_ux_audit(browser, site):
    browser.post("goto", site.page("/audit", AUDIT))

    told = json.loads(browser.ok("ux-audit").page)

    assert (told["url"], told["title"]) == (f"{site.url}/audit", "Docs")
    assert told["siteId"] == {"found": True, "text": "ACME", "tag": "a", "alt": "ACME"}
    assert told["pageName"] == {"found": True, "text": "Welcome"}
    assert told["navigation"] == [{"text": "Main", "links": 2}]
    assert told["youAreHere"] == ["Home"]
    assert told["search"] == {"found": True}
    assert told["breadcrumbs"] == {"found": True, "items": ["Start", "Here"]}
    assert told["headings"] == [{"tag": "h1", "text": "Welcome", "size": "32px"}]
    assert {"tag": "button", "text": "Go", "type": "", "role": "button", "w": 40, "h": 20,
            "visible": True} in told["interactive"]  # fmt: skip
    assert "No" not in [it["text"] for it in told["interactive"]]
    assert told["textBlocks"] == [{"text": "Five words are in here.", "wordCount": 5}]
    assert told["totalWords"] == 10
