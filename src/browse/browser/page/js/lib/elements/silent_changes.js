/**
 * Changes that a script can make without a trace in the tree, and of which no event tells: the value of a field, what
 * is checked or chosen, the rules of a style sheet, a shadow root that an element has got, a custom element that is
 * defined now. They are found by comparing. What is remembered for that is forgotten with the action.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const MAX_FIELDS = 5_000;
  // Of more rules than these, only how many there are: their words cost as much as all else.
  const MAX_RULES = 300;
  const FIELDS = "input, textarea, select";
  const CHECKED = new Set(["checkbox", "radio"]);

  /** @param {Element} field @returns {string | null} */
  const state = (field) => {
    if (field instanceof HTMLInputElement)
      return CHECKED.has(field.type) ? `${field.checked} ${field.indeterminate}` : field.value;
    if (field instanceof HTMLTextAreaElement) return field.value;
    if (!(field instanceof HTMLSelectElement)) return null;
    return field.multiple ? Array.from(field.selectedOptions, (it) => it.index).join() : String(field.selectedIndex);
  };

  /** @param {CSSStyleSheet} sheet */
  const rules = (sheet) => {
    try {
      return sheet.disabled ? null : sheet.cssRules;
    } catch {
      return null; // a sheet of another origin keeps its rules to itself
    }
  };
  /** The rules of the style sheets that are in use; of a long one, their number. */
  const sheets = () => {
    let left = MAX_RULES;
    return tree.roots().flatMap((root) =>
      [...root.styleSheets, ...root.adoptedStyleSheets].map((sheet) => {
        const found = rules(sheet);
        left -= found?.length ?? 0;
        return found && left >= 0 ? Array.from(found, (it) => it.cssText).join() : String(found?.length);
      }),
    );
  };
  /** How many shadow roots there are in which something may stand, and how many elements that are not defined yet. */
  const places = () => [tree.roots().length, tree.customElements().filter((it) => !tree.fits(it, ":defined")).length];
  const looks = () => [...places(), ...sheets()].join();

  /** Remember how things are now. @returns {() => boolean} Whether they have changed since. */
  const since = () => {
    const fields = tree.roots().flatMap((root) => tree.all(root, FIELDS));
    const before = fields.slice(0, MAX_FIELDS).map((it) => ({ it, was: state(it) }));
    const looked = looks();
    return () => before.some(({ it, was }) => state(it) !== was) || looks() !== looked;
  };

  return { since };
};
