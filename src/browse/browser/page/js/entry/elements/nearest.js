/**
 * What a caller may have meant by words that nothing matched: the controls and headings whose names, ids and the
 * like come closest, the closest first, each with its ref.
 * @param {Document | Element} _
 * @param {{e: number, c: number, words: string[], most: number}} options
 * @param {Lib} lib
 */
export default (_, { e, c, words, most }, lib) => {
  const { tree, roles, names, refs } = lib;
  const NAMING = ["id", "class", "name", "type", "href", "placeholder", "title", "data-testid", "aria-label", "value"];
  const SEEN = "a, area, button, input, select, textarea, summary, option, h1, h2, h3, h4, h5, h6, [role], [tabindex], [contenteditable]";
  const MAX_LOOKED = 5000;
  const MAX_CHARS = 200;
  const WHOLE = 3;
  const PART = 1;
  refs.begin(e, c);

  /** @param {string} text */
  const split = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []);

  /** Whether one letter more, less or other makes them the same. @param {string} one @param {string} two */
  const misspelt = (one, two) => {
    const [short, long] = one.length <= two.length ? [one, two] : [two, one];
    if (short.length < 3 || long.length - short.length > 1) return false;
    let at = 0;
    while (at < short.length && short[at] === long[at]) at += 1;
    return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
  };

  /** @param {string} one @param {string} two */
  const close = (one, two) => one.length > 2 && two.length > 2 && (one.includes(two) || two.includes(one) || misspelt(one, two));

  /** @param {Set<string>} has */
  const score = (has) => {
    let points = 0;
    for (const word of words) {
      if (has.has(word)) points += WHOLE;
      else if ([...has].some((it) => close(it, word))) points += PART;
    }
    return points;
  };

  const found = [];
  let looked = 0;
  for (const root of tree.roots())
    for (const element of tree.all(root, SEEN)) {
      if ((looked += 1) > MAX_LOOKED) break;
      if (tree.hidden(element)) continue;
      const role = roles.of(element);
      const called = [role, names.of(element), tree.tag(element)];
      if (!/password/i.test(tree.attr(element, "type") || "")) called.push(...NAMING.map((name) => tree.attr(element, name) || ""));
      const points = score(split(called.map((text) => text.slice(0, MAX_CHARS)).join(" ")));
      if (points) found.push({ element, role, points });
    }
  const best = found.sort((one, two) => two.points - one.points).slice(0, most);
  const elements = best.map(({ element, role }) => {
    const name = names.of(element);
    return { number: refs.show("e", element, role, name), role, name: name.slice(0, 80).toWellFormed() };
  });
  return { elements, next: refs.next() };
};
