/**
 * All that a page keeps in its two storages, or null where it may have none. A page can shadow the
 * methods of a storage with keys of the same names, so the prototype's are used.
 * @param {Document | Element} root
 * @returns {Record<string, Record<string, string>> | null}
 */
export default (root) => {
  const view = root.ownerDocument?.defaultView || window;
  const { key: keyAt, getItem } = Storage.prototype;
  const size = Object.getOwnPropertyDescriptor(Storage.prototype, "length")?.get;
  /** @param {Storage} storage */
  const all = (storage) => {
    /** @type {Record<string, string>} */
    const found = Object.create(null);
    const count = size?.call(storage) || 0;
    for (let index = 0; index < count; index++) {
      const name = keyAt.call(storage, index);
      if (name !== null) found[name.toWellFormed()] = (getItem.call(storage, name) || "").toWellFormed();
    }
    return found;
  };
  try {
    return { localStorage: all(view.localStorage), sessionStorage: all(view.sessionStorage) };
  } catch {
    return null;
  }
};
