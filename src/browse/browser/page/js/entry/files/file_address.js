/**
 * The address of the file that an element shows, plays or leads to; "" where there is none.
 * @param {Document | Element} element @param {{}} _ @param {Lib} lib
 * @returns {string}
 */
export default (element, _, { tree }) => {
  const WRITTEN = ["src", "data-src", "data-lazy-src", "data-original", "data"];
  if (!(element instanceof Element)) return "";
  const [playing] = element instanceof HTMLMediaElement ? tree.all(element, "source[src]") : [];
  const of = (/** @type {string} */ name) => tree.attr(element, name);
  // What only a script answers to leads nowhere.
  const link = (/** @type {string | null} */ href) => (/^\s*(#|javascript:|$)/i.test(href || "") ? "" : href);
  const written =
    (element instanceof HTMLImageElement || element instanceof HTMLMediaElement ? element.currentSrc : "") ||
    WRITTEN.map(of).find(Boolean) ||
    (playing && tree.attr(playing, "src")) ||
    of("srcset")?.trim().split(/\s/)[0] ||
    link(of("href")) ||
    link(of("xlink:href")) ||
    "";
  return written && tree.absolute(written, element.baseURI).toWellFormed();
};
