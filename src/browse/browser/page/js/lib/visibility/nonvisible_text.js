/**
 * Words that no text of a page shows: in attributes, in the head, in comments, in CSS, in what is there for want of scripts.
 * They are everywhere and mean no harm, so only those are told that speak to a program, and on request the longer ones.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, hiddenText, styleRules } = lib;
  const MOST = 20_000;
  const MOST_PSEUDOS = 500;
  const LEAST_CHARS = 16;
  const LONGEST = 20_000;
  const SEEN_PX = 3;
  const NOT_WORDS = new Set("class,style,d,points,srcset,sizes,viewbox,href,src,integrity,nonce,transform,media,rel,allow,sandbox,accept,onclick,xmlns,values".split(","));
  // Names that are told; others are the page's own words.
  const TOLD = new Set("alt,title,aria-label,aria-description,aria-roledescription,aria-placeholder,aria-valuetext,placeholder,value,label,content".split(","));
  const HEARD = /^(aria-|alt$|title$)/;

  /** @param {string} markup */
  const bare = (markup) => markup.slice(0, LONGEST).replace(/<[^>]*>/g, " ");

  /** @typedef {{text: string, place: string, why: string, users: boolean, alarm: boolean}} Carried */

  /** @param {Document | Element} root @param {(text: string, place: string, why: string, holder: Element | null) => void} tell */
  const attributes = (root, tell) => {
    let left = MOST;
    const tellFrame = (/** @type {Element} */ frame, /** @type {string} */ markup) => {
      const { width, height } = frame.getBoundingClientRect();
      if (width < SEEN_PX || height < SEEN_PX || !lib.visibleContent.shows(frame)) tell(bare(markup), "hidden", "hidden frame", frame);
    };
    const ask = (/** @type {any} */ within) => {
      const all = document.evaluate(`.//@*[string-length(.) > ${LEAST_CHARS}]`, within, null, XPathResult.UNORDERED_NODE_ITERATOR_TYPE);
      for (let it = /** @type {any} */ (all.iterateNext()); it && left > 0; it = all.iterateNext(), left -= 1) {
        if (NOT_WORDS.has(it.name.toLowerCase()) || !/\s\S+\s|[\u3040-\uffff]{4}/.test(it.value)) continue;
        const holder = it.ownerElement;
        const name = it.name;
        const tag = tree.tag(holder);
        if (tag === "meta") tell(it.value, "meta", "meta", null);
        else if (name === "srcdoc") tellFrame(holder, it.value);
        else if (!(name === "value" && tree.attr(holder, "type") !== "hidden"))
          tell(it.value, HEARD.test(name) ? "accessible" : "attribute", TOLD.has(name) ? name : name.startsWith("data-") ? "data attribute" : "attribute", holder);
      }
    };
    ask(root);
    for (const shadow of tree.roots().slice(1)) if (root === document) for (const child of shadow.children) ask(child);
  };

  /** @param {Document | Element} root @param {(text: string, place: string, why: string, holder: Element | null) => void} tell */
  const asides = (root, tell) => {
    const comments = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
    for (let left = MOST; left > 0 && comments.nextNode(); left -= 1) tell(/** @type {any} */ (comments.currentNode).data, "meta", "comment", null);
    for (const element of tree.all(root, 'noscript, template, svg title, svg desc, script[type="application/ld+json" i]')) {
      const tag = tree.tag(element);
      const text = tag === "template" ? element.content.textContent : element.textContent;
      const why = tag === "script" ? "JSON-LD" : tag.replace("svg:", "svg ");
      tell(tag === "noscript" ? bare(text || "") : text || "", tag.startsWith("svg:") ? "accessible" : "meta", why, null);
    }
  };

  /** @param {(text: string, place: string, why: string, holder: Element | null) => void} tell */
  const styled = (tell) => {
    for (const root of tree.roots()) {
      const { rules } = styleRules.of(root);
      const elements = rules ? [] : tree.all(root, "*").slice(0, MOST_PSEUDOS);
      for (const { selector, style } of rules || []) {
        const content = style.getPropertyValue("content");
        if (content.includes("var(") || content.includes("attr("))
          elements.push(...tree.all(root, selector.replace(/::?(before|after|marker)\b/g, "") || "*").slice(0, 20));
        else if (content.length > LEAST_CHARS) tell(content, "meta", "CSS content", null);
      }
      for (const element of elements)
        for (const which of ["::before", "::after"]) {
          const { content } = getComputedStyle(element, which);
          if (content.length > LEAST_CHARS) tell(content, "meta", "CSS content", element);
        }
    }
  };

  /** @param {Document | Element} root @param {boolean} all @returns {Carried[]} */
  const by = (root, all) => {
    /** @type {Carried[]} */
    const found = [];
    const seen = new Set();
    const tell = (/** @type {string} */ text, /** @type {string} */ place, /** @type {string} */ why, /** @type {Element | null} */ holder) => {
      if (text.length < LEAST_CHARS && !/[\u3040-\uffff]/.test(text)) return;
      const words = text.slice(0, LONGEST).replace(/\s+/g, " ").trim();
      const alarm = hiddenText.isAddressed(words);
      if ((!alarm && !all) || seen.has(why + words) || (!alarm && hiddenText.counted(words) < hiddenText.WORDS)) return;
      seen.add(why + words);
      found.push({ text: words, place, why, users: !!holder && hiddenText.isByUsers(holder), alarm });
    };
    attributes(root, tell);
    asides(root, tell);
    if (root === document) styled(tell);
    return found;
  };

  return { by };
};
