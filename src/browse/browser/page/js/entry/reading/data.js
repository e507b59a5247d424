/**
 * What a document says about itself: the text of its JSON-LD blocks, and its meta elements.
 * @param {Document | Element} _
 * @param {{}} __
 * @param {Lib} lib
 */
export default (_, __, lib) => {
  const { tree } = lib;
  /** @param {string} selector @returns {any[]} */
  const all = (selector) => tree.all(document, selector);

  /** @param {string} prefix @returns {[string, string][]} */
  const prefixed = (prefix) =>
    all("meta[content]")
      .map((meta) => [tree.attr(meta, "property") || tree.attr(meta, "name") || "", tree.attr(meta, "content")])
      .filter(([name]) => name.toLowerCase().startsWith(prefix))
      .map(([name, content]) => [name.slice(prefix.length).toWellFormed(), content.toWellFormed()]);

  /** @param {string} name @returns {string} */
  const meta = (name) => (tree.attr(all(`meta[name="${name}" i]`)[0] || document.createElement("i"), "content") || "").toWellFormed();

  const [canonical] = all("link[rel~=canonical i][href]");
  return {
    jsonLd: all('script[type="application/ld+json" i]').map((block) => block.textContent.toWellFormed()),
    openGraph: prefixed("og:"),
    twitterCards: prefixed("twitter:"),
    meta: {
      title: document.title.toWellFormed(),
      canonical: canonical ? lib.visibleContent.address(tree.attr(canonical, "href")) : "",
      description: meta("description"),
      keywords: meta("keywords"),
      author: meta("author"),
    },
  };
};
