/**
 * How long the parts of loading this document took, in milliseconds, and what was painted when.
 * Null where the browser knows nothing of a navigation (about:blank).
 * @returns {Record<string, number> | null}
 */
export default () => {
  /**
   * @typedef {PerformanceEntry & {renderTime: number, loadTime: number, hadRecentInput: boolean, value: number}}
   *   ObservedEntry
   */
  const [entry] = performance.getEntriesByType("navigation");
  if (!(entry instanceof PerformanceNavigationTiming) || !entry.responseStart) return null;
  /** The entries of a type that only an observer is told of. @param {string} type @returns {ObservedEntry[]} */
  const observed = (type) => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return [];
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type, buffered: true });
    const records = /** @type {ObservedEntry[]} */ (observer.takeRecords());
    observer.disconnect();
    return records;
  };
  const secure = entry.secureConnectionStart;
  /** @type {Record<string, number>} */
  const times = {
    dns: entry.domainLookupEnd - entry.domainLookupStart,
    tcp: entry.connectEnd - entry.connectStart,
    ssl: secure > 0 ? entry.connectEnd - secure : 0,
    ttfb: entry.responseStart - entry.requestStart,
    download: entry.responseEnd - entry.responseStart,
    domParse: entry.domInteractive - entry.responseEnd,
    domReady: entry.domContentLoadedEventEnd - entry.startTime,
    load: entry.loadEventEnd - entry.startTime,
    total: entry.loadEventEnd - entry.startTime,
  };
  for (const paint of performance.getEntriesByType("paint"))
    times[paint.name === "first-paint" ? "firstPaint" : "fcp"] = paint.startTime;
  const largest = observed("largest-contentful-paint").at(-1);
  if (largest) times.lcp = largest.renderTime || largest.loadTime || largest.startTime;
  const shifts = observed("layout-shift").filter((shift) => !shift.hadRecentInput);
  if (PerformanceObserver.supportedEntryTypes.includes("layout-shift"))
    times.cls = shifts.reduce((sum, shift) => sum + shift.value, 0);
  return times;
};
