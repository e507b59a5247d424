/**
 * The address of the file that an element shows, plays or leads to; "" where there is none.
 * @param {Document | Element} element
 * @returns {string}
 */
export default (element) => {
  const LATER = ["src", "data-src", "data-lazy-src", "data-original", "data"];
  if (!(element instanceof Element)) return "";
  const playing = element instanceof HTMLMediaElement ? element.querySelector("source[src]") : null;
  const of = (/** @type {string} */ name) => element.getAttribute(name);
  const written =
    (element instanceof HTMLImageElement || element instanceof HTMLMediaElement ? element.currentSrc : "") ||
    LATER.map(of).find(Boolean) ||
    playing?.getAttribute("src") ||
    of("srcset")?.trim().split(/\s/)[0] ||
    of("href") ||
    of("xlink:href") ||
    "";
  if (!written) return "";
  const { baseURI } = element;
  return (URL.canParse(written, baseURI) ? new URL(written, baseURI).href : written).toWellFormed();
};
