/**
 * Begins to fetch an address with the document's own rights; `read_fetch.js` reads what comes.
 * @param {string} url
 */
export default async (url) => {
  try {
    const answer = await fetch(url, { credentials: "include", cache: "no-store" });
    const header = (/** @type {string} */ name) => answer.headers.get(name) || "";
    const head = {
      status: answer.status,
      type: header("content-type"),
      length: header("content-encoding") ? "" : header("content-length"),
      disposition: header("content-disposition"),
    };
    return { head, reader: answer.body?.getReader() ?? null };
  } catch {
    return { head: null, reader: null };
  }
};
