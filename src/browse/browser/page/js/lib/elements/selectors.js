/**
 * A CSS selector that finds one element and no other in its document, in the driver's dialect: descendants and
 * children are also those in open shadow roots. It leans on what an author named (test ids, ids, names, labels)
 * before it counts siblings, and never on names that a framework made up for this one visit.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const { attr, fits, isElement, list, parentNode, tag } = tree;

  const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
  const NAMING = ["name", "aria-label", "placeholder", "title", "alt", "for", "href", "value"];
  const MAX_VALUE_CHARS = 80;
  const MAX_CHARS = 1000;
  const MAX_CLASSES = 3;
  const MAX_HEIGHT = 12;
  // `:r3:`, `ember1234`, `radix-:r1:`, `mat-input-7`, `ext-gen12`, hashes, uuids and numbers of records.
  const FRAMEWORKS =
    "ember|react|radix|headlessui|mui|mat|cdk|ng|ext|gen|yui|rc|uid|auto|select2|downshift|chakra|reach";
  const MADE_UP = [
    /[^\w-]/,
    /\d{3}/,
    new RegExp(`(^|[-_])(${FRAMEWORKS})[-_a-z]*\\d`, "i"),
    /[0-9a-f]{8}/i,
    /(\d+[a-z]+){2}/i,
  ];
  const STYLED = /^(css|sc|jss|emotion|styled|svelte|astro|makeStyles)-|__[\w-]{5,}$|^_|[a-z]\d[a-z]/;
  const STATES =
    "active|selected|current|open|opened|closed|hover|focus|focused|visited|disabled|enabled|checked|loading|loaded|" +
    "show|shown|hidden|visible|collapsed|expanded|even|odd|first|last|invalid|valid|dirty|touched|pristine|untouched";
  const STATE = new RegExp(`(^|[-_])(${STATES})$`, "i");

  /** Whether an author chose a name, and will keep it. @param {string} name @returns {boolean} */
  const isLasting = (name) =>
    name !== "" && name.length <= MAX_VALUE_CHARS && !MADE_UP.some((sign) => sign.test(name));
  /** @param {Element} element @returns {string[]} */
  const classes = (element) =>
    (attr(element, "class") || "")
      .split(/\s+/)
      .filter((name) => isLasting(name) && !STYLED.test(name) && !STATE.test(name));

  /** @param {Element} element */
  const kind = (element) => CSS.escape(tree.localName(element));
  /** @param {Element} element @param {string} name @param {boolean} [bare] @returns {string[]} */
  const by = (element, name, bare) => {
    const value = attr(element, name);
    if (!value || value.length > MAX_VALUE_CHARS || /[\n\r\f\0]/.test(value)) return [];
    return [`${bare ? "" : kind(element)}[${name}="${value.replace(/["\\]/g, "\\$&")}"]`];
  };

  /** What an author named it by, which is likely to be its alone. @param {Element} element @returns {string[]} */
  const strong = (element) => {
    const id = attr(element, "id") || "";
    return [...TEST_IDS.flatMap((name) => by(element, name, true)), ...(isLasting(id) ? [`#${CSS.escape(id)}`] : [])];
  };

  /**
   * All that can be said of it without its neighbours, the best first.
   * @param {Element} element @returns {string[]}
   */
  const candidates = (element) => {
    const named = NAMING.flatMap((name) =>
      lib.states.isSecret(element) && name === "value" ? [] : by(element, name),
    );
    const group = by(element, "name")[0];
    const value = by(element, "value")[0];
    if (group && value && fits(element, "[type=radio], [type=checkbox]"))
      named.unshift(group + value.slice(kind(element).length));
    const byClass = classes(element)
      .slice(0, MAX_CLASSES)
      .map((name) => `${kind(element)}.${CSS.escape(name)}`);
    return [...strong(element), ...named, ...by(element, "type"), ...byClass, kind(element)];
  };

  /** The roots that the driver looks into. */
  const roots = tree.once(() => tree.roots().filter((root) => !(root instanceof ShadowRoot) || root.mode === "open"));
  /** @param {Element} element @returns {Element | null} */
  const above = (element) => {
    const parent = parentNode(element);
    if (parent && isElement(parent)) return parent;
    return parent instanceof ShadowRoot ? parent.host : null;
  };

  /** @typedef {{compound: string, child: boolean}} Part */
  /**
   * Whether what is around an element fits all parts but the last.
   * @param {Element} element @param {Part[]} parts @returns {boolean}
   */
  const isBelow = (element, parts) => {
    if (parts.length < 2) return true;
    const rest = parts.slice(0, -1);
    const wanted = rest[rest.length - 1].compound;
    for (let node = above(element); node; node = above(node)) {
      if (fits(node, wanted) && isBelow(node, rest)) return true;
      if (parts[parts.length - 1].child) return false;
    }
    return false;
  };
  /** @param {Part[]} parts */
  const spelled = (parts) =>
    parts.map(({ compound, child }, at) => (at ? (child ? " > " : " ") : "") + compound).join("");

  /** Whether parts find this element and no other. @param {Element} element @param {Part[]} parts */
  const isUnique = (element, parts) => {
    if (roots().length === 1) {
      const found = list(document, spelled(parts));
      return found.length === 1 && found[0] === element;
    }
    let count = 0;
    for (const root of roots())
      for (const match of list(root, parts[parts.length - 1].compound))
        if (isBelow(match, parts) && (match !== element || ++count > 1)) return false;
    return count === 1;
  };

  /** An element among its siblings. @param {Element} element @returns {Part} */
  const step = (element) => {
    let before = 0;
    let after = 0;
    const isAlike = (/** @type {Node} */ it) => isElement(it) && tag(it) === tag(element);
    for (let node = element.previousSibling; node; node = node.previousSibling) before += isAlike(node) ? 1 : 0;
    for (let node = tree.nextSibling(element); node && !after; node = tree.nextSibling(node))
      after += isAlike(node) ? 1 : 0;
    const compound = before || after ? `${kind(element)}:nth-of-type(${before + 1})` : kind(element);
    return { compound, child: true };
  };

  /** What finds an element alone, by a name that an author gave it. @param {Element} element @returns {Part | null} */
  const anchor = (element) => {
    const compound = strong(element).find((it) => isUnique(element, [{ compound: it, child: false }]));
    return compound ? { compound, child: false } : null;
  };

  /**
   * The selector of an element; "" where there is none, as in closed shadow roots.
   * @param {Element} element @returns {string}
   */
  const of = (element) => {
    if (!roots().some((root) => root === tree.root(element))) return "";
    const own = candidates(element).map((compound) => ({ compound, child: false }));
    const single = own.find((part) => isUnique(element, [part]));
    if (single) return single.compound;
    const path = [step(element)];
    for (let node = above(element), height = 0; node; node = above(node), height += 1) {
      const top = height < MAX_HEIGHT ? anchor(node) : null;
      if (top) {
        const short = own.find((part) => isUnique(element, [top, part]));
        return spelled(short ? [top, short] : [top, ...path]);
      }
      path.unshift(step(node));
    }
    const whole = spelled(path);
    return whole.length <= MAX_CHARS && isUnique(element, path) ? whole : "";
  };

  /** All that may help to find an element again. @param {Element} element */
  const describe = (element) => {
    const control = tag(element) === "label" ? tree.getter(HTMLLabelElement.prototype, "control")(element) : null;
    return { css: of(element).toWellFormed(), secret: lib.states.isSecret(control || element) };
  };

  return { of, describe, isLasting, classes };
};
