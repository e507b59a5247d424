/**
 * How many tools the document offers to agents (WebMCP). The browser answers later, so it is asked once for each
 * document, and again after the tools have changed.
 * @param {Lib} lib
 */
export default (lib) => {
  const NOT_YET = -1;
  const { addEventListener } = EventTarget.prototype;
  const own = Object.getOwnPropertyDescriptor(Document.prototype, "modelContext")?.get;
  let known = own ? NOT_YET : 0;
  let asking = false;
  /** @type {(EventTarget & {getTools: () => Promise<unknown[]>}) | null} */
  let context = null;

  const begin = () => {
    context = own?.call(document) ?? null;
    if (!context) return;
    addEventListener.call(context, "toolchange", () => {
      known = NOT_YET;
    });
  };

  /** @param {number} number */
  const learn = (number) => {
    known = number;
    asking = false;
  };

  /** How many there are; -1 while that is not known. */
  const count = () => {
    if (own && !context) begin();
    if (known === NOT_YET && !asking && context) {
      asking = true;
      context.getTools().then(
        (tools) => learn(tools.length),
        () => learn(0),
      );
    }
    return known;
  };

  /** What becomes of the form that a tool is, when it is called: "sent", "filled", or "" if it is no form. */
  const form = (/** @type {string} */ name) => {
    const { all, attr, has } = lib.dom;
    for (const element of all(document, "form[toolname]")) {
      if (attr(element, "toolname") === name) return has(element, "toolautosubmit") ? "sent" : "filled";
    }
    return "";
  };

  return { count, form };
};
