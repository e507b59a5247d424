/**
 * Changes that a script can make without a trace in the tree, and of which no event tells: the value of a field, what
 * is checked or chosen, the rules of a style sheet. They are found by comparing. What is remembered for that is
 * forgotten with the action.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const MAX_FIELDS = 5_000;
  const FIELDS = "input, textarea, select";
  const CHECKED = new Set(["checkbox", "radio"]);

  /** @param {Element} field @returns {string | boolean | null} */
  const state = (field) => {
    if (field instanceof HTMLInputElement) return CHECKED.has(field.type) ? field.checked : field.value;
    if (field instanceof HTMLTextAreaElement) return field.value;
    if (!(field instanceof HTMLSelectElement)) return null;
    return field.multiple ? Array.from(field.selectedOptions, (it) => it.index).join() : String(field.selectedIndex);
  };

  /** @param {CSSStyleSheet} sheet */
  const rules = (sheet) => {
    try {
      return sheet.disabled ? -1 : sheet.cssRules.length;
    } catch {
      return 0; // a sheet of another origin keeps its rules to itself
    }
  };
  /** How many rules each style sheet has that is in use. */
  const sheets = () => {
    /** @type {number[]} */
    const counts = [];
    for (const root of tree.roots())
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) counts.push(rules(sheet));
    return counts.join();
  };

  /** Remember how things are now. @returns {() => boolean} Whether they have changed since. */
  const since = () => {
    const fields = tree.roots().flatMap((root) => tree.all(root, FIELDS));
    const before = fields.slice(0, MAX_FIELDS).map((it) => ({ it, was: state(it) }));
    const styles = sheets();
    return () => before.some(({ it, was }) => state(it) !== was) || sheets() !== styles;
  };

  return { since };
};
