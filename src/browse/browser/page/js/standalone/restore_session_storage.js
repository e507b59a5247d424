/**
 * Puts back what `read_session_storage.js` read, before a document's own scripts run. A frame leaves it to the
 * document of the same origin that it is in: that one may have changed something since.
 * @param {Record<string, Record<string, string>>} saved The items of each origin.
 */
export default (saved) => {
  const isLeftToParent = () => {
    try {
      return parent !== self && parent.location.origin === location.origin;
    } catch {
      return false; // the frame is in a document of another site
    }
  };
  try {
    const items = isLeftToParent() ? {} : saved[location.origin] || {};
    for (const [name, value] of Object.entries(items)) Storage.prototype.setItem.call(sessionStorage, name, value);
  } catch {
    // a document that belongs to no site has no storage
  }
};
