/**
 * A CSS selector that finds one element and no other in its document, in the driver's dialect: descendants and
 * children are also those in open shadow roots. It leans on what an author named (test ids, ids, names, labels)
 * before it counts siblings, and never on names that a framework made up for this one visit.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const { attr, fits, list, nodeType, parentNode, tag } = tree;

  const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
  const NAMING = ["name", "aria-label", "placeholder", "title", "alt", "for", "href", "value"];
  const LONGEST_VALUE = 80;
  const LONGEST = 1000;
  const MOST_CLASSES = 3;
  const HIGHEST = 12;
  // `:r3:`, `ember1234`, `radix-:r1:`, `mat-input-7`, `ext-gen12`, hashes, uuids and numbers of records.
  const MADE_UP = [
    /[^\w-]/,
    /\d{3}/,
    /(^|[-_])(ember|react|radix|headlessui|mui|mat|cdk|ng|ext|gen|yui|rc|uid|auto|select2|downshift|chakra|reach)[-_a-z]*\d/i,
    /[0-9a-f]{8}/i,
    /(\d+[a-z]+){2}/i,
  ];
  const STYLED = /^(css|sc|jss|emotion|styled|svelte|astro|makeStyles)-|__[\w-]{5,}$|^_|[a-z]\d[a-z]/;
  const STATE = /(^|[-_])(active|selected|current|open|opened|closed|hover|focus|focused|visited|disabled|enabled|checked|loading|loaded|show|shown|hidden|visible|collapsed|expanded|even|odd|first|last|invalid|valid|dirty|touched|pristine|untouched)$/i;

  /** @param {string} name Whether an author chose it, and will keep it. */
  const isKept = (name) => name !== "" && name.length <= LONGEST_VALUE && !MADE_UP.some((sign) => sign.test(name));
  /** @param {Element} element @returns {string[]} */
  const classes = (element) =>
    (attr(element, "class") || "").split(/\s+/).filter((name) => isKept(name) && !STYLED.test(name) && !STATE.test(name));

  /** @param {Element} element */
  const kind = (element) => CSS.escape(tree.localName(element));
  /** @param {Element} element @param {string} name @param {boolean} [bare] @returns {string[]} */
  const by = (element, name, bare) => {
    const value = attr(element, name);
    if (!value || value.length > LONGEST_VALUE || /[\n\r\f\0]/.test(value)) return [];
    return [`${bare ? "" : kind(element)}[${name}="${value.replace(/["\\]/g, "\\$&")}"]`];
  };

  /** What an author named it by, which is likely to be its alone. @param {Element} element @returns {string[]} */
  const strong = (element) => {
    const id = attr(element, "id") || "";
    return [...TEST_IDS.flatMap((name) => by(element, name, true)), ...(isKept(id) ? [`#${CSS.escape(id)}`] : [])];
  };

  /** All that can be said of it without its neighbours, the best first. @param {Element} element @returns {string[]} */
  const candidates = (element) => {
    const named = NAMING.flatMap((name) => (lib.states.isSecret(element) && name === "value" ? [] : by(element, name)));
    const group = by(element, "name")[0];
    const value = by(element, "value")[0];
    if (group && value && fits(element, "[type=radio], [type=checkbox]")) named.unshift(group + value.slice(kind(element).length));
    const styled = classes(element).slice(0, MOST_CLASSES).map((name) => `${kind(element)}.${CSS.escape(name)}`);
    return [...strong(element), ...named, ...by(element, "type"), ...styled, kind(element)];
  };

  /** The roots that the driver looks into. */
  const roots = tree.once(() => tree.roots().filter((/** @type {any} */ root) => nodeType(root) === 9 || root.mode === "open"));
  /** @param {Element} element @returns {Element | null} */
  const above = (element) => {
    const parent = parentNode(element);
    if (!parent || nodeType(parent) === 9) return null;
    return nodeType(parent) === 11 ? parent.host || null : parent;
  };

  /** @typedef {{compound: string, child: boolean}} Part */
  /** @param {Element} element @param {Part[]} parts Whether what is around the element fits all parts but the last. */
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
  const spelled = (parts) => parts.map(({ compound, child }, at) => (at ? (child ? " > " : " ") : "") + compound).join("");

  /** @param {Element} element @param {Part[]} parts Whether they find this element and no other. */
  const isAlone = (element, parts) => {
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

  /** @param {Element} element @returns {Part} It among its siblings. */
  const step = (element) => {
    let before = 0;
    let after = 0;
    const twin = (/** @type {any} */ it) => tree.isElement(it) && tag(it) === tag(element);
    for (let node = element.previousSibling; node; node = node.previousSibling) before += twin(node) ? 1 : 0;
    for (let node = tree.nextSibling(element); node && !after; node = tree.nextSibling(node)) after += twin(node) ? 1 : 0;
    const compound = before || after ? `${kind(element)}:nth-of-type(${before + 1})` : kind(element);
    return { compound, child: true };
  };

  /** @param {Element} element @returns {Part | null} What finds it alone by a name that an author gave it. */
  const anchor = (element) => {
    const compound = strong(element).find((it) => isAlone(element, [{ compound: it, child: false }]));
    return compound ? { compound, child: false } : null;
  };

  /** @param {Element} element @returns {string} "" where there is none, as in closed shadow roots. */
  const of = (element) => {
    if (!roots().includes(tree.root(element))) return "";
    const own = candidates(element).map((compound) => ({ compound, child: false }));
    const single = own.find((part) => isAlone(element, [part]));
    if (single) return single.compound;
    const path = [step(element)];
    for (let node = above(element), height = 0; node; node = above(node), height += 1) {
      const top = height < HIGHEST ? anchor(node) : null;
      if (top) {
        const short = own.find((part) => isAlone(element, [top, part]));
        return spelled(short ? [top, short] : [top, ...path]);
      }
      path.unshift(step(node));
    }
    const whole = spelled(path);
    return whole.length <= LONGEST && isAlone(element, path) ? whole : "";
  };

  /** @param {Element} element All that may help to find it again. */
  const tell = (element) => {
    const control = tag(element) === "label" ? tree.getter(HTMLLabelElement.prototype, "control")(element) : null;
    return { css: of(element).toWellFormed(), secret: lib.states.isSecret(control || element) };
  };

  return { of, tell, isKept, classes };
};
