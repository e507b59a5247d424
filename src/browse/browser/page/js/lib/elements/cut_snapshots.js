/**
 * Snapshots of which a reply shows only the beginning. The rest is built in the task that follows the reply, as the
 * page was then, and stays here: the next snapshot may be compared with the whole.
 * @param {Lib} lib
 */
export default (lib) => {
  const MAX_KEPT = 4;
  /** @type {Map<number, () => SnapshotRow[]>} */
  const kept = new Map();
  let last = 0;

  /** Keep a snapshot that is yet to be completed. @param {() => SnapshotRow[]} build @returns {number} */
  const keep = (build) => {
    last += 1;
    const number = last;
    /** @type {SnapshotRow[] | null} */
    let rows = null;
    const whole = () => {
      rows ||= build();
      return rows;
    };
    kept.set(number, whole);
    kept.delete(number - MAX_KEPT);
    setTimeout(() => {
      try {
        kept.get(number)?.();
      } catch {
        kept.delete(number); // an error here would be one of the page's own
      }
      lib.cache.clear();
    }, 0);
    return number;
  };

  /** All rows of a snapshot; null when it is not kept any more. @param {number} number */
  const whole = (number) => kept.get(number)?.() ?? null;

  return { keep, whole };
};
