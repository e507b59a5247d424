/**
 * The pictures, films and sounds inside a document or an element (and that element itself), open
 * shadow roots included: the kind of each, and the address of its file.
 * @param {Document | Element} root
 * @param {{kinds: string[]}} wanted
 * @returns {{kind: string, src: string, type: string}[]}
 */
export default (root, { kinds }) => {
  /** @type {{kind: string, src: string, type: string}[]} */
  const found = [];
  /** @type {Record<string, string>} */
  const KINDS = { img: "image", video: "video", audio: "audio" };

  /** @param {string | null | undefined} written @param {Element} element */
  const absolute = (written, element) =>
    written && URL.canParse(written, element.baseURI) ? new URL(written, element.baseURI).href : written || "";

  /** @param {Element} element */
  const consider = (element) => {
    const kind = KINDS[element.localName];
    if (!kind || !kinds.includes(kind)) return;
    const media = /** @type {HTMLImageElement | HTMLMediaElement} */ (element);
    const inner = kind === "image" ? null : element.querySelector("source[src]");
    const holder = inner || element;
    const src =
      media.currentSrc ||
      absolute(element.getAttribute("src") || inner?.getAttribute("src") || element.getAttribute("data-src"), element);
    if (src) found.push({ kind, src: src.toWellFormed(), type: (holder.getAttribute("type") || "").toWellFormed() });
  };

  /** @param {Document | Element | ShadowRoot} within */
  const collect = (within) => {
    for (const element of within.querySelectorAll("*")) {
      consider(element);
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  };
  if (root instanceof Element) {
    consider(root);
    if (root.shadowRoot) collect(root.shadowRoot);
  }
  collect(root);
  return found;
};
