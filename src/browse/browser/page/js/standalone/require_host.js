/**
 * Throws unless the document is of one of these hosts or below one, or of no host at all; else returns
 * what was given. The page may have replaced any method of strings and lists, so none is used.
 * @template T
 * @param {string[]} hosts
 * @param {T} [run]
 * @returns {T | undefined}
 */
export default (hosts, run) => {
  const { protocol, hostname } = location;
  let allowed = protocol === "about:" || protocol === "data:";
  for (let at = 0; at < hosts.length && !allowed; at += 1) {
    const host = hosts[at];
    const offset = hostname.length - host.length;
    let same = offset >= 0;
    let dotted = false;
    for (let letter = 0; letter < host.length && same; letter += 1) {
      same = hostname[offset + letter] === host[letter];
      dotted ||= host[letter] === ".";
    }
    allowed = same && (offset === 0 || (dotted && hostname[offset - 1] === "."));
  }
  if (!allowed) throw new Error("the page went to a site of which no cookies were imported");
  return run;
};
