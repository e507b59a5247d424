/**
 * The markup of an element's inside, or of the whole document with its doctype; the mask stands for what is written in
 * secret fields that are no `input`, if there is one.
 * @param {Document | Element} root
 * @param {{mask: string}} options
 * @param {Lib} lib
 * @returns {string}
 */
export default (root, { mask }, lib) => {
  const { shownValues } = lib;

  /** @param {string} markup */
  const masked = (markup) => {
    let shown = markup;
    for (const field of mask ? shownValues.secretHolders() : []) {
      const { outerHTML: whole, innerHTML: inner } = field;
      const end = whole.lastIndexOf("</");
      if (inner) shown = shown.replace(whole, () => whole.slice(0, end - inner.length) + mask + whole.slice(end));
    }
    return shown.toWellFormed();
  };

  if (root instanceof Element) {
    const inner = root.innerHTML;
    return mask && inner && shownValues.isInSecret(root) ? mask : masked(inner);
  }
  const doctype = root.doctype ? `<!DOCTYPE ${root.doctype.name}>\n` : "";
  return masked(doctype + (root.documentElement ? root.documentElement.outerHTML : ""));
};
