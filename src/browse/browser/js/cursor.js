// @ts-check
/**
 * Things that can be pressed although no role says so.
 * @param {any} lib
 */
(lib) => {
  const NAME_CHARS = 80;

  /** @param {Element} element @returns {string} */
  const name = (element) => {
    const words = element instanceof HTMLElement ? element.innerText : element.textContent || "";
    return words.replace(/\s+/g, " ").trim().slice(0, NAME_CHARS).toWellFormed() || lib.tree.tag(element);
  };

  return { name };
};
