/**
 * Notices which fields of the document a person uses. It keeps no values.
 * @param {Lib} lib
 */
export default (lib) => {
  const { documentChanges, names, roles } = lib;
  const EVENTS = ["input", "change"];
  const MAX_NAME_CHARS = 200;
  /** Who is told, and of which fields they were told. @type {Map<string, WeakSet<Element>>} */
  const told = new Map();

  /** @param {Event} event */
  const onUse = (event) => {
    const used = event.composedPath()[0];
    if (!event.isTrusted || !(used instanceof Element)) return;
    for (const [token, fields] of told) {
      if (fields.has(used)) continue;
      fields.add(used);
      const name = names.of(used).slice(0, MAX_NAME_CHARS).toWellFormed();
      documentChanges.signal(token, `field ${JSON.stringify([roles.of(used), name])}`);
    }
  };

  /** @param {string} token */
  const tell = (token) => {
    if (!told.size) for (const event of EVENTS) addEventListener(event, onUse, true);
    if (!told.has(token)) told.set(token, new WeakSet());
  };
  /** @param {string} token */
  const stop = (token) => {
    told.delete(token);
    if (!told.size) for (const event of EVENTS) removeEventListener(event, onUse, true);
  };

  return { stop, tell };
};
