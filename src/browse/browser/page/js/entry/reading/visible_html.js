/**
 * What a person sees as HTML: hidden elements, scripts and styles left out, shadow roots and slots in place,
 * addresses absolute. The head stays for what it says about the page. Nothing where it is longer than `most`.
 * @param {Document | Element} root
 * @param {{most: number}} options
 * @param {Lib} lib
 * @returns {{html: string, whole: boolean}}
 */
export default (root, { most }, lib) => {
  const { tree, visibility, visibleContent } = lib;
  const VOID = new Set("area,br,col,embed,hr,img,input,source,track,wbr".split(","));
  const SKIPPED = new Set("iframe,frame,object,embed,canvas,input,select,textarea,svg:svg".split(","));
  const ADDRESSES = new Set(["href", "src", "cite", "poster"]);
  const LEFT_OUT = /^(on|style$|srcset$|srcdoc$|sizes$|integrity$|nonce$)/i;
  const NAME = /^[a-z][\w:.-]*$/i;
  const MAX_VALUE_CHARS = 2000;
  const HEAD = 'head > title, meta, link[rel~=canonical], base, script[type="application/ld+json" i]';
  /** @type {string[]} */
  const out = [];
  let size = 0;

  /** @param {string} part */
  const put = (part) => {
    size += part.length;
    out.push(part);
  };
  /** @param {string} text */
  const escaped = (text) =>
    text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

  /** @param {Element} element */
  const attributes = (element) => {
    let written = "";
    for (const name of Element.prototype.getAttributeNames.call(element)) {
      const value = tree.attr(element, name) || "";
      if (LEFT_OUT.test(name) || !NAME.test(name) || value.length > MAX_VALUE_CHARS) continue;
      written += ` ${name}="${escaped(ADDRESSES.has(name) ? visibleContent.address(value) : value)}"`;
    }
    return written;
  };

  /** @param {Element} element @returns {string} */
  const nameOf = (element) => {
    const name = tree.tag(element);
    return name === "slot" || !NAME.test(name) ? "span" : name;
  };

  /** Without recursion: pages nest deeper than the engine's own stack reaches. @param {Element} start */
  const body = (start) => {
    /** @type {(Text | Element | string)[]} */
    const stack = [start];
    while (stack.length && size <= most) {
      const node = /** @type {Text | Element | string} */ (stack.pop());
      if (typeof node === "string") put(node);
      else if (tree.isText(node)) put(escaped(node.data));
      else if (!SKIPPED.has(tree.tag(node))) {
        const name = nameOf(node);
        put(`<${name}${attributes(node)}>`);
        if (VOID.has(name)) continue;
        stack.push(`</${name}>`);
        const inside = visibleContent.children(node);
        for (let index = inside.length - 1; index >= 0; index -= 1) stack.push(inside[index]);
      }
    }
    return stack.length === 0;
  };

  put(`<!DOCTYPE html><html lang="${escaped(document.documentElement?.lang || "")}"><head>`);
  for (const element of tree.all(document, HEAD)) if (size <= most) put(element.outerHTML);
  put("</head>");
  const start = root instanceof Document ? root.body || root.documentElement : root;
  const isBody = start && tree.tag(start) === "body";
  if (start && !isBody) put("<body>");
  const whole = (!start || !visibility.isRendered(start) || body(start)) && size <= most;
  put(isBody ? "</html>" : "</body></html>");
  return { html: whole ? out.join("").toWellFormed() : "", whole };
};
