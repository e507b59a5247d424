/**
 * Puts saved items into the local storage of a document's origin, before its own scripts run.
 * @param {Record<string, {name: string, value: string}[]>} saved The items of each origin.
 */
export default (saved) => {
  try {
    for (const { name, value } of saved[location.origin] || [])
      Storage.prototype.setItem.call(localStorage, name, value);
  } catch {
    // a document that belongs to no site has no storage
  }
};
