/**
 * What stands in a document or an element and cannot be seen, as told to the daemon: what is alarming first, bounded.
 * @param {Lib} lib
 * @returns {(root: Document | Element, all: boolean) => {text: string, place: string, why: string, users: boolean, alarm: boolean}[]}
 */
export default (lib) => (root, all) => {
  const { tree, hiddenText, nonvisibleText } = lib;
  const MOST = 100;
  const MOST_ASKED = 1000;
  const CHARS = 500;
  const CHARS_ASKED = 2000;

  /** @param {string} text The part that matters most. */
  const excerpt = (text) => {
    const most = all ? CHARS_ASKED : CHARS;
    if (text.length <= most) return text;
    const at = lib.addressed.exec(text.toLowerCase())?.index || 0;
    const start = at < most / 2 ? 0 : at - 40;
    return (start ? "…" : "") + text.slice(start, start + most);
  };
  const within = (/** @type {Element} */ holder) => root === document || tree.isWithin(holder, root);
  const blocks = hiddenText
    .found()
    .blocks.filter((/** @type {any} */ it) => it.text && (it.alarm || all || hiddenText.counted(it.text) >= hiddenText.WORDS) && within(it.holder));
  const told = [...blocks, ...nonvisibleText.by(root, all)];
  told.sort((one, two) => Number(two.alarm) - Number(one.alarm));
  return told.slice(0, all ? MOST_ASKED : MOST).map(({ text, place, why, users, alarm }) => ({ text: excerpt(text).toWellFormed(), place, why, users, alarm }));
};
