/**
 * What a document says about itself: the text of its JSON-LD blocks, and its meta elements.
 * @param {Document | Element} _
 * @param {{}} __
 * @param {Lib} lib
 */
export default (_, __, lib) => {
  const { tree, visibleContent } = lib;
  /** @param {string} selector */
  const all = (selector) => tree.all(document, selector);

  /** @param {string} prefix @returns {[string, string][]} */
  const prefixed = (prefix) =>
    all("meta[content]").flatMap((meta) => {
      const name = tree.attr(meta, "property") || tree.attr(meta, "name") || "";
      if (!name.toLowerCase().startsWith(prefix)) return [];
      return [[name.slice(prefix.length).toWellFormed(), (tree.attr(meta, "content") || "").toWellFormed()]];
    });

  /** @param {string} name @returns {string} */
  const meta = (name) => {
    const [first] = all(`meta[name="${name}" i]`);
    return ((first && tree.attr(first, "content")) || "").toWellFormed();
  };

  const [canonical] = all("link[rel~=canonical i][href]");
  return {
    jsonLd: all('script[type="application/ld+json" i]').map((block) => (block.textContent || "").toWellFormed()),
    openGraph: prefixed("og:"),
    twitterCards: prefixed("twitter:"),
    meta: {
      title: document.title.toWellFormed(),
      canonical: canonical ? visibleContent.address(tree.attr(canonical, "href") || "") : "",
      description: meta("description"),
      keywords: meta("keywords"),
      author: meta("author"),
    },
  };
};
