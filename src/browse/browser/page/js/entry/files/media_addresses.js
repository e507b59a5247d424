/**
 * The pictures, films and sounds inside a document or an element (and that element itself), open
 * shadow roots included: the kind of each, and the address of its file.
 * @param {Document | Element} root
 * @param {{kinds: string[]}} wanted
 * @param {Lib} lib
 * @returns {{kind: string, src: string, type: string}[]}
 */
export default (root, { kinds }, { tree, visibleContent }) => {
  const KINDS = new Map([
    ["img", "image"],
    ["video", "video"],
    ["audio", "audio"],
  ]);
  return visibleContent.all(root, [...KINDS.keys()].join()).flatMap((element) => {
    const kind = KINDS.get(tree.localName(element)) || "";
    if (!kinds.includes(kind)) return [];
    const media = /** @type {HTMLImageElement | HTMLMediaElement} */ (element);
    const [inner] = kind === "image" ? [] : tree.all(element, "source[src]");
    const named = [tree.attr(element, "src"), inner && tree.attr(inner, "src"), tree.attr(element, "data-src")];
    const written = named.find(Boolean);
    const src = media.currentSrc || (written ? tree.absolute(written, element.baseURI) : "");
    const type = tree.attr(inner || element, "type") || "";
    return src ? [{ kind, src: src.toWellFormed(), type: type.toWellFormed() }] : [];
  });
};
