/**
 * Puts back what `kept.js` read, before a document's own scripts run.
 * @param {Record<string, Record<string, string>>} kept
 */
export default (kept) => {
  try {
    const items = kept[location.origin] || {};
    for (const [name, value] of Object.entries(items)) Storage.prototype.setItem.call(sessionStorage, name, value);
  } catch {
    // a document that belongs to no site has no storage
  }
};
