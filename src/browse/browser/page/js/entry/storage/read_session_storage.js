/**
 * What a document keeps in its session storage, whose it is, and whether the document is a blank
 * page that somebody has written into. A page can shadow the methods of a storage with keys of the
 * same names, so the prototype's are used.
 * @param {Document | Element} root
 * @returns {{origin: string, items: Record<string, string>, written: boolean}}
 */
export default (root) => {
  const page = root instanceof Document ? root : root.ownerDocument;
  const { key: keyAt, getItem } = Storage.prototype;
  const size = Object.getOwnPropertyDescriptor(Storage.prototype, "length")?.get;
  /** @type {Record<string, string>} */
  const items = Object.create(null);
  const written = page.URL === "about:blank" && !!(page.body?.childNodes.length || page.head?.childNodes.length);
  try {
    const storage = sessionStorage;
    const count = size?.call(storage) || 0;
    for (let index = 0; index < count; index++) {
      const name = keyAt.call(storage, index);
      if (name !== null) items[name.toWellFormed()] = (getItem.call(storage, name) || "").toWellFormed();
    }
  } catch {
    return { origin: "", items, written }; // it belongs to no site, or is sandboxed
  }
  return { origin: location.origin, items, written };
};
