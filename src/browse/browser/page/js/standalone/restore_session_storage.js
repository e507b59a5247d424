/**
 * Puts back what `read_session_storage.js` read, before a document's own scripts run.
 * @param {Record<string, Record<string, string>>} saved The items of each origin.
 */
export default (saved) => {
  try {
    const items = saved[location.origin] || {};
    for (const [name, value] of Object.entries(items)) Storage.prototype.setItem.call(sessionStorage, name, value);
  } catch {
    // a document that belongs to no site has no storage
  }
};
