/**
 * Words that a picture must not show: what holds them is painted as dots, and as it was after the picture.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleEdits, roles, pseudoElements, renderedText } = lib;
  const DOTS = "-webkit-text-security";
  // Attributes that are painted: dots have no effect on the first two.
  const IN_PLACE = ["placeholder", "alt"];
  const MAX_CHARS = 2_000_000;
  const contentOf = tree.getter(Node.prototype, "textContent");
  const inputValue = tree.getter(HTMLInputElement.prototype, "value");
  const areaValue = tree.getter(HTMLTextAreaElement.prototype, "value");
  /** @type {StyleEdit[]} */
  let edits = [];

  /** What an element paints by itself: a field its value, all others their text. @param {Element} element */
  const written = (element) => {
    const name = tree.tag(element);
    if (name === "input") return roles.inputType(element) === "password" ? "" : inputValue(element);
    return name === "textarea" ? areaValue(element) : contentOf(element) || "";
  };
  /** What CSS adds to an element, and an option's other name. @param {Element} element */
  const added = (element) => {
    const parts = [tree.attr(element, "label") || ""];
    if (pseudoElements.mayHaveWords(element))
      parts.push(renderedText.pseudo(element, "::before"), renderedText.pseudo(element, "::after"));
    return parts.filter(Boolean).join("\n");
  };
  /** @param {Element} element */
  const inPlace = (element) =>
    IN_PLACE.map((name) => tree.attr(element, name) || "")
      .filter(Boolean)
      .join("\n");
  /** @param {Element} element @param {string} property @param {string} value */
  const edit = (element, property, value) => {
    const before = styleEdits.before(element, property, false);
    if (!before) return;
    edits.push(before);
    styleEdits.styleOf(element)?.setProperty(property, value, "important");
  };
  /** Paint dots, also in elements that a rule of the page would take out. @param {Element} element */
  const paint = (element) => {
    for (const it of [element, ...tree.all(element, "*")]) edit(it, DOTS, "disc");
    // The chosen option is painted by its list.
    const list = tree.tag(element) === "option" ? element.closest("select") : null;
    if (list) edit(list, DOTS, "disc");
  };

  /** All words that the document may paint. @returns {string} */
  const all = () => {
    const found = [document.title];
    for (const root of tree.roots()) {
      found.push(root === document ? contentOf(document.documentElement) || "" : contentOf(root) || "");
      for (const field of tree.all(root, "input, textarea")) found.push(written(field));
      for (const element of tree.all(root, "*")) found.push(added(element), inPlace(element));
    }
    return found.filter(Boolean).join("\n").slice(0, MAX_CHARS).toWellFormed();
  };

  /** Paint dots for these words, wherever they stand. @param {string[]} words @returns {number} */
  const cover = (words) => {
    uncover();
    /** @param {string} text */
    const isIn = (text) => words.some((word) => text.includes(word));
    /** @param {Element} element */
    const holds = (element) => isIn(written(element));
    // The innermost that has all of a word; the style is inherited from there.
    for (const root of tree.roots())
      for (const element of tree.all(root, "*")) {
        if (isIn(inPlace(element))) edit(element, "visibility", "hidden");
        if (isIn(added(element)) || (holds(element) && !tree.elementsIn(element).some(holds))) paint(element);
      }
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
