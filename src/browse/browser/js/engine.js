// @ts-check
/**
 * Makes the selector engine out of the page scripts. `browse=text %7B...%7D` runs the script `text`
 * with the decoded arguments on the root that the selector is applied to, and answers with a
 * detached element whose text is `{"value": ...}` or `{"error": "..."}`, with `{"unseen": [...]}` where `evidence` was asked for; a script that finds an element
 * (or `undefined`) is answered with that element itself (or nothing). `browse=@e12` is the element
 * that was shown under that ref, as long as it still is what it was; `browse=@e12!` even if it is not.
 * `browse=note 7` finds nothing and notes what it was applied to, for `describe` of that run; `browse=noted 7 2`
 * is the third element that was noted in it.
 * @param {Record<string, (root: Document | Element, args: any, lib: any) => unknown>} scripts
 * @param {any} lib
 */
(scripts, lib) => {
  const REF = /^@([ec])([0-9]+)(!?)$/;
  const NOTE = /^note ([0-9]+)$/;
  const NOTED = /^noted ([0-9]+) ([0-9]+)$/;

  /** @param {Document | Element} root @param {string} selector */
  const answer = (root, selector) => {
    const [name, args] = selector.split(" ");
    const holder = document.createElement("browse-answer");
    try {
      const { evidence, ...given } = JSON.parse(decodeURIComponent(args));
      const value = scripts[name](root, given, lib);
      if (value === undefined || value instanceof Element) return value ?? null;
      holder.textContent = JSON.stringify(evidence ? { value, unseen: lib.evidence(root, evidence === "all") } : { value });
    } catch (error) {
      holder.textContent = JSON.stringify({ error: String(error) });
    }
    return holder;
  };

  /** @param {Document | Element} root @param {string} selector @returns {Element | null} */
  const query = (root, selector) => {
    const note = NOTE.exec(selector);
    if (note) return lib.found.note(Number(note[1]), root) || null;
    const noted = NOTED.exec(selector);
    if (noted) return lib.found.at(Number(noted[1]), Number(noted[2]));
    const [, kind, number, anyway] = REF.exec(selector) || [];
    try {
      return kind ? lib.refs.find(kind, Number(number), anyway === "!") : answer(root, selector);
    } finally {
      // What was remembered holds for this run only, and would keep removed elements alive.
      lib.fresh();
    }
  };

  return { query, queryAll: (root, selector) => [query(root, selector)].filter(Boolean) };
};
