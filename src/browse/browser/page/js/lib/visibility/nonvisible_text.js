/**
 * Words that no text of a page shows: in attributes, in the head, in comments, in CSS, in what is there for want of
 * scripts. They are everywhere and mean no harm, so only those are told that speak to a program, and on request the
 * longer ones.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, addressing, hiddenText, styleRules, visibility } = lib;
  const MAX_ATTRIBUTES = 20_000;
  const MAX_COMMENTS = 20_000;
  const MAX_PSEUDO_ELEMENTS = 500;
  const MAX_MATCHES = 20;
  const MIN_CHARS = 16;
  const MAX_CHARS = 20_000;
  const SEVERAL_WORDS = /\s\S+\s|[\u3040-\uffff]{4}/;
  const NOT_WORDS = new Set([
    ..."class,style,d,points,srcset,sizes,viewbox,href,src,integrity,nonce,transform,media,rel,allow".split(","),
    ..."sandbox,accept,onclick,xmlns,values".split(","),
  ]);
  // Names that are told; others are the page's own words.
  const NAMED = new Set([
    ..."alt,title,placeholder,value,label,content,aria-label,aria-description,aria-roledescription".split(","),
    ..."aria-placeholder,aria-valuetext".split(","),
  ]);
  const ACCESSIBLE = /^(aria-|alt$|title$)/;
  const ELSEWHERE = 'noscript, template, svg title, svg desc, script[type="application/ld+json" i]';

  /** Markup without its tags. @param {string} markup */
  const withoutTags = (markup) => markup.slice(0, MAX_CHARS).replace(/<[^>]*>/g, " ");

  /**
   * Whether words speak to a program only with what a person sees of their element, as the name of a message in a chat
   * does: a label and the message.
   * @param {Element} element @param {string} words
   */
  const repeatsWhatIsSeen = (element, words) => {
    const seen = lib.visibleContent.words(element);
    return words.includes(seen) && addressing.isAddressed(seen) && !addressing.isAddressed(words.replace(seen, " "));
  };

  /** @typedef {(text: string, place: string, why: string, holder: Element | null) => void} Tell */

  /** @param {string} name */
  const reasonOf = (name) => {
    if (NAMED.has(name)) return name;
    return name.startsWith("data-") ? "data attribute" : "attribute";
  };

  /** @param {Attr} attribute @param {Tell} tell */
  const tellAttribute = ({ name, value, ownerElement: holder }, tell) => {
    if (!holder || NOT_WORDS.has(name.toLowerCase()) || !SEVERAL_WORDS.test(value)) return;
    if (tree.tag(holder) === "meta") tell(value, "meta", "meta", null);
    else if (name === "srcdoc") {
      if (!visibility.isReadableFrame(holder)) tell(withoutTags(value), "hidden", "hidden frame", holder);
    } else if (name !== "value" || tree.attr(holder, "type") === "hidden")
      tell(value, ACCESSIBLE.test(name) ? "accessible" : "attribute", reasonOf(name), holder);
  };

  /** @param {Document | Element} root @param {Tell} tell */
  const attributes = (root, tell) => {
    let left = MAX_ATTRIBUTES;
    const long = `.//@*[string-length(.) > ${MIN_CHARS}]`;
    /** @param {Document | Element} within */
    const read = (within) => {
      const found = document.evaluate(long, within, null, XPathResult.UNORDERED_NODE_ITERATOR_TYPE);
      for (let it = found.iterateNext(); it && left > 0; it = found.iterateNext(), left -= 1)
        tellAttribute(/** @type {Attr} */ (it), tell);
    };
    read(root);
    if (root !== document) return;
    for (const shadow of tree.roots().slice(1)) for (const child of shadow.children) read(child);
  };

  /** @param {Document | Element} root @param {Tell} tell */
  const comments = (root, tell) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
    for (let left = MAX_COMMENTS; left > 0 && walker.nextNode(); left -= 1)
      tell(/** @type {Comment} */ (walker.currentNode).data, "meta", "comment", null);
  };

  /** @param {Document | Element} root @param {Tell} tell */
  const otherElements = (root, tell) => {
    for (const element of tree.all(root, ELSEWHERE)) {
      const tag = tree.tag(element);
      const text = (element instanceof HTMLTemplateElement ? element.content : element).textContent || "";
      const why = tag === "script" ? "JSON-LD" : tag.replace("svg:", "svg ");
      const place = tag.startsWith("svg:") ? "accessible" : "meta";
      tell(tag === "noscript" ? withoutTags(text) : text, place, why, null);
    }
  };

  /** @param {Tell} tell */
  const cssContent = (tell) => {
    for (const root of tree.roots()) {
      const { rules } = styleRules.of(root);
      const elements = rules ? [] : tree.all(root, "*").slice(0, MAX_PSEUDO_ELEMENTS);
      for (const { selector, style } of rules || []) {
        const content = style.getPropertyValue("content");
        if (content.includes("var(") || content.includes("attr(")) {
          const bearer = selector.replace(/::?(before|after|marker)\b/g, "") || "*";
          elements.push(...tree.all(root, bearer).slice(0, MAX_MATCHES));
        } else if (content.length > MIN_CHARS) tell(content, "meta", "CSS content", null);
      }
      for (const element of elements)
        for (const which of ["::before", "::after"]) {
          const { content } = getComputedStyle(element, which);
          if (content.length > MIN_CHARS) tell(content, "meta", "CSS content", element);
        }
    }
  };

  /**
   * The words in a document or an element that no text shows.
   * @param {Document | Element} root @param {boolean} all Also those that speak to nobody. @returns {HiddenWords[]}
   */
  const find = (root, all) => {
    /** @type {HiddenWords[]} */
    const found = [];
    /** @type {Set<string>} */
    const known = new Set();
    /** @type {Tell} */
    const tell = (text, place, why, holder) => {
      if (text.length < MIN_CHARS && !/[\u3040-\uffff]/.test(text)) return;
      const words = text.slice(0, MAX_CHARS).replace(lib.patterns.blanks, " ").trim();
      const speaks = addressing.isAddressed(words);
      const alarm = speaks && !(place === "accessible" && holder && repeatsWhatIsSeen(holder, words));
      if ((!alarm && !all) || known.has(why + words)) return;
      if (!alarm && addressing.countWords(words) < hiddenText.MIN_WORDS) return;
      known.add(why + words);
      found.push({ text: words, place, why, users: !!holder && addressing.isByUsers(holder), alarm });
    };
    attributes(root, tell);
    comments(root, tell);
    otherElements(root, tell);
    if (root === document) cssContent(tell);
    return found;
  };

  return { find, repeatsWhatIsSeen };
};
