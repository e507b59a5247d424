/**
 * The markup of an element's inside, or of the whole document with its doctype.
 * @param {Document | Element} root
 * @returns {string}
 */
export default (root) => {
  if (root instanceof Element) return root.innerHTML.toWellFormed();
  const doctype = root.doctype ? `<!DOCTYPE ${root.doctype.name}>\n` : "";
  return (doctype + (root.documentElement ? root.documentElement.outerHTML : "")).toWellFormed();
};
