/**
 * What was said of the answer that `start_fetch.js` got, before its body comes; null when nothing came.
 * @template T @param {{head: T}} fetching @returns {T}
 */
export default ({ head }) => head;
