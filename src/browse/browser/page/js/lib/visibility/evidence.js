/**
 * What stands in a document or an element and cannot be seen, as told to the daemon: what is alarming first, bounded.
 * @param {Lib} lib
 * @returns {(root: Document | Element, all: boolean) => HiddenWords[]}
 */
export default (lib) => {
  const { tree, addressing, hiddenText, nonvisibleText } = lib;
  const MAX_PASSAGES = 100;
  const MAX_PASSAGES_ASKED = 1000;
  const MAX_CHARS = 500;
  const MAX_CHARS_ASKED = 2000;
  const BEFORE_CHARS = 40;

  /** The part of a text that matters most. @param {string} text @param {number} most */
  const excerpt = (text, most) => {
    if (text.length <= most) return text;
    const at = lib.patterns.addressed.exec(text.toLowerCase())?.index || 0;
    const start = at < most / 2 ? 0 : at - BEFORE_CHARS;
    return (start ? "…" : "") + text.slice(start, start + most);
  };

  return (root, all) => {
    const isWithin = (/** @type {Element} */ holder) => root instanceof Document || tree.isWithin(holder, root);
    const passages = hiddenText.passages().filter(({ text, alarm, holder }) => {
      const isWanted = alarm || all || addressing.countWords(text) >= hiddenText.MIN_WORDS;
      return text && isWanted && isWithin(holder);
    });
    /** @type {HiddenWords[]} */
    const found = [...passages, ...nonvisibleText.find(root, all)];
    found.sort((one, two) => Number(two.alarm) - Number(one.alarm));
    const most = all ? MAX_CHARS_ASKED : MAX_CHARS;
    return found.slice(0, all ? MAX_PASSAGES_ASKED : MAX_PASSAGES).map(({ text, place, why, users, alarm }) => ({
      text: excerpt(text, most).toWellFormed(),
      place,
      why,
      users,
      alarm,
    }));
  };
};
