// @ts-check
/** Which of the daemon's tabs each tab of this browser is. The daemon finds a tab by the document that it shows. */

const MAX_TRIES = 8;
const AGAIN_MS = 1000;
/** @param {number} ms @returns {Promise<void>} */
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** @typedef {{ tab: number, count: number }} Found */

export class Introductions {
  /** The daemon's numbers. @type {Map<number, number>} */
  #numbers = new Map();
  /** What each tab has shown last. @type {Map<number, number>} */
  #documents = new Map();
  #find;
  #wait;

  /** @param {(document: number) => Promise<Found>} find @param {(ms: number) => Promise<void>} wait */
  constructor(find, wait = sleep) {
    this.#find = find;
    this.#wait = wait;
  }

  /**
   * Learn which tab a document is in; null if it is none of the daemon's, or another document came meanwhile. A page
   * that is busy does not tell the daemon what it is, so ask again, less and less often.
   * @param {number} tab @param {number} document @returns {Promise<Found | null>}
   */
  async learn(tab, document) {
    this.#documents.set(tab, document);
    const isLeft = () => this.#documents.get(tab) !== document;
    for (let tries = 1; tries <= MAX_TRIES && !isLeft(); tries++) {
      const found = await this.#find(document).catch(() => null);
      if (isLeft()) return null;
      if (found) {
        this.#numbers.set(tab, found.tab);
        return found;
      }
      this.#numbers.delete(tab);
      await this.#wait(tries * AGAIN_MS);
    }
    return null;
  }

  /** The tabs of this browser that are the daemon's tab of this number. @param {number} number */
  tabs(number) {
    return [...this.#numbers].filter(([, known]) => known === number).map(([tab]) => tab);
  }

  /** @param {number} tab */
  forget(tab) {
    this.#numbers.delete(tab);
    this.#documents.delete(tab);
  }
}
