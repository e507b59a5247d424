/**
 * Makes the selector engine out of the page scripts.
 *
 * `browse=reading/text %7B...%7D` runs the script `reading/text` with the decoded arguments on the root that the
 * selector is applied to. The answer is a detached element whose text is `{"value": ...}` or `{"error": "..."}`, with
 * `{"hidden": [...]}` where `evidence` was asked for. A script that returns an element (or `undefined`) is answered
 * with that element itself (or nothing). With `watch`, an action is watched from before the script on; with `look`,
 * the answer also has `{"watched": ...}`: what has happened since.
 *
 * `browse=4@e12` is the element that was shown under that ref in the tab's fourth document, as long as it
 * still is what it was; `browse=4@e12!` even if it is not. With `?` at its end, an element that is gone is found as a
 * mark of it, and a script that is run on that answers `{"gone": "@e12"}`: the driver would wait for the element to
 * come. `browse=note 7` finds nothing and notes what it was applied to, for a script that is told of run 7;
 * `browse=noted 7 2` is the third element that was noted in it.
 *
 * Nothing is made before it is first asked: the driver also loads the engine into the page's own world, where it is
 * never asked, and where a page may have broken what it is made of.
 * @param {{share: (lib: Lib) => void, scripts: Record<string, PageScript>}} sources
 *   What puts all shared parts on `lib`, and the scripts by their paths.
 */
export default ({ share, scripts }) => {
  const REF = /^([0-9]+)@([ec])([0-9]+)(!?)(\??)$/;
  const NOTE = /^note ([0-9]+)$/;
  const NOTED = /^noted ([0-9]+) ([0-9]+)$/;
  const GONE = "browse-gone";

  /** @type {Lib | null} */
  let library = null;

  /** @returns {Lib} */
  const built = () => {
    const lib = /** @type {Lib} */ ({});
    share(lib);
    lib.documentChanges.observe();
    return lib;
  };

  /** @param {Document | Element} root @param {string} selector @param {Lib} lib @returns {Element | null} */
  const answer = (root, selector, lib) => {
    const [name, args] = selector.split(" ");
    const holder = document.createElement("browse-answer");
    try {
      if (/** @type {Element} */ (root).localName === GONE) {
        holder.textContent = JSON.stringify({ gone: root.textContent });
        return holder;
      }
      const { evidence, watch, look, ...given } = JSON.parse(decodeURIComponent(args));
      if (watch) lib.actionWatch.start(watch.token, watch.patient, watch.first);
      const value = scripts[name](root, given, lib);
      if (value === undefined || value instanceof Element) return value ?? null;
      const hidden = evidence ? lib.evidence(root, evidence === "all") : undefined;
      const watched = look ? lib.actionWatch.look(false, false, false) : undefined;
      holder.textContent = JSON.stringify({ value, hidden, watched });
    } catch (error) {
      holder.textContent = JSON.stringify({ error: String(error) });
    }
    return holder;
  };

  /** @param {string} ref */
  const markOf = (ref) => Object.assign(document.createElement(GONE), { textContent: ref });

  /** @param {Document | Element} root @param {string} selector @returns {Element | null} */
  const query = (root, selector) => {
    library ||= built();
    const note = NOTE.exec(selector);
    if (note) {
      library.noted.add(Number(note[1]), root);
      return null;
    }
    const noted = NOTED.exec(selector);
    if (noted) return library.noted.at(Number(noted[1]), Number(noted[2]));
    const ref = REF.exec(selector);
    try {
      if (!ref) return answer(root, selector, library);
      const kind = /** @type {RefKind} */ (ref[2]);
      const found = library.refs.find(Number(ref[1]), kind, Number(ref[3]), ref[4] === "!");
      return found || (ref[5] ? markOf(`@${ref[2]}${ref[3]}`) : null);
    } finally {
      // What was remembered holds for this run only, and would keep removed elements alive.
      library.cache.clear();
    }
  };

  return {
    query,
    /** @param {Document | Element} root @param {string} selector */
    queryAll: (root, selector) => [query(root, selector)].filter((found) => found !== null),
  };
};
