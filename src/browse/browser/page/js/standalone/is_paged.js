/** Whether Paged.js has laid out the page. @returns {boolean} */
export default () =>
  /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window)).__pagedjsAfterFired === true;
