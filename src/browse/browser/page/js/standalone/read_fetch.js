/**
 * The next piece of what `start_fetch.js` began to fetch, as base64; null when it broke off. A slow one is
 * given as it comes, so that waiting long means that nothing comes.
 * @param {{reader: ReadableStreamDefaultReader<Uint8Array> | null}} fetching
 * @param {number} enough
 * @returns {Promise<{data: string, done: boolean} | null>}
 */
export default async ({ reader }, enough) => {
  const MAX_ARGUMENTS = 8192;
  const until = performance.now() + 2000;
  let bytes = "";
  let done = !reader;
  try {
    while (reader && !done && bytes.length < enough && !(bytes && performance.now() > until)) {
      const part = await reader.read();
      done = part.done;
      const value = part.value || new Uint8Array();
      for (let at = 0; at < value.length; at += MAX_ARGUMENTS) {
        const codes = /** @type {ArrayLike<number>} */ (value.subarray(at, at + MAX_ARGUMENTS));
        bytes += String.fromCharCode.apply(null, /** @type {number[]} */ (codes));
      }
    }
    return { data: btoa(bytes), done };
  } catch {
    return null;
  }
};
