/**
 * What a cell of a table says: its words without those of tables in it, what its fields hold (never of secrets),
 * whether its boxes are checked, and where it has no words, what its pictures are called.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roles, visibility, visibleContent } = lib;
  const BOXES = "input[type=checkbox i], input[type=radio i], [role=checkbox], [role=radio], [role=switch]";
  const SAYING =
    "img, svg, input, select, textarea, progress, meter, [role=img], [role=slider], [role=progressbar], " +
    "[aria-label], [title]";
  const MAX_SAYING = 20;
  const fold = (/** @type {string} */ words) => lib.renderedText.fold(words).toWellFormed();

  /** A box that is not rendered still counts where its label stands for it. @param {Element} box */
  const isBox = (box) => visibility.isRendered(box) || tree.closest(box, "label") !== null;

  /** @param {boolean | "mixed" | undefined} checked */
  const mark = (checked) => (checked === true ? "✓" : checked === "mixed" ? "–" : checked === false ? "✗" : "");

  /** Which boxes in a cell are checked, or whether it is itself. @param {Element} cell @returns {string} */
  const marks = (cell) => {
    const own = tree.token(cell, "aria-checked");
    if (/^(true|false|mixed)$/.test(own)) return mark(own === "mixed" ? own : own === "true");
    if (!cell.childElementCount && !tree.shadowRoot(cell)) return "";
    const said = visibleContent
      .all(cell, BOXES)
      .filter(isBox)
      .map((box) => mark(/** @type {boolean | "mixed" | undefined} */ (lib.states.of(box, roles.of(box)).checked)));
    return said.filter(Boolean).join(" ");
  };

  /**
   * What stands for words where a cell has none: a picture, a field, an icon.
   * @param {Element} cell @returns {string}
   */
  const instead = (cell) => {
    const saying = [cell, ...visibleContent.all(cell, SAYING).slice(0, MAX_SAYING)];
    const said = saying.map((it) => {
      if (tree.fits(it, BOXES) || !visibility.isRendered(it)) return "";
      const given = it === cell ? tree.attr(it, "aria-label") : lib.states.value(it, roles.of(it)) || lib.names.of(it);
      return fold(given || tree.attr(it, "title") || "");
    });
    const names = [...new Set(said.filter(Boolean))].join(" ");
    const icon = names || !tree.elements(cell).length ? "" : lib.iconHints.ofIcons(cell);
    return names || (icon && `[${icon}]`);
  };

  /**
   * The words in a cell that are in none of the elements which fit.
   * @param {Element} cell @param {(inner: Element) => boolean} isInner @returns {string}
   */
  const ownWords = (cell, isInner) => {
    const parts = [];
    /** @type {(Text | Element)[]} */
    const stack = [cell];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (tree.isText(node)) parts.push(node.data);
      else if (node === cell || !(isInner(node) || lib.iconHints.ligature(node)))
        stack.push(...visibleContent.children(node).reverse());
    }
    return fold(parts.join(" "));
  };

  /**
   * What a cell says; of one that heads a column, not whether the box for all rows is checked.
   * @param {Element} cell @param {boolean} isHead @param {((inner: Element) => boolean) | null} isInner Whether an
   *   element is a table inside, if there can be any. @returns {string}
   */
  const words = (cell, isHead, isInner) => {
    const own = isInner ? ownWords(cell, isInner) : visibleContent.words(cell);
    const boxes = isHead ? "" : marks(cell);
    if (boxes) return own ? `${boxes} ${own}` : boxes;
    return own || instead(cell);
  };

  return { words };
};
