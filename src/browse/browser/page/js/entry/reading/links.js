/**
 * Every link with its words and its absolute address, those in open shadow roots as well. A link without
 * words, such as a picture, has its accessible name; a picture without one is still a link to somewhere.
 * @param {Document | Element | ShadowRoot} root
 * @param {{}} _
 * @param {Lib} lib
 * @returns {{text: string, href: string}[]}
 */
export default (root, _, lib) => {
  const PICTURES = "img, svg, picture, canvas, video, object";
  const { hiddenText } = lib;
  /** @param {Element} link What it is called where it has no words that are seen, unless that speaks to a program. */
  const called = (link) => {
    const name = lib.names.of(link) || link.textContent?.trim() || "";
    return hiddenText.holds(link) || hiddenText.isAddressed(name) ? "(hidden)" : name;
  };
  /** @param {Element} link */
  const words = (link) => lib.visibleContent.text(link).trim() || called(link) || (link.querySelector(PICTURES) ? "(image)" : "");
  /** @param {Element} link */
  const address = (link) => {
    if (link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement) return link.href;
    const written = link.getAttribute("href") || "";
    return URL.canParse(written, document.baseURI) ? new URL(written, document.baseURI).href : written;
  };
  /** @type {{text: string, href: string}[]} */
  const found = [];
  /** @param {Document | Element | ShadowRoot} within */
  const collect = (within) => {
    for (const element of within.querySelectorAll("*")) {
      if (element.matches("a[href], area[href]")) {
        const text = words(element).replace(/\s+/g, " ").trim().slice(0, 120).toWellFormed();
        const href = address(element).toWellFormed();
        if (text && href) found.push({ text, href });
      }
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  };
  collect(root);
  return found;
};
