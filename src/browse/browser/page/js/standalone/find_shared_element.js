/**
 * Finds what share_element.js shows, in the document and in all of its open shadow roots.
 * @param {string} name
 * @returns {Element | null}
 */
export default (name) => {
  /** @type {(Document | ShadowRoot)[]} */
  const roots = [document];
  for (const root of roots) {
    const found = root.getAnimations().find((it) => it.id === name);
    if (found?.effect instanceof KeyframeEffect) return found.effect.target;
    for (const it of root.querySelectorAll("*")) if (it.shadowRoot) roots.push(it.shadowRoot);
  }
  return null;
};
