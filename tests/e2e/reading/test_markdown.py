"""Pages as Markdown, and the articles in them."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

ARTICLES = Path(__file__).parent / "articles"
PAGE = """<style>.gone { display: none }</style>
<h1>Head <em>line</em> of snake_case &amp; *stars*</h1>
<p>Some <strong>bold </strong>words, <a href=/rel?a=1>a link</a>, <code>co`de</code>,
10<sup>6</sup><br>
next<span class=gone> unseen</span></p>
<p># no heading</p><p>1. no list</p><p>a &lt;b&gt; c</p>
<ul><li>one<ol start=3><li>three<li>four</ol><li><input type=checkbox checked> done</ul>
<ol><li>first<pre><code class=language-python>def f():
    return "x"</code></pre></ol>
<blockquote><p>said</p><p>twice</p></blockquote>
<table><caption>Prices</caption><thead><tr><th rowspan=2>Item<th colspan=2>Cost<tr><th>Net<th>Gross
</thead><tr><td>a|b<td>1<br>2<td>3</table>
<dl><dt>Term<dd>meaning</dl><hr>
<a href=/card><h3>A card</h3><p>its text</p></a>
<p><img src=/pic.png alt="A picture"><img src=/dot.png alt=""></p>
<div class=highlight-source-shell><pre>ls -la
```</pre></div>
<p style="text-transform: uppercase">loud</p><div role=heading aria-level=4>Made so</div>
<div id=host><b>given</b></div><script>host.attachShadow({mode: 'open'}).innerHTML =
'<h2>Shadow</h2><slot></slot>'</script><p aria-hidden=true>seen by people</p>"""
MARKDOWN = r"""# Head *line* of snake_case & \*stars\*

Some **bold** words, [a link](SITE/rel?a=1), ``co`de``, 10<sup>6</sup>  
next

\# no heading

1\. no list

a \<b> c

- one
  3. three
  4. four
- [x] done

1. first

   ```python
   def f():
       return "x"
   ```

> said
>
> twice

**Prices**

| Item | Cost / Net | Cost / Gross |
| --- | --- | --- |
| a\|b | 1<br>2 | 3 |

**Term**

: meaning

---

### [A card](SITE/card)

its text

![A picture](SITE/pic.png)

````shell
ls -la
```
````

LOUD

#### Made so

## Shadow

**given**

seen by people"""  # noqa: W291


def test_a_page_as_markdown(browser, site):
    browser.post("goto", site.page("/markdown", PAGE))

    assert browser.ok("markdown").page == MARKDOWN.replace("SITE", site.url)
    assert browser.ok("markdown", "p >> nth=1").page == "\\# no heading"
    assert browser.ok("markdown", "ol >> nth=1", "--json").json["page"]["text"].startswith("1. ")


def test_frames_stand_in_their_place(browser, site):
    elsewhere = site.url.replace("127.0.0.1", "localhost")
    site.page("/ad", "<h2>Buy</h2><ul><li>now")
    frame = f"<iframe src={elsewhere}/ad></iframe>"
    page = (
        f"<p>before <b>all {frame}</b> after</p><blockquote>said {frame}</blockquote>"
        f"<table><thead><tr><th>A<th>B</thead><tr><td>1<td>2 {frame}</table>"
        "<iframe srcdoc=unseen style=display:none></iframe><p>\0 end"
    )
    browser.post("goto", site.page("/framed", page))
    inner = f"[frame: {elsewhere}/ad]\n\n## Buy\n\n- now\n\n[end of frame]"

    assert browser.ok("markdown").page == (
        f"before\n\nall\n\n{inner}\n\nafter\n\n> said\n\n{inner}\n\n"
        f"| A | B |\n| --- | --- |\n| 1 | 2 |\n\n{inner}\n\nend"
    )
    assert browser.ok("markdown", "td iframe").page == inner
    assert browser.ok("markdown", "--main").page.count(inner) == 3


def test_no_depth_of_a_page_stops_markdown(browser, site):
    deep = "<div>" * 3000 + "<b>words</b>" + "</div>" * 3000
    browser.post("goto", site.page("/deep", deep + "<span>" * 3000 + "more"))

    assert "words" in browser.ok("markdown").page


@pytest.mark.parametrize(
    ("name", "held", "left_out"),
    [
        ("news", ["ending a debate", "We have waited", "twelve thousand people"],
         ["Politics", "Share on", "Tram line", "Subscribe", "cookies", "Imprint", "Printed"]),
        ("blog", ["Last month I moved", "Too clever", "survives a crash"],
         ["Archive", "Recent posts", "First! Great", "Powered by"]),
        ("docs", ["A request can fail", "Parcel(retry=", "Seconds before", "not safe to repeat"],
         ["Installation", "On this page", "generator"]),
        ("question", ["I bake a large loaf", "cut side down", "Use a clay pot"],
         ["Log in", "Why is the sea", "Site design"]),
        ("product", ["rolled brass", "folds flat", "spare wick"], ["Cart", "Free delivery"]),
        ("scripted", ["The survey ship", "pale anemones", "second voyage"],
         ["Please wait", "Science", "members", "Contact the editors"]),
    ],
)  # fmt: skip
def test_the_article_of_a_page(browser, site, name, held, left_out):
    browser.post("goto", site.page(f"/{name}", (ARTICLES / f"{name}.html").read_text()))

    shown = browser.ok("text", "--main").page

    assert [words for words in held if words not in shown] == []
    assert [words for words in left_out if words in shown] == []


def test_the_article_as_data_and_as_markdown(browser, site):
    browser.post("goto", site.page("/news", (ARTICLES / "news.html").read_text()))

    told = browser.ok("text", "--main", "--json").json["page"]
    shown = browser.ok("markdown", "--main").page

    assert told["title"] == "Council votes to rebuild harbour bridge"
    assert (told["author"], told["date"]) == ("Tom Okafor", "2026-03-17")
    assert shown.startswith("# Council votes to rebuild harbour bridge\n\nThe city council")


def test_a_page_without_an_article_is_shown_whole_and_says_so(browser, site):
    browser.post("goto", site.page("/none", (ARTICLES / "none.html").read_text()))

    ran = browser.ok("text", "--main")

    assert ran.page == (
        "(no article was found: this is all the visible text)\nName Password Sign in"
    )
    assert browser.ok("text", "--main", "--json").json["article"] is False


def test_a_page_that_is_too_large_for_an_article_is_refused(browser, site):
    block = "<script id=block type=application/ld+json></script>"
    browser.post("goto", site.page("/huge", f"{block}<p>words"))
    browser.post("js", "block.textContent = 'x'.repeat(21e6); 1")

    ran = browser.browse("text", "--main")

    assert ran.code == 1
    assert "too large" in ran.err
    assert "browse text --main '#content'" in ran.err
