/**
 * Words that a picture must not show: what holds them is painted as dots, and as it was after the picture.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleEdits, roles } = lib;
  const DOTS = "-webkit-text-security";
  const MAX_CHARS = 2_000_000;
  const contentOf = tree.getter(Node.prototype, "textContent");
  const inputValue = tree.getter(HTMLInputElement.prototype, "value");
  const areaValue = tree.getter(HTMLTextAreaElement.prototype, "value");
  /** @type {StyleEdit[]} */
  let edits = [];

  /** What an element paints by itself: a field its value, all others their text. @param {Element} element */
  const painted = (element) => {
    const name = tree.tag(element);
    if (name === "input") return roles.inputType(element) === "password" ? "" : inputValue(element);
    return name === "textarea" ? areaValue(element) : contentOf(element) || "";
  };
  /** @param {Element} element */
  const paint = (element) => {
    const edit = styleEdits.before(element, DOTS, false);
    if (!edit) return;
    edits.push(edit);
    styleEdits.styleOf(element)?.setProperty(DOTS, "disc", "important");
  };

  /** All words that the document may paint. @returns {string} */
  const all = () => {
    const found = [document.title];
    for (const root of tree.roots()) {
      found.push(root === document ? contentOf(document.documentElement) || "" : contentOf(root) || "");
      for (const field of tree.all(root, "input, textarea")) found.push(painted(field));
    }
    return found.join("\n").slice(0, MAX_CHARS).toWellFormed();
  };

  /** Paint dots for these words, wherever they stand. @param {string[]} words @returns {number} */
  const cover = (words) => {
    uncover();
    /** @param {Element} element */
    const holds = (element) => words.some((word) => painted(element).includes(word));
    // The innermost that has all of a word; the style is inherited from there.
    for (const root of tree.roots())
      for (const element of tree.all(root, "*"))
        if (holds(element) && !tree.elementsIn(element).some(holds)) paint(element);
    return edits.length;
  };

  /** Paint them as they were. @returns {number} */
  const uncover = () => {
    const done = edits;
    edits = [];
    for (const edit of done.reverse()) styleEdits.takeBack(edit);
    return done.length;
  };

  return { all, cover, uncover };
};
