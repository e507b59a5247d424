/**
 * All that a page keeps in its two storages, or null where it may have none.
 * @param {Document | Element} root @param {{}} _ @param {Lib} lib
 * @returns {Record<string, Record<string, string>> | null}
 */
export default (root, _, { webStorage }) => {
  const view = root.ownerDocument?.defaultView || window;
  try {
    return {
      localStorage: webStorage.items(view.localStorage),
      sessionStorage: webStorage.items(view.sessionStorage),
    };
  } catch {
    return null;
  }
};
