/**
 * The words of a page that are there and that a person cannot see. What is hidden by a trick, or hidden in whatever way and
 * speaks to a program, is left out by those who read; what a page will show in good time stays.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleHiding, revealHeuristics, placement } = lib;
  const { BARE } = styleHiding;
  const data = tree.getter(CharacterData.prototype, "data");
  const MOST_TEXTS = 60_000;
  const MOST_MEASURED = 1500;
  const MOST_COVERED = 400;
  const MOST_LIDS = 200;
  const MOST_CHARS = 20_000;
  const COUNTED_CHARS = 5000;
  const MOST_LOOKED_AT = 400_000;
  const WORDS = 4;
  const SENTENCE = 6;
  const WIDE = /[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
  const SKIPPED = new Set("script,style,head,title,meta,link,base,noscript,template,svg:style,svg:script,svg:title,svg:desc,svg:metadata".split(","));
  const USERS = "[role=article], [role=feed], [role=comment], [itemprop~=comment], [itemprop~=review], [itemprop~=reviewBody]";
  const USER_NAMES = /(^|[\s_-])(comments?|reviews?|repl(y|ies)|posts?|threads?|messages?|discussion|forum|tweet|testimonials?|guestbook|user-?content|ugc)($|[\s_-])/i;
  const OF_USERS = 12;

  /** @param {string} text About how many words it has: a sign counts as half of one where there are no blanks. */
  const counted = (text) => {
    const part = text.slice(0, COUNTED_CHARS);
    const words = part.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    return words + Math.floor((part.match(WIDE)?.length || 0) / 2);
  };
  /** How much is looked at in one run: a page must not keep us busy. */
  const budget = tree.once(() => ({ left: MOST_LOOKED_AT }));
  /** @param {string} text @returns {boolean} Whether it speaks to a program. */
  const isAddressed = (text) => {
    const part = text.slice(0, Math.min(MOST_CHARS, budget().left));
    budget().left -= part.length;
    return lib.addressed.test(part.normalize("NFKC").toLowerCase().replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, "").replace(/\s+/g, " "));
  };

  /** @param {Element} element Whether visitors write there. */
  const isByUsers = (element) => {
    for (let node = /** @type {Element | null} */ (element), up = 0; node && up < OF_USERS; node = tree.composedParent(node), up += 1)
      if (tree.fits(node, USERS) || USER_NAMES.test(`${tree.attr(node, "class") || ""} ${tree.attr(node, "id") || ""}`.slice(0, 300))) return true;
    return false;
  };

  /** @typedef {{why: string[], sure: boolean, place: string, by: Element}} Finding */
  /** @typedef {{node: any, holder: Element, state: any, finding: Finding | null, doubt: string, gap: boolean}} Entry */

  /** @param {Entry} entry @param {string[]} why @param {Element} by @returns {Finding} */
  const hidden = ({ holder, state }, why, by) => {
    const sure = !state.ears && !why.every((it) => it === "cut off" || it === "turned away") && !revealHeuristics.may(holder, by);
    return { why: state.ears ? ["for screen readers"] : [...new Set(why)], sure, place: state.ears ? "accessible" : "hidden", by };
  };

  /** @param {Entry} entry @param {{left: number}} measured @returns {Finding | null} */
  const judged = (entry, measured) => {
    const { node, holder, state } = entry;
    if (state.gone) return { why: ["not displayed"], sure: false, place: "hidden", by: state.element };
    if (state === BARE) return null;
    if (styleHiding.isFolded(holder, state)) return { why: ["not displayed"], sure: false, place: "hidden", by: state.fold };
    const uses = styleHiding.used();
    if (uses.has("visibility") && tree.style(holder).visibility !== "visible") return { why: ["invisible"], sure: false, place: "hidden", by: holder };
    const why = state.veils.map((/** @type {any} */ it) => it.why);
    const ink = styleHiding.written(holder, state);
    entry.doubt = ink.find((/** @type {string} */ it) => it.startsWith("same colour")) || "";
    why.push(...ink.filter((/** @type {string} */ it) => !it.startsWith("same colour")));
    if ((state.frame || moved()) && measured.left > 0) {
      const away = placement.where(node, holder, state);
      if (away) measured.left -= 1;
      if (away && !(away === "cut off" && why.length)) why.push(away);
    }
    return why.length ? hidden(entry, why, state.veils.at(-1)?.by || state.element) : null;
  };

  const MOVERS = "left,right,top,bottom,transform,text-indent,margin-left,margin-right,margin-top,margin-bottom,zoom,offset-path".split(",");
  /** Whether anything on the page can stand elsewhere than in its place. */
  const moved = tree.once(() => MOVERS.some((name) => styleHiding.used().has(name)));

  /** @returns {{entries: Entry[], painters: Element[]}} All texts in order, and what is painted elsewhere than in the flow. */
  const walked = () => {
    /** @type {Entry[]} */
    const entries = [];
    /** @type {Element[]} */
    const painters = [];
    const measured = { left: MOST_MEASURED };
    const layered = styleHiding.used().has("position") || styleHiding.used().has("transform");
    let gap = false;
    const stack = /** @type {any[]} */ (document.documentElement ? [document.documentElement] : []);
    while (stack.length && entries.length < MOST_TEXTS) {
      const node = stack.pop();
      if (tree.isText(node)) {
        const holder = tree.composedParent(node);
        if (!holder || !/\S/.test(data(node))) {
          gap = true;
          continue;
        }
        /** @type {Entry} */
        const entry = { node, holder, state: styleHiding.of(holder), finding: null, doubt: "", gap };
        gap = false;
        entry.finding = judged(entry, measured);
        entries.push(entry);
      } else if (tree.isElement(node) && !SKIPPED.has(tree.tag(node))) {
        if (layered && painters.length < MOST_LIDS) noted(node, painters);
        const children = tree.children(node);
        for (let index = children.length - 1; index >= 0; index -= 1) stack.push(children[index]);
      }
    }
    return { entries, painters };
  };

  /** @param {Element} element @param {Element[]} painters */
  const noted = (element, painters) => {
    const state = styleHiding.of(element);
    if (state.gone || state === BARE || (state.element !== element && !placement.REPLACED.has(tree.tag(element)))) return;
    if (placement.mayBe(element, state)) painters.push(element);
  };

  /** @param {Entry[]} entries @param {Element[]} painters Finds what lies under something or has its colour. */
  const covered = (entries, painters) => {
    placement.begin();
    const layered = styleHiding.used().has("z-index");
    if (!layered && !painters.length && !entries.some((entry) => entry.doubt)) return;
    let left = MOST_COVERED;
    for (const entry of entries) {
      if (entry.finding || left <= 0) continue;
      if (!entry.doubt && (counted(data(entry.node)) < WORDS || !(painters.length || (layered && placement.isBehind(entry.holder))))) continue;
      left -= 1;
      const box = placement.place(entry.node);
      if (!box.width || !box.height) continue;
      const { holder, state } = entry;
      if (entry.doubt) {
        const found = hidden(entry, ["same colour"], state.element);
        if (entry.doubt.endsWith("?") || pictured(holder, box, painters)) found.sure = false;
        entry.finding = found;
        continue;
      }
      const lid = placement.over(holder, box, painters);
      if (!lid) continue;
      const found = hidden(entry, ["covered"], lid);
      if (!tree.isWithin(holder, lid) && counted(lid.textContent || "") >= WORDS) found.sure = false;
      entry.finding = found;
    }
  };

  /** Pictures of the page, wherever they are. */
  const pictures = tree.once(() => tree.all(document, "img, video, canvas, svg, picture, iframe, object, embed").slice(0, MOST_LIDS));
  /** @param {Element} holder @param {DOMRect} box @param {Element[]} painters */
  const pictured = (holder, box, painters) => placement.isPainted(holder, box, painters) || placement.isPainted(holder, box, pictures());

  /** @param {Element} element @returns {Element | null} The block that it runs on in. */
  const blockOf = (element) => {
    let node = /** @type {Element | null} */ (element);
    while (node && /^(inline|contents)$/.test(tree.style(node).display)) node = tree.composedParent(node);
    return node;
  };

  /** @typedef {{text: string, place: string, why: string, users: boolean, alarm: boolean, nodes: any[], holder: Element, left: boolean}} Block */

  /** @param {Entry[]} entries @returns {Block[]} Hidden words that stand together. */
  const grouped = (entries) => {
    /** @type {Block[]} */
    const blocks = [];
    /** @type {{key: string, block: Element | null, by: Element | null, sure: boolean, it: Block} | null} */
    let open = null;
    for (const { node, holder, finding, gap } of entries) {
      if (!finding) {
        open = null;
        continue;
      }
      const key = finding.why.join(", ");
      const block = finding.why[0] === "not displayed" ? finding.by : blockOf(holder);
      if (!open || open.key !== key || (open.block !== block && open.by !== finding.by) || open.it.text.length > MOST_CHARS) {
        const it = { text: "", place: finding.place, why: key, users: false, alarm: false, nodes: [], holder, left: false };
        open = { key, block, by: finding.by, sure: true, it };
        blocks.push(it);
      }
      if (gap || open.block !== block) open.it.text += " ";
      open.it.text += data(node).slice(0, MOST_CHARS);
      open.it.nodes.push(node);
      open.sure &&= finding.sure;
      open.it.left = open.sure;
    }
    return blocks;
  };

  /** @param {Block} block */
  const weigh = (block) => {
    const text = block.text.replace(/\s+/g, " ").trim();
    const words = counted(text);
    const says = words >= 3 && isAddressed(text);
    block.text = text;
    block.alarm = says || (block.left && words >= SENTENCE);
    block.left ||= says;
    block.users = isByUsers(block.holder);
    return block;
  };

  /** Everything that is hidden on the page, and which texts are not read. */
  const found = tree.once(() => {
    /** @type {Block[]} */
    let blocks = [];
    if (styleHiding.touched().size) {
      const { entries, painters } = walked();
      covered(entries, painters);
      blocks = grouped(entries).map(weigh);
    }
    const texts = new Set();
    const holders = new Set();
    const whys = new Map();
    for (const block of blocks)
      for (const node of block.nodes) {
        whys.set(node, block.why);
        if (!block.left) continue;
        texts.add(node);
        for (let up = node; up && !holders.has(up); up = up === node ? up.parentNode : up.parentNode || up.host) holders.add(up);
      }
    return { blocks, texts, holders, whys };
  });

  /** @param {Node} text Whether it is not to be read. */
  const isLeft = (text) => found().texts.has(text);
  /** @param {Node} node Whether some text in it is not to be read. */
  const holds = (node) => found().holders.has(node);
  /** @param {Node} text @returns {string} Why it cannot be seen. */
  const why = (text) => found().whys.get(text) || "";

  return { found, isLeft, holds, why, counted, isAddressed, isByUsers, WORDS };
};
