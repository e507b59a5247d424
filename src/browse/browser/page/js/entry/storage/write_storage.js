/**
 * Changes a storage: sets a key, removes it (no value), or removes everything (no key).
 * @param {Document | Element} root
 * @param {{kind: "localStorage" | "sessionStorage", key: string | null, value: string | null}} args
 * @returns {"" | "full" | "none"} what stood in the way
 */
export default (root, { kind, key, value }) => {
  const view = root.ownerDocument?.defaultView || window;
  const { setItem, removeItem, clear } = Storage.prototype;
  try {
    const storage = view[kind];
    if (key === null) clear.call(storage);
    else if (value === null) removeItem.call(storage, key);
    else setItem.call(storage, key, value);
    return "";
  } catch (error) {
    return error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "none";
  }
};
