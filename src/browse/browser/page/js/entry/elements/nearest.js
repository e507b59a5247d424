/**
 * What a caller may have meant by words that nothing matched: the controls and headings whose names, ids and the
 * like come closest, the closest first, each with its ref.
 * @param {Document | Element} _
 * @param {{numbers: RefNumbers, words: string[], most: number}} options
 * @param {Lib} lib
 */
export default (_, { numbers, words, most }, lib) => {
  const { tree, roles, names, refs } = lib;
  const NAMING = ["id", "class", "name", "type", "href", "placeholder", "title", "data-testid", "aria-label", "value"];
  const CONTROLS_AND_HEADINGS = [
    "a, area, button, input, select, textarea, summary, option, [role], [tabindex], [contenteditable]",
    "h1, h2, h3, h4, h5, h6",
  ].join(", ");
  const MAX_LOOKED = 5000;
  const MAX_CHARS = 200;
  const MAX_NAME_CHARS = 80;
  const POINTS = { whole: 3, part: 1 };
  refs.begin(numbers);

  /** @param {string} text */
  const split = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []);

  /** Whether one letter more, less or other makes them the same. @param {string} one @param {string} two */
  const isMisspelt = (one, two) => {
    const [short, long] = one.length <= two.length ? [one, two] : [two, one];
    if (short.length < 3 || long.length - short.length > 1) return false;
    let at = 0;
    while (at < short.length && short[at] === long[at]) at += 1;
    return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
  };

  /** @param {string} one @param {string} two */
  const isClose = (one, two) => {
    if (one.length <= 2 || two.length <= 2) return false;
    return one.includes(two) || two.includes(one) || isMisspelt(one, two);
  };

  /** @param {Set<string>} own The words of an element. */
  const score = (own) => {
    let points = 0;
    for (const word of words) {
      if (own.has(word)) points += POINTS.whole;
      else if ([...own].some((it) => isClose(it, word))) points += POINTS.part;
    }
    return points;
  };

  const found = [];
  let looked = 0;
  for (const root of tree.roots())
    for (const element of tree.all(root, CONTROLS_AND_HEADINGS)) {
      looked += 1;
      if (looked > MAX_LOOKED) break;
      if (tree.hidden(element)) continue;
      const role = roles.of(element);
      const called = [role, names.of(element), tree.tag(element)];
      const isPassword = /password/i.test(tree.attr(element, "type") || "");
      if (!isPassword) called.push(...NAMING.map((name) => tree.attr(element, name) || ""));
      const points = score(split(called.map((text) => text.slice(0, MAX_CHARS)).join(" ")));
      if (points) found.push({ element, role, points });
    }
  const best = found.sort((one, two) => two.points - one.points).slice(0, most);
  const elements = best.map(({ element, role }) => {
    const name = names.of(element);
    const hint = name ? "" : lib.iconHints.of(element);
    const shown = name.slice(0, MAX_NAME_CHARS).toWellFormed();
    return { number: refs.show("e", element, role, name), role, name: shown, hint };
  });
  return { elements, next: refs.next() };
};
