// @ts-check
/**
 * Runs a caller's script in the page's own world and says what it gave, in one round trip. A function
 * is called, a promise awaited. The result is told as a console would: undefined is nothing, objects are
 * indented JSON, what JSON cannot say (a node, a Map, an error, a cycle) is said in another way.
 * @param {string} source
 * @returns {Promise<{kind: "undefined" | "json" | "text", text: string}>}
 */
async (source) => {
  /** @param {any} value @returns {{kind: "undefined" | "json" | "text", text: string}} */
  const describe = (value) => {
    if (value === undefined) return { kind: "undefined", text: "" };
    if (typeof value === "string") return { kind: "text", text: value.toWellFormed() };
    if (value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
      return { kind: "json", text: String(value) };
    if (typeof value !== "object") return { kind: "text", text: String(value).toWellFormed() };
    if (value instanceof Error) return { kind: "text", text: String(value.stack || value).toWellFormed() };
    if (value instanceof Node)
      return { kind: "text", text: (value instanceof Element ? value.outerHTML : value.textContent || "").toWellFormed() };
    const plain = value instanceof Map ? Object.fromEntries(value) : value instanceof Set ? [...value] : value;
    try {
      const text = JSON.stringify(plain, null, 2);
      if (text !== undefined) return { kind: "json", text: text.toWellFormed() };
    } catch {
      // A cycle or a BigInt inside: fall through to the plain form.
    }
    return { kind: "text", text: String(value).toWellFormed() };
  };

  const given = (0, eval)(source);
  return describe(await (typeof given === "function" ? given() : given));
};
