/**
 * Change a storage: set a key, remove it (no value), or remove everything (no key).
 * @param {Document | Element} root
 * @param {{kind: "localStorage" | "sessionStorage", key: string | null, value: string | null}} args
 * @param {Lib} lib
 * @returns {"" | "full" | "none"} What stood in the way.
 */
export default (root, { kind, key, value }, { webStorage }) => {
  const view = root.ownerDocument?.defaultView || window;
  try {
    webStorage.write(view[kind], key, value);
    return "";
  } catch (error) {
    return error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "none";
  }
};
