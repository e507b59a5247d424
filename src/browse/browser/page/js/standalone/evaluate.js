/**
 * Runs a caller's script in the page's own world and says what it gave, in one round trip. A function
 * is called, a promise awaited. The result is written as a console would: undefined is nothing, objects are
 * indented JSON, what JSON cannot say (a node, a Map, an error, a cycle) is said in another way.
 * Nothing but a promise is waited for, so a script that sends the page elsewhere is answered first.
 * @param {string} source
 * @returns {unknown} {kind: "undefined" | "json" | "text" | "error" | "syntax", text: string}, or a promise of it
 */
export default (source) => {
  /** @param {unknown} value @returns {{kind: string, text: string}} */
  const describe = (value) => {
    if (value === undefined) return { kind: "undefined", text: "" };
    if (typeof value === "string") return { kind: "text", text: value };
    if (value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)))
      return { kind: "json", text: String(value) };
    if (typeof value !== "object") return { kind: "text", text: String(value) };
    if (value instanceof Error) return { kind: "error", text: String(value.stack || value) };
    const node = value instanceof Document ? value.documentElement : value;
    if (node instanceof Node)
      return { kind: "text", text: node instanceof Element ? node.outerHTML : node.textContent || "" };
    const plain = value instanceof Map ? Object.fromEntries(value) : value instanceof Set ? [...value] : value;
    try {
      const text = JSON.stringify(plain, null, 2);
      if (text !== undefined) return { kind: "json", text };
    } catch {
      // A cycle or a BigInt inside: fall through to the plain form.
    }
    return { kind: "text", text: Object.prototype.toString.call(value) };
  };

  // As a script of the page's own, not of this function: what it declares stays.
  // biome-ignore lint/security/noGlobalEval: this is what `js` and `eval` are for
  const run = eval;

  const evaluate = () => {
    if (!/^\s*(async\s+)?function\b/.test(source)) return run(source);
    try {
      return run(`(${source}\n)`); // a function is a value here, not a declaration
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return run(source);
    }
  };

  /** Whether the script is no JavaScript at all: parsed alone, it fails too. */
  const isMalformed = () => {
    try {
      new Function(source);
      return false;
    } catch (error) {
      return error instanceof SyntaxError;
    }
  };

  let given;
  try {
    given = evaluate();
  } catch (error) {
    if (!(error instanceof SyntaxError) || !isMalformed()) throw error;
    return { kind: "syntax", text: String(error) };
  }
  const value = typeof given === "function" ? given() : given;
  return typeof value?.then === "function" ? value.then(describe) : describe(value);
};
