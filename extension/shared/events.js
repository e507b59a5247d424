// @ts-check
/** Server-sent events out of a stream of text, however it is cut. */

/** @typedef {{event: string, data: string}} ServerEvent */

/** Collects pieces of a stream and returns the events that are complete. */
export class EventParser {
  #rest = "";

  /** @param {string} piece @returns {ServerEvent[]} */
  add(piece) {
    const blocks = (this.#rest + piece).split(/\r?\n\r?\n/);
    this.#rest = blocks.pop() ?? "";
    return blocks.map(parsed).filter((found) => found.data !== "");
  }
}

/** @param {string} block @returns {ServerEvent} */
const parsed = (block) => {
  let event = "message";
  /** @type {string[]} */
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue; // a comment, or a field without a value
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  return { event, data: data.join("\n") };
};
