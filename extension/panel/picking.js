// @ts-check
/** Lets the person pick something on the shown page, one at a time. */

import { admitted, pickedBy, typeOf } from "../shared/gate.js";
import { ask, shownTab } from "./this_tab.js";

/** @typedef {NonNullable<ReturnType<typeof pickedBy>>} Picked */

export class Picking {
  /** @type {{tab: number | null, purpose: string, done: (picked: Picked | null) => void} | null} */
  #waiting = null;

  constructor() {
    chrome.runtime.onMessage.addListener((message, sender) => this.#hear(message, sender));
  }

  /**
   * Start the picker on the shown page; null if the person ends it, or picks for something else meanwhile.
   * @param {"inspect" | "note"} purpose @returns {Promise<Picked | null>}
   */
  async pick(purpose) {
    this.#waiting?.done(null);
    const tab = await shownTab();
    const { promise, resolve } = /** @type {PromiseWithResolvers<Picked | null>} */ (Promise.withResolvers());
    const mine = { tab, purpose, done: resolve };
    this.#waiting = mine;
    if (!(await ask({ type: "start-picker", purpose }))) {
      this.#waiting = null;
      throw new Error("The picker cannot run on this page.");
    }
    return promise.finally(() => {
      if (this.#waiting === mine) this.#waiting = null;
    });
  }

  /** @param {unknown} message @param {chrome.Sender} sender */
  #hear(message, sender) {
    const waiting = this.#waiting;
    if (!waiting || !admitted(message, sender, chrome.runtime.id) || sender.tab?.id !== waiting.tab) return;
    if (typeOf(message) === "picker-ended") waiting.done(null);
    if (typeOf(message) !== "picked") return;
    const picked = pickedBy(message);
    if (picked?.purpose === waiting.purpose) waiting.done(picked);
  }
}
