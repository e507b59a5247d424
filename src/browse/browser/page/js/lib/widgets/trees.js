/**
 * Trees: finds an item by the names on the way to it, tells how it stands, and what opens it. Trees of ARIA, and
 * `details` in `details`.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, names, states, renderedText } = lib;
  const { fold } = renderedText;
  const TREES = "[role~=tree i], [role~=treegrid i]";
  const ITEMS = "[role~=treeitem i], [role~=treegrid i] [role~=row i]";
  const INNER = `${ITEMS}, [role~=group i], ul, ol, details`;
  const FOLDED = "details, details a, details li, details button";
  const PARTS = "expander -ocl toggle twist switcher caret chevron arrow".split(" ");
  const TOGGLES = ["summary", ...PARTS.map((it) => `[class*=${it} i]`), "[aria-expanded]"].join();
  const MAX_ITEMS = 20_000;

  /** @typedef {{element: Element, level: number}} Item */

  /** How many groups and items are around an item. @param {Element} element @param {string} around */
  const depth = (element, around) => {
    let level = 0;
    for (let it = tree.parent(element); it && !tree.fits(it, TREES); it = tree.parent(it))
      if (tree.fits(it, around)) level += 1;
    return level;
  };

  /** Every item of the trees that can be seen in a place. @param {Element} place @returns {Item[][]} */
  const all = (place) => {
    const trees = tree.fits(place, TREES) ? [place] : tree.all(place, TREES);
    /** @param {Element} it */
    const isShown = (it) => !tree.hidden(it);
    const found = trees.map((one) =>
      tree
        .all(one, ITEMS)
        .slice(0, MAX_ITEMS)
        .filter(isShown)
        .map((element) => {
          const said = Number(tree.attr(element, "aria-level"));
          return { element, level: said || depth(element, `${ITEMS}, [role~=group i]`) };
        }),
    );
    const folded = tree.all(place, FOLDED).slice(0, MAX_ITEMS).filter(isShown);
    const own = tree.fits(place, "details") ? [place, ...folded] : folded;
    return [...found, own.map((element) => ({ element, level: depth(element, "details") }))].filter((it) => it.length);
  };

  /** The words of an item, without those of the items in it. @param {Element} item @returns {string} */
  const nameOf = (item) => {
    const summary = tree.tag(item) === "details" && tree.all(item, "summary")[0];
    if (summary) return fold(summary.textContent || "");
    if (tree.has(item, "aria-label") || !tree.all(item, INNER).length)
      return names.of(item) || fold(item.textContent || "");
    const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
    let found = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = tree.parent(node);
      const inner = holder && tree.closest(holder, INNER);
      if (holder && !tree.hidden(holder) && (!inner || inner === item || !tree.isWithin(inner, item)))
        found += /** @type {Text} */ (node).data;
    }
    return fold(found);
  };

  /**
   * What is directly below an item; without one, what is at the top.
   * @param {Item[]} items @param {Item | null} above
   */
  const below = (items, above) => {
    const from = above ? items.indexOf(above) + 1 : 0;
    const end = above ? items.findIndex((it, at) => at >= from && it.level <= above.level) : -1;
    const inner = items.slice(from, end < 0 ? undefined : end).filter((it) => nameOf(it.element));
    const top = Math.min(...inner.map((it) => it.level));
    return inner.filter((it) => it.level === top);
  };

  /** @param {Item[]} items @param {string} name The same words, else with other capitals. */
  const matching = (items, name) => {
    const wanted = fold(name);
    /** @param {Item} it What a person reads, without the names of icons. */
    const seen = ({ element }) => (tree.all(element, INNER).length ? "" : fold(element.textContent || ""));
    /** @type {((it: Item) => boolean)[]} */
    const ways = [
      (it) => nameOf(it.element) === wanted,
      (it) => seen(it) === wanted,
      (it) => nameOf(it.element).toLowerCase() === wanted.toLowerCase(),
    ];
    return ways.map((fits) => items.filter(fits)).find((it) => it.length) || [];
  };

  /** The item at the end of a path, as far as there is one. @param {Element} place @param {string[]} path */
  const walk = (place, path) => {
    const trees = all(place);
    const items = trees.find((it) => matching(below(it, null), path[0]).length) || trees[0] || [];
    let many = trees.flatMap((it) => matching(below(it, null), path[0])).length;
    /** @type {Item | null} */
    let last = null;
    let found = 0;
    for (const name of path) {
      const here = matching(below(items, last), name);
      if (found) many = here.length;
      if (here.length !== 1 || many !== 1) break;
      [last] = here;
      found += 1;
    }
    return {
      trees: trees.length,
      found,
      many,
      last,
      inner: last || !trees.length ? below(items, last) : trees.flatMap((it) => below(it, null)),
    };
  };

  /** @param {Item} item @param {Item[]} inner @returns {"open" | "closed" | "leaf"} */
  const standing = ({ element }, inner) => {
    if (tree.tag(element) === "details") return tree.has(element, "open") ? "open" : "closed";
    const said = [element, ...own(element)]
      .map((it) => states.of(it, "treeitem").expanded)
      .find((it) => it !== undefined);
    if (said !== undefined) return said ? "open" : "closed";
    return inner.length ? "open" : "leaf";
  };

  /** What belongs to an item and to none in it. @param {Element} item */
  const own = (item) => {
    const row = tree.fits(item, "li") ? item : tree.closest(item, "li");
    const holder = row && tree.all(row, ITEMS)[0] === item ? row : item;
    return tree.all(holder, "*").filter((it) => {
      const inner = tree.closest(it, INNER);
      return (
        !inner || inner === item || inner === holder || !tree.isWithin(inner, holder) || tree.isWithin(holder, inner)
      );
    });
  };

  /**
   * What opens an item when it is clicked, if that can be told.
   * @param {Element} item @returns {Element | undefined}
   */
  const toggleOf = (item) => own(item).find((it) => tree.fits(it, TOGGLES) && !tree.hidden(it));

  /** Whether what is below an item is still to come. @param {Item} item @param {Item[]} inner */
  const isLoading = ({ element }, inner) => {
    const around = [element, ...own(element), ...inner.flatMap((it) => [it.element, ...own(it.element)])];
    return (
      around.some((it) => tree.fits(it, "[class*=loading i]")) || tree.closest(element, "[aria-busy=true i]") !== null
    );
  };

  return { isLoading, nameOf, standing, toggleOf, walk };
};
