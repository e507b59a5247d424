// @ts-check
/**
 * Every link with its words and its absolute address. A link that is only a picture is named by the
 * picture, because a person would name it so.
 * @param {Document | Element} root
 * @returns {{text: string, href: string}[]}
 */
(root) => {
  /** @param {Element} link */
  const words = (link) =>
    link.textContent?.trim() ||
    link.getAttribute("aria-label") ||
    link.querySelector("img[alt]")?.getAttribute("alt") ||
    link.getAttribute("alt") ||
    link.getAttribute("title") ||
    "";
  /** @type {{text: string, href: string}[]} */
  const found = [];
  for (const link of root.querySelectorAll("a[href], area[href]")) {
    const text = words(link).replace(/\s+/g, " ").trim().slice(0, 120).toWellFormed();
    const href = String(/** @type {HTMLAnchorElement} */ (link).href || "").toWellFormed();
    if (text && href) found.push({ text, href });
  }
  return found;
};
