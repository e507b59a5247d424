/**
 * The texts of a page that are there and that a person cannot see. What is hidden by a trick, or hidden in whatever
 * way and speaks to a program, is left out by those who read; what a page will show in good time stays.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, styleHiding, clipBoxes, textColour, revealHeuristics, placement, addressing } = lib;
  const { UNTOUCHED } = styleHiding;
  const { countWords } = addressing;
  const MAX_TEXTS = 60_000;
  const MAX_MEASURED = 1500;
  const MAX_COVER_CHECKS = 400;
  const MAX_COVERS = 200;
  const MAX_CHARS = 20_000;
  // Fewer words than these are not looked for under something, and do not make a sentence.
  const MIN_WORDS = 4;
  const SENTENCE_WORDS = 6;
  const FOLLOWING = Node.DOCUMENT_POSITION_FOLLOWING;
  const SKIPPED = new Set([
    ..."script,style,head,title,meta,link,base,noscript,template".split(","),
    ..."svg:style,svg:script,svg:title,svg:desc,svg:metadata".split(","),
  ]);
  // Reasons that honest pages have as often as others.
  const COMMON = new Set(["cut off", "turned away"]);

  /**
   * Why a text cannot be seen, through which element, and whether that is without an honest reason.
   * @typedef {{why: string[], isTrick: boolean, place: string, by: Element}} Finding
   */
  /**
   * @typedef {{node: Text, holder: Element, state: StyleState, finding: Finding | null, ink: Ink, gap: boolean}} Entry
   */

  /** @param {Entry} entry @param {string[]} why @param {Element} by @returns {Finding} */
  const hiddenBy = ({ holder, state }, why, by) => {
    if (state.forScreenReaders) return { why: ["for screen readers"], isTrick: false, place: "accessible", by };
    const isTrick = !why.every((it) => COMMON.has(it)) && !revealHeuristics.mayBeShown(holder, by);
    return { why: [...new Set(why)], isTrick, place: "hidden", by };
  };

  /** @param {string} why @param {Element} by @returns {Finding} */
  const notRendered = (why, by) => ({ why: [why], isTrick: false, place: "hidden", by });

  const MOVERS = [
    ..."left,right,top,bottom,margin-left,margin-right,margin-top,margin-bottom".split(","),
    ..."transform,text-indent,zoom,offset-path".split(","),
  ];
  /** Whether anything on the page can stand elsewhere than in its place. */
  const isMovable = tree.once(() => MOVERS.some((name) => styleHiding.used().has(name)));

  /** @param {Entry} entry @param {{left: number}} measured @returns {Finding | null} */
  const findingOf = (entry, measured) => {
    const { node, holder, state } = entry;
    if (state === UNTOUCHED || !state.element) return null;
    if (state.notDisplayed) return notRendered("not displayed", state.element);
    if (state.foldedBy && styleHiding.isFolded(holder, state)) return notRendered("not displayed", state.foldedBy);
    if (styleHiding.used().has("visibility") && tree.style(holder).visibility !== "visible")
      return notRendered("invisible", holder);
    const reasons = clipBoxes.reasons(holder, state);
    const why = reasons.map((it) => it.why);
    entry.ink = textColour.ink(holder, state);
    if (entry.ink === "transparent") why.push(entry.ink);
    if (styleHiding.isTiny(holder, state)) why.push("tiny text");
    if ((state.cutsOff || isMovable()) && measured.left > 0) {
      const away = placement.reason(node, holder, state);
      if (away) measured.left -= 1;
      if (away && !(away === "cut off" && why.length)) why.push(away);
    }
    return why.length ? hiddenBy(entry, why, reasons.at(-1)?.by || state.element) : null;
  };

  /** @param {Element} element @param {Element[]} covers */
  const addCover = (element, covers) => {
    const state = styleHiding.of(element);
    if (state.notDisplayed || state === UNTOUCHED) return;
    if (state.element !== element && !placement.REPLACED.has(tree.tag(element))) return;
    if (placement.canCover(element, state)) covers.push(element);
  };

  /**
   * How much of the page is read in this run: so many characters that are not hidden, in a document or an element; or
   * what stands up to the end of an element.
   * @type {() => {root: Document | Element | null, chars: number, last: Element | null}}
   */
  const reading = tree.once(() => ({ root: null, chars: Infinity, last: null }));

  /**
   * Read no more than so many characters of a document or an element in this run: what stands after `end` is not
   * looked at, and must not be read. Where shadow roots mix the order of things, all is read.
   * @param {Document | Element} root @param {number} chars
   */
  const readOnly = (root, chars) => {
    if (tree.roots().length === 1) Object.assign(reading(), { root, chars });
  };

  /** Read nothing that stands after an element in this run. @param {Element} last */
  const readUntil = (last) => {
    if (tree.roots().length === 1) Object.assign(reading(), { last });
  };
  /** @param {Node} node @param {Element} last */
  const isAfter = (node, last) =>
    (last.compareDocumentPosition(node) & (FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY)) === FOLLOWING;

  /** How many characters a text shows. @param {string} text */
  const shownChars = (text) => text.replace(lib.patterns.blanks, " ").trim().length;

  /**
   * What may cover something, of all that stands after a node.
   * @param {Node} end @param {Element[]} covers
   */
  const addLaterCovers = (end, covers) => {
    const boxed = styleHiding.boxed();
    for (const element of boxed instanceof Set ? boxed : tree.list(document, "*")) {
      if (covers.length >= MAX_COVERS) return;
      const isLater = end.compareDocumentPosition(element) & FOLLOWING;
      if (isLater && !SKIPPED.has(tree.tag(element))) addCover(element, covers);
    }
  };

  /** All texts in order, as far as they are read, and what is painted elsewhere than in the flow. */
  const walk = () => {
    const { root, chars, last } = reading();
    let left = chars;
    /** @type {Text | null} */
    let end = null;
    /** @type {Entry[]} */
    const entries = [];
    /** @type {Element[]} */
    const covers = [];
    const measured = { left: MAX_MEASURED };
    const isLayered = styleHiding.used().has("position") || styleHiding.used().has("transform");
    let gap = false;
    /** @type {Node[]} */
    const stack = document.documentElement ? [document.documentElement] : [];
    while (stack.length && entries.length < MAX_TEXTS) {
      const node = /** @type {Node} */ (stack.pop());
      if (tree.isText(node)) {
        if (last && isAfter(node, last)) break;
        const holder = tree.composedParent(node);
        if (!holder || !/\S/.test(tree.data(node))) {
          gap = true;
          continue;
        }
        /** @type {Entry} */
        const entry = { node, holder, state: styleHiding.of(holder), finding: null, ink: "", gap };
        gap = false;
        entry.finding = findingOf(entry, measured);
        entries.push(entry);
        if (last) end = node;
        if (!root || entry.finding || !root.contains(node)) continue;
        left -= shownChars(tree.data(node));
        end = left <= 0 ? node : null;
        if (end) break;
      } else if (tree.isElement(node) && !SKIPPED.has(tree.tag(node))) {
        if (isLayered && covers.length < MAX_COVERS) addCover(node, covers);
        const children = tree.children(node);
        for (let index = children.length - 1; index >= 0; index -= 1) stack.push(children[index]);
      }
    }
    if (end && isLayered) addLaterCovers(end, covers);
    return { entries, covers, end };
  };

  /** Pictures of the page, wherever they are. */
  const pictures = tree.once(() =>
    tree.all(document, "img, video, canvas, svg, picture, iframe, object, embed").slice(0, MAX_COVERS),
  );

  /** @param {Entry} entry @param {DOMRect} box @param {Element[]} covers @returns {Finding | null} */
  const sameColour = (entry, box, covers) => {
    const { holder, state, ink } = entry;
    const found = hiddenBy(entry, ["same colour"], state.element || holder);
    const isPictured = [covers, pictures()].some((painted) => placement.isOverPicture(holder, box, painted));
    if (ink === "maybe same colour" || isPictured) found.isTrick = false;
    return found;
  };

  /** @param {Entry} entry @param {DOMRect} box @param {Element[]} covers @returns {Finding | null} */
  const covered = (entry, box, covers) => {
    const cover = placement.coverOf(entry.holder, box, covers);
    if (!cover) return null;
    const found = hiddenBy(entry, ["covered"], cover);
    const isInside = tree.isWithin(entry.holder, cover);
    if (!isInside && countWords(cover.textContent || "") >= MIN_WORDS) found.isTrick = false;
    return found;
  };

  /** Find what lies under something or has its colour. @param {Entry[]} entries @param {Element[]} covers */
  const checkCovers = (entries, covers) => {
    placement.begin();
    const isLayered = styleHiding.used().has("z-index");
    const isColoured = (/** @type {Entry} */ { ink }) => ink !== "" && ink !== "transparent";
    if (!isLayered && !covers.length && !entries.some(isColoured)) return;
    let left = MAX_COVER_CHECKS;
    for (const entry of entries) {
      if (entry.finding || left <= 0) continue;
      if (!isColoured(entry)) {
        if (countWords(tree.data(entry.node)) < MIN_WORDS) continue;
        if (!covers.length && !(isLayered && placement.isBehind(entry.holder))) continue;
      }
      left -= 1;
      const box = placement.boxOfText(entry.node);
      if (!box.width || !box.height) continue;
      entry.finding = isColoured(entry) ? sameColour(entry, box, covers) : covered(entry, box, covers);
    }
  };

  /** The block that an element runs on in. @param {Element} element @returns {Element | null} */
  const blockOf = (element) => {
    let node = /** @type {Element | null} */ (element);
    while (node && /^(inline|contents)$/.test(tree.style(node).display)) node = tree.composedParent(node);
    return node;
  };

  /**
   * @typedef {HiddenWords & {nodes: Text[], holder: Element, isLeftOut: boolean}} Passage Hidden words that stand
   *   together.
   */

  /** @param {Entry[]} entries @returns {Passage[]} */
  const grouped = (entries) => {
    /** @type {Passage[]} */
    const passages = [];
    /** @type {{why: string, block: Element | null, by: Element, passage: Passage} | null} */
    let open = null;
    for (const { node, holder, finding, gap } of entries) {
      if (!finding) {
        open = null;
        continue;
      }
      const why = finding.why.join(", ");
      const block = finding.why[0] === "not displayed" ? finding.by : blockOf(holder);
      const isApart = !open || open.why !== why || (open.block !== block && open.by !== finding.by);
      if (!open || isApart || open.passage.text.length > MAX_CHARS) {
        /** @type {Passage} */
        const passage = {
          text: "",
          place: finding.place,
          why,
          users: false,
          alarm: false,
          nodes: [],
          holder,
          isLeftOut: true,
        };
        open = { why, block, by: finding.by, passage };
        passages.push(passage);
      }
      if (gap || open.block !== block) open.passage.text += " ";
      open.passage.text += tree.data(node).slice(0, MAX_CHARS);
      open.passage.nodes.push(node);
      open.passage.isLeftOut &&= finding.isTrick;
    }
    return passages;
  };

  /** Decide whether a passage alarms and is left out. @param {Passage} passage @returns {Passage} */
  const weighed = (passage) => {
    const text = passage.text.replace(lib.patterns.blanks, " ").trim();
    const words = countWords(text);
    const isAddressed = words >= 3 && addressing.isAddressed(text);
    return {
      ...passage,
      text,
      alarm: isAddressed || (passage.isLeftOut && words >= SENTENCE_WORDS),
      isLeftOut: passage.isLeftOut || isAddressed,
      users: addressing.isByUsers(passage.holder),
    };
  };

  /** What a node is in. @param {Node} node @returns {Node | null} */
  const around = (node) => tree.parentNode(node) || (node instanceof ShadowRoot ? node.host : null);

  /** Everything that is hidden on the page, and which texts are left out. */
  const found = tree.once(() => {
    /** @type {Passage[]} */
    let passages = [];
    /** @type {Text | null} */
    let end = null;
    if (styleHiding.touched().size) {
      const walked = walk();
      checkCovers(walked.entries, walked.covers);
      passages = grouped(walked.entries).map(weighed);
      end = walked.end;
    }
    /** @type {Set<Node>} */
    const leftOut = new Set();
    /** @type {Set<Node>} */
    const holders = new Set();
    /** @type {Map<Node, string>} */
    const reasons = new Map();
    for (const { nodes, why, isLeftOut } of passages)
      for (const node of nodes) {
        reasons.set(node, why);
        if (!isLeftOut) continue;
        leftOut.add(node);
        for (let up = /** @type {Node | null} */ (node); up && !holders.has(up); up = around(up)) holders.add(up);
      }
    return { passages, leftOut, holders, reasons, end };
  });

  /** The passages that cannot be seen. @returns {Passage[]} */
  const passages = () => found().passages;
  /** Whether any text of the page is left out. @returns {boolean} */
  const isAnyLeftOut = () => found().leftOut.size > 0;
  /** Whether a text is not to be read. @param {Node} text @returns {boolean} */
  const isLeftOut = (text) => found().leftOut.has(text);
  /** Whether some text in a node is not to be read. @param {Node} node @returns {boolean} */
  const holdsLeftOut = (node) => found().holders.has(node);
  /** Why a text cannot be seen; "" where it can. @param {Node} text @returns {string} */
  const reason = (text) => found().reasons.get(text) || "";

  /** Whether a node reaches beyond what is read in this run. @param {Node} node @returns {boolean} */
  const isBeyond = (node) => {
    const { end } = found();
    if (!end || node === end) return false;
    const beyond = FOLLOWING | Node.DOCUMENT_POSITION_CONTAINS;
    return (end.compareDocumentPosition(node) & beyond) !== 0;
  };

  return { passages, isAnyLeftOut, isBeyond, isLeftOut, holdsLeftOut, readOnly, readUntil, reason, MIN_WORDS };
};
