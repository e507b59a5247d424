/**
 * What live regions say because of changes: alerts, status lines, logs. Of a log, only what was added to it.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const LIVE = "[role=alert], [role=status], [role=log], [aria-live=polite], [aria-live=assertive], output";
  const LOG = "[role=log]:not([aria-atomic=true])";
  const MAX_REGIONS = 5;
  const MAX_ADDED = 20;
  const isConnected = tree.getter(Node.prototype, "isConnected");
  const innerText = tree.getter(HTMLElement.prototype, "innerText");
  const textContent = tree.getter(Node.prototype, "textContent");
  const { contains } = Node.prototype;

  /** @param {Node} node */
  const words = (node) => (node instanceof HTMLElement ? innerText(node) : textContent(node) || "");
  /** @param {Element} region @param {Set<Node>} added */
  const said = (region, added) => {
    if (!tree.fits(region, LOG)) return words(region);
    const there = [...added].filter(isConnected);
    const outer = there.filter((it) => !there.some((at) => at !== it && contains.call(at, it)));
    return outer.map(words).join(" ");
  };

  /** Begin to note what live regions say. */
  const begin = () => {
    /** Those that have changed, with what was added. @type {Map<Element, Set<Node>>} */
    const changed = new Map();
    /** Note the live regions that a change is in, or has brought. @param {MutationRecord} change */
    const note = ({ type, target, addedNodes }) => {
      for (const node of [target, ...addedNodes]) {
        const element = node instanceof Element ? node : tree.parentElement(node);
        const region = element && (tree.closest(element, LIVE) || (node !== target && tree.list(element, LIVE)[0]));
        if (!region || (changed.size >= MAX_REGIONS && !changed.has(region))) continue;
        const added = changed.get(region) || new Set();
        changed.set(region, added);
        if (added.size < MAX_ADDED && (node !== target || type === "characterData")) added.add(node);
      }
    };
    /** What they say now. */
    const texts = () =>
      [...changed].filter(([it]) => isConnected(it) && !tree.hidden(it)).map(([it, added]) => said(it, added));
    return { note, texts };
  };

  return { begin };
};
