/**
 * What a page keeps in its storages. A page can shadow the methods of a storage with keys of the same names, so the
 * prototype's are used.
 */
export default () => {
  const { key: keyAt, getItem, setItem, removeItem, clear } = Storage.prototype;
  const size = Object.getOwnPropertyDescriptor(Storage.prototype, "length")?.get;

  /** @param {Storage} storage @returns {Record<string, string>} */
  const items = (storage) => {
    /** @type {Record<string, string>} */
    const found = Object.create(null);
    const count = size?.call(storage) || 0;
    for (let index = 0; index < count; index++) {
      const name = keyAt.call(storage, index);
      if (name !== null) found[name.toWellFormed()] = (getItem.call(storage, name) || "").toWellFormed();
    }
    return found;
  };

  /**
   * Set a key, remove it (no value), or remove everything (no key).
   * @param {Storage} storage @param {string | null} key @param {string | null} value
   */
  const write = (storage, key, value) => {
    if (key === null) clear.call(storage);
    else if (value === null) removeItem.call(storage, key);
    else setItem.call(storage, key, value);
  };

  return { items, write };
};
