// @ts-check
/**
 * Makes the selector engine out of the page scripts. `browse=text %7B...%7D` runs the script `text`
 * with the decoded arguments on the root that the selector is applied to, and answers with a
 * detached element whose text is `{"value": ...}` or `{"error": "..."}`.
 * @param {Record<string, (root: Document | Element, args: any) => unknown>} scripts
 */
(scripts) => {
  /** @param {Document | Element} root @param {string} selector */
  const answer = (root, selector) => {
    const [name, args] = selector.split(" ");
    const holder = document.createElement("browse-answer");
    try {
      const value = scripts[name](root, JSON.parse(decodeURIComponent(args)));
      holder.textContent = JSON.stringify({ value });
    } catch (error) {
      holder.textContent = JSON.stringify({ error: String(error) });
    }
    return holder;
  };
  return { query: answer, queryAll: (root, selector) => [answer(root, selector)] };
};
