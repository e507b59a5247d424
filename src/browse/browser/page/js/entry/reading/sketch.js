/**
 * How a document is built: a sketch of its structure that says nothing of its words and does not count rows. With
 * `markup`, that of a stored page is sketched, which is parsed without running or loading anything. With `most`, the
 * document's own markup comes along, shadow roots included, unless it is longer than that.
 *
 * The sketch is a minhash: of each of many orders of all features, 16 bits of the first feature that there is. The
 * share of equal places in two sketches is about the share of features that two pages have in common.
 * @param {Document | Element} _
 * @param {{markup: string | null, most: number}} options
 * @param {Lib} lib
 */
export default (_, { markup, most }, lib) => {
  const { tree, selectors } = lib;
  const PLACES = 128;
  const MAX_ELEMENTS = 5000;
  const MAX_ALIKE = 8;
  const MAX_DEPTH = 200;
  const MIN_ELEMENT_CHARS = 15;
  const MAX_TITLE_CHARS = 300;
  const SKIPPED = new Set("script,style,link,meta,title,base,noscript,template,br,wbr,source,track,param".split(","));
  const CLOSED = new Set(["svg:svg", "iframe", "canvas", "object", "select", "math"]);
  const TELLING = ["role", "type", "name", "method", "scope", "for", "itemprop", "property", "rel"];
  const PRESENT = [
    ..."href,src,action,placeholder,required,contenteditable,tabindex,onclick".split(","),
    ..."aria-label,aria-labelledby,aria-haspopup".split(","),
  ];

  /** @param {string} text */
  const hash = (text) => {
    let value = 0x811c9dc5;
    for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    return value;
  };
  /** @param {number} value */
  const mixed = (value) => {
    let it = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    it = Math.imul(it ^ (it >>> 13), 0xc2b2ae35);
    return (it ^ (it >>> 16)) >>> 0;
  };

  /** @param {string} name */
  const unnumbered = (name) => name.toLowerCase().replace(/\d+/g, "0");

  /** What an author called an element and made it to be. @param {Element} element @returns {string[]} */
  const traits = (element) => {
    const found = selectors.classes(element).map((name) => `.${unnumbered(name)}`);
    const id = tree.attr(element, "id") || "";
    if (selectors.isLasting(id)) found.push(`#${unnumbered(id)}`);
    for (const name of TELLING) {
      const value = tree.attr(element, name);
      const isLasting = (name !== "for" && name !== "name") || selectors.isLasting(value || "");
      if (value && isLasting) found.push(`[${name}=${unnumbered(value)}]`);
    }
    for (const name of PRESENT) if (tree.has(element, name)) found.push(`[${name}]`);
    return found;
  };

  /** @type {Set<number>} */
  const features = new Set();
  let left = MAX_ELEMENTS;

  /** @param {Element} element @returns {Element[]} */
  const inside = (element) => {
    if (CLOSED.has(tree.tag(element))) return [];
    const shadow = tree.shadowRoot(element);
    const own = tree.elementsIn(element);
    return shadow ? [...tree.nodesIn(shadow).filter(tree.isElement), ...own] : own;
  };

  /** @param {Element} top */
  const walk = (top) => {
    /** @type {{element: Element, path: string, depth: number}[]} */
    const waiting = [{ element: top, path: "", depth: 0 }];
    for (let next = waiting.pop(); next && left > 0; next = waiting.pop(), left -= 1) {
      const { element, path, depth } = next;
      const tag = tree.tag(element);
      const here = `${path.split(">").slice(-3).join(">")}>${tag}`;
      features.add(hash(here));
      for (const trait of traits(element)) features.add(hash(`${tag}${trait}`));
      if (depth >= MAX_DEPTH) continue;
      for (const child of chosen(element)) waiting.push({ element: child, path: here, depth: depth + 1 });
    }
  };

  /** Of children that are alike, the first ones, in reverse. @param {Element} element */
  const chosen = (element) => {
    /** @type {Map<string, number>} */
    const seen = new Map();
    const kept = inside(element).filter((child) => {
      const tag = tree.tag(child);
      if (SKIPPED.has(tag)) return false;
      const alike = `${tag} ${tree.attr(child, "class") || ""}`;
      const count = (seen.get(alike) || 0) + 1;
      seen.set(alike, count);
      return count <= MAX_ALIKE;
    });
    return kept.reverse();
  };

  const sketch = () => {
    if (!features.size) return "";
    const least = new Uint32Array(PLACES).fill(0xffffffff);
    for (const feature of features)
      for (let place = 0; place < PLACES; place += 1) {
        const value = mixed(feature ^ Math.imul(place + 1, 0x9e3779b1));
        if (value < least[place]) least[place] = value;
      }
    return [...least].map((value) => (value & 0xffff).toString(16).padStart(4, "0")).join("");
  };

  /** The markup of a document, or "" where it is too long. @param {Document} page */
  const markupOf = (page) => {
    const top = page.documentElement;
    // An element takes more characters than that, so a long page need not be written out to be told from others.
    if (!top || tree.list(page, "*").length * MIN_ELEMENT_CHARS > most) return "";
    const roots = tree.roots().filter((root) => root instanceof ShadowRoot);
    const escaped = (/** @type {string} */ value) => value.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
    const attributes = [...top.attributes].map(({ name, value }) => ` ${name}="${escaped(value)}"`);
    const inner = top.getHTML({ shadowRoots: roots });
    const html = `<!DOCTYPE html>\n<html${attributes.join("")}>${inner}</html>`;
    return html.length <= most ? html.toWellFormed() : "";
  };

  const page = markup === null ? document : Document.parseHTMLUnsafe(markup);
  const body = page.body || page.documentElement;
  if (body) walk(body);
  return {
    title: page.title.slice(0, MAX_TITLE_CHARS).toWellFormed(),
    sketch: sketch(),
    html: markup === null ? markupOf(page) : "",
  };
};
