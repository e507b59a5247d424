/**
 * Whom words speak to, and whose they are: whether they address a program, how many they are, whether visitors wrote
 * them.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, patterns } = lib;
  const MAX_CHARS = 20_000;
  const MAX_CHARS_A_RUN = 400_000;
  const MAX_COUNTED_CHARS = 5000;
  const MAX_HEIGHT = 12;
  // Scripts without blanks between words.
  const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
  const BY_USERS =
    "[role=article], [role=feed], [role=comment], [itemprop~=comment], [itemprop~=review], [itemprop~=reviewBody]";
  const USER_NAMES = new RegExp(
    "(^|[\\s_-])(comments?|reviews?|repl(y|ies)|posts?|threads?|messages?|discussion|forum|tweet|testimonials?|" +
      "guestbook|user-?content|ugc)($|[\\s_-])",
    "i",
  );

  /** About how many words a text has: a sign counts as half of one where there are no blanks. @param {string} text */
  const countWords = (text) => {
    const part = text.slice(0, MAX_COUNTED_CHARS);
    const words = part.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    return words + Math.floor((part.match(UNSPACED)?.length || 0) / 2);
  };

  /** How much is looked at in one run: a page must not keep us busy. */
  const budget = tree.once(() => ({ left: MAX_CHARS_A_RUN }));
  /** Whether a text speaks to a program. @param {string} text @returns {boolean} */
  const isAddressed = (text) => {
    const part = text.slice(0, Math.min(MAX_CHARS, budget().left));
    budget().left -= part.length;
    const shown = part.normalize("NFKC").toLowerCase().replace(patterns.invisible, "");
    return patterns.addressed.test(shown.replace(patterns.blanks, " "));
  };

  /** Whether visitors write where an element is. @param {Element} element @returns {boolean} */
  const isByUsers = (element) => {
    let node = /** @type {Element | null} */ (element);
    for (let up = 0; node && up < MAX_HEIGHT; node = tree.composedParent(node), up += 1)
      if (tree.fits(node, BY_USERS) || USER_NAMES.test(tree.authorNames(node))) return true;
    return false;
  };

  return { countWords, isAddressed, isByUsers };
};
