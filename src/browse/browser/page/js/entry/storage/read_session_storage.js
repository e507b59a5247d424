/**
 * What a document keeps in its session storage, whose it is, and whether the document is a blank
 * page that somebody has written into.
 * @param {Document | Element} root @param {{}} _ @param {Lib} lib
 * @returns {{origin: string, items: Record<string, string>, written: boolean}}
 */
export default (root, _, { webStorage }) => {
  const page = root instanceof Document ? root : root.ownerDocument;
  const written = page.URL === "about:blank" && !!(page.body?.childNodes.length || page.head?.childNodes.length);
  try {
    return { origin: location.origin, items: webStorage.items(sessionStorage), written };
  } catch {
    return { origin: "", items: {}, written }; // it belongs to no site, or is sandboxed
  }
};
