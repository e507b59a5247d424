/**
 * A selector engine that tells what the accessibility library says: `aria=<command> <argument>` answers with a detached
 * element that holds JSON.
 * @param {(lib: Lib) => void} share
 */
export default (share) => {
  const lib = /** @type {Lib} */ ({});
  share(lib);
  const { tree, roles, names, states } = lib;
  const everywhere = (/** @type {string} */ selector) => tree.roots().flatMap((root) => tree.all(root, selector));

  const about = (/** @type {Element} */ element) => {
    const role = roles.of(element);
    const said = { role, name: names.of(element), description: names.describe(element) };
    return { ...said, hidden: tree.hidden(element), states: states.of(element, role) };
  };

  const mark = (/** @type {Element} */ element, /** @type {number} */ number) =>
    Element.prototype.setAttribute.call(element, "data-mark", `${number}`);

  const kinds = (/** @type {Element} */ element) => tree.children(element).map((node) => node.nodeName.toLowerCase());

  /** @type {Record<string, (argument: string) => unknown>} */
  const COMMANDS = {
    mark: () => everywhere("*").forEach(mark),
    marked: () =>
      everywhere("[data-mark]").map((it) => ({
        mark: tree.attr(it, "data-mark"),
        tag: tree.tag(it),
        interactive: roles.INTERACTIVE.has(roles.of(it)),
        ...about(it),
      })),
    addresses: () => {
      const operated = everywhere("*").filter((it) => roles.INTERACTIVE.has(roles.of(it)));
      const found = operated.map((it) => lib.selectors.of(it));
      operated.forEach(mark);
      return found;
    },
    about: (selector) => everywhere(selector).map(about),
    children: (selector) => everywhere(selector).map(kinds),
    expected: () =>
      everywhere("[data-expectedlabel], [data-expectedrole]").map((it) => ({
        test: tree.attr(it, "data-testname") || tree.tag(it),
        wanted: { name: tree.attr(it, "data-expectedlabel"), role: tree.attr(it, "data-expectedrole") },
        got: { name: names.of(it), role: roles.of(it) },
      })),
    time: (selector) => {
      const elements = everywhere(selector);
      const times = Array.from({ length: 7 }, () => {
        lib.cache.clear();
        const start = performance.now();
        for (const element of elements) names.of(element) && roles.of(element);
        return performance.now() - start;
      });
      return { elements: elements.length, milliseconds: Math.min(...times) };
    },
  };

  const answer = (/** @type {unknown} */ _root, /** @type {string} */ selector) => {
    const [command, ...rest] = selector.split(" ");
    const holder = document.createElement("b");
    lib.cache.clear();
    try {
      holder.textContent = JSON.stringify({ value: COMMANDS[command](rest.join(" ")) ?? null });
    } catch (error) {
      holder.textContent = JSON.stringify({ error: String((error instanceof Error && error.stack) || error) });
    }
    lib.cache.clear();
    return holder;
  };
  const answers = (/** @type {unknown} */ root, /** @type {string} */ selector) => [answer(root, selector)];
  return { query: answer, queryAll: answers };
};
