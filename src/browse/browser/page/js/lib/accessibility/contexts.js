/**
 * What tells controls apart that are called alike: the heading of the row or section that each is in, else the first
 * words there. It is shown beside a name and is no part of it.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, renderedText, visibility } = lib;
  const { contains } = Node.prototype;
  const { querySelector, querySelectorAll } = Element.prototype;
  const CURSOR = 8;
  const MAX_CHARS = 40;
  const MAX_PARTS = 3;
  const MAX_TEXTS = 60;
  const MAX_HEIGHT = 60;
  const MAX_BEFORE = 12;
  const NEAR = 5;
  const HEADING = "h1, h2, h3, h4, h5, h6, [role=heading], th[scope=row], [role=rowheader], legend, caption, summary";
  /** What says at its beginning what stands in the next one. */
  const CELLS = "td, th, dt, [role=cell], [role=gridcell], [role=rowheader]";
  /** Links that do more than lead somewhere. */
  const ACTING = "[onclick], [role], [aria-haspopup], [data-popup], [data-toggle], [data-bs-toggle], [data-action]";
  /** What holds text that was typed or chosen. */
  const FIELDS = new Set(["textarea", "option", "select"]);
  const TICKED = /^(?:checkbox|radio)$/;
  const BOXES = "input[type=checkbox], input[type=radio], [role=checkbox], [role=radio]";
  const CONTROLS = "input, select, textarea, button";
  const TYPED = /^(?:textbox|searchbox|combobox|spinbutton)$/;
  const isEditable = tree.getter(HTMLElement.prototype, "isContentEditable");

  /** @param {Element} outer @param {Element} inner */
  const holds = (outer, inner) => (tree.isSimple() ? contains.call(outer, inner) : tree.isWithin(inner, outer));

  /**
   * How many steps up from an element something begins that another one is in as well.
   * @param {Element} element @param {Element | undefined} other
   */
  const stepsApart = (element, other) => {
    let steps = 0;
    for (let node = tree.parent(element); node && steps < MAX_HEIGHT; node = tree.parent(node), steps += 1)
      if (other && holds(node, other)) break;
    return steps;
  };

  /**
   * The largest thing around an element that none of its neighbours are in.
   * @param {Element} element @param {(Element | undefined)[]} neighbours
   */
  const itemOf = (element, neighbours) => {
    let left = Math.min(...neighbours.map((it) => stepsApart(element, it)));
    let item = element;
    for (let node = tree.parent(element); node && left > 0; node = tree.parent(node), left -= 1) {
      if (node === document.body) break;
      item = node;
    }
    return item;
  };

  /** @param {Element} holder */
  const isSeen = (holder) => {
    if (tree.hidden(holder) || visibility.keepsText(holder) || FIELDS.has(tree.tag(holder))) return false;
    if (holder instanceof HTMLElement && isEditable(holder)) return false;
    return !visibility.reason(holder);
  };

  /** A text as it is seen; "" where it says nothing. @param {Text} node @param {Set<string>} repeated */
  const seen = (node, repeated) => {
    if (!/[\p{L}\p{N}]/u.test(tree.data(node))) return "";
    const holder = tree.parent(node);
    if (!holder || !isSeen(holder)) return "";
    const text = renderedText.withoutGlyphs(renderedText.fold(renderedText.ofNode(node, holder)));
    return repeated.has(text) ? "" : text;
  };

  /**
   * The first texts that are seen in a node.
   * @param {Node} start @param {Set<string>} repeated @param {number} most
   */
  const textsIn = (start, repeated, most) => {
    /** @type {Set<string>} */
    const found = new Set();
    const walker = document.createTreeWalker(start, NodeFilter.SHOW_TEXT);
    for (let looked = 0; looked < MAX_TEXTS && found.size < most && walker.nextNode(); looked += 1) {
      const text = seen(/** @type {Text} */ (walker.currentNode), repeated);
      if (text) found.add(text);
    }
    return [...found];
  };

  /**
   * What an element is headed by, or the first texts in it.
   * @param {Element} item @param {Set<string>} repeated @param {number} most
   */
  const wordsIn = (item, repeated, most) => {
    const named = tree.has(item, "aria-label") || tree.has(item, "aria-labelledby") ? lib.names.of(item) : "";
    if (named && !repeated.has(named)) return [named];
    const heading = querySelector.call(item, HEADING);
    const headed = heading ? textsIn(heading, repeated, 1) : [];
    if (headed.length >= most) return headed;
    const others = textsIn(item, repeated, most).filter((it) => it !== headed[0]);
    return [...headed, ...others].slice(0, most);
  };

  /**
   * The last words before an element, but not before the one that is called like it.
   * @param {Element} item @param {Element | undefined} before @param {Set<string>} repeated @returns {string[]}
   */
  const wordsBefore = (item, before, repeated) => {
    let node = item.previousSibling;
    for (let looked = 0; node && looked < MAX_BEFORE; node = node.previousSibling, looked += 1) {
      if (before && (node === before || (tree.isElement(node) && holds(node, before)))) return [];
      const texts = tree.isElement(node) && tree.hidden(node) ? [] : ownTexts(node, repeated);
      if (texts.length) return tree.isElement(node) && tree.fits(node, CELLS) ? texts.slice(0, 1) : texts.slice(-1);
    }
    return [];
  };

  /** @param {Node} node */
  const isControl = (node) =>
    tree.isElement(node) && (tree.fits(node, CONTROLS) || querySelector.call(node, CONTROLS) !== null);
  /** @param {Node} node */
  const endsLine = (node) =>
    tree.isElement(node) && (tree.tag(node) === "br" || !/^(inline|contents|none)/.test(tree.style(node).display));
  /**
   * What stands beside an element in its line, the nearest first.
   * @param {Element} element @param {"previousSibling" | "nextSibling"} side
   */
  const lineBeside = (element, side) => {
    /** @type {Node[]} */
    const nodes = [];
    for (let node = element[side]; node && nodes.length < MAX_BEFORE && !endsLine(node); node = node[side])
      nodes.push(node);
    return nodes;
  };
  /**
   * The words beside a box that is ticked: after it, as long as the last one in the line has words after it, else
   * before it.
   * @param {Element} item @param {Set<string>} repeated @returns {string[]}
   */
  const wordsBeside = (item, repeated) => {
    const [before, after] = [lineBeside(item, "previousSibling"), lineBeside(item, "nextSibling")];
    const textsOf = (/** @type {Node[]} */ nodes) => nodes.flatMap((node) => ownTexts(node, repeated));
    const toControl = (/** @type {Node[]} */ nodes) =>
      nodes.slice(
        0,
        [...nodes, null].findIndex((it) => !it || isControl(it)),
      );
    const isFollowed = textsOf(after.slice(after.findLastIndex(isControl) + 1)).length > 0;
    return isFollowed ? textsOf(toControl(after)).slice(0, 1) : textsOf(toControl(before).reverse()).slice(-1);
  };
  /** @param {Node} node @param {Set<string>} repeated */
  const ownTexts = (node, repeated) => {
    const text = tree.isText(node) && seen(node, repeated);
    return tree.isText(node) ? (text ? [text] : []) : textsIn(node, repeated, MAX_PARTS);
  };

  /**
   * The same of something around an element, if that is a box which is ticked.
   * @param {Element} element @param {Element} item @param {Set<string>} repeated
   */
  const besideTicked = (element, item, repeated) =>
    TICKED.test(lib.roles.of(element)) ? wordsBeside(item, repeated) : [];

  /**
   * The first words that are near an element which is called nothing at all.
   * @param {Element} element @param {(item: Element) => string[]} inside @param {Set<string>} repeated
   */
  const wordsNear = (element, inside, repeated) => {
    let node = /** @type {Element | null} */ (element);
    const isTicked = TICKED.test(lib.roles.of(element));
    for (let up = 0; node && node !== document.body && up < NEAR; node = tree.parent(node), up += 1) {
      // The words around several boxes may be those of another one, such as of a list below "all".
      const isOthers = isTicked && querySelectorAll.call(node, BOXES).length > 1;
      const words = node === element ? besideTicked(node, node, repeated) : isOthers ? [] : inside(node);
      const found = words.length ? words : wordsBefore(node, undefined, repeated);
      if (found.length) return found;
    }
    return [];
  };

  /**
   * The words in the first thing around an element that has any.
   * @param {Element} element @param {(item: Element) => string[]} inside
   */
  const wordsAround = (element, inside) => {
    let node = tree.parent(element);
    for (let up = 0; node && node !== document.body && up < NEAR; node = tree.parent(node), up += 1) {
      const words = inside(node);
      if (words.length) return words;
    }
    return [];
  };

  /** Whether an element takes the text of an editor, which draws what is around it. @param {Element} element */
  const isEditor = (element) =>
    tree.tag(element) === "textarea"
      ? visibility.reason(element) !== ""
      : element instanceof HTMLElement && isEditable(element);

  /**
   * What the part of the page is called that an editor is in: its own words, such as numbers of lines, say nothing.
   * @param {Element} element @param {Set<string>} repeated @returns {string[]}
   */
  const wordsAbove = (element, repeated) => {
    let node = tree.parent(element);
    for (let up = 0; node && node !== document.body && up < MAX_HEIGHT; node = tree.parent(node), up += 1) {
      const named = tree.has(node, "aria-label") || tree.has(node, "aria-labelledby") ? lib.names.of(node) : "";
      const heading = named ? null : querySelector.call(node, HEADING);
      const words = named ? [named] : heading ? textsIn(heading, repeated, 1) : [];
      if (words.length) return words;
    }
    return [];
  };

  /** @param {string[]} parts */
  const joined = (parts) => {
    const text = parts.join(" · ");
    return (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1).trimEnd()}…` : text).toWellFormed();
  };

  /** Whether links lead to one and the same place, so that it does not matter which. @param {Element[]} alike */
  const isOnePlace = (alike) => {
    const place = tree.attr(alike[0], "href");
    if (place === null || /^(#|javascript:.*)?$/i.test(place)) return false;
    return alike.every((it) => tree.attr(it, "href") === place && !tree.fits(it, ACTING));
  };

  /** @typedef {{element: Element, row: SnapshotRow}} Operated An element that is shown, and its row. */
  /** What a row calls its element. @param {SnapshotRow} row */
  const called = ([, , role, name, marks, , flags]) => {
    const kind = flags & CURSOR ? "" : role;
    return `${kind} ${name || (marks.match(/\[hint=.*$/) || [""])[0]}`;
  };

  /**
   * Whether a field is called nothing, and its hint says less than the words beside it.
   * @param {Operated} it
   */
  const isBare = ({ element, row: [, , role, name] }) => {
    if (name) return false;
    return TICKED.test(role) || (TYPED.test(role) && !tree.attr(element, "name") && !tree.attr(element, "id"));
  };

  /** Those that are called alike, each in the order of the tree. @param {Operated[]} shown @returns {Operated[][]} */
  const groups = (shown) => {
    /** @type {Map<string, Operated[]>} */
    const found = new Map();
    for (const it of shown) {
      if (tree.tag(it.element) === "option") continue; // it stands below its select
      const words = called(it.row);
      const others = found.get(words);
      if (others) others.push(it);
      else found.set(words, [it]);
    }
    return [...found.values()].filter((alike) =>
      alike.length > 1
        ? !isOnePlace(alike.map((it) => it.element))
        : called(alike[0].row).endsWith(" ") || isBare(alike[0]),
    );
  };

  /**
   * What there is to say of each of some elements that are called alike: the best first.
   * @param {Element[]} alike @param {(item: Element) => string[]} inside @param {Set<string>} repeated
   */
  const said = (alike, inside, repeated) =>
    alike.map((element, at) => {
      if (alike.length === 1) {
        const above = isEditor(element) ? wordsAbove(element, repeated) : [];
        return above.length ? above : wordsNear(element, inside, repeated);
      }
      const item = itemOf(element, [alike[at - 1], alike[at + 1]]);
      const within = item === element ? [] : inside(item);
      const words = within.length ? within : besideTicked(element, item, repeated);
      return words.length ? words : wordsBefore(item, alike[at - 1], repeated);
    });

  /** Reads what is in elements, in each once. @param {Set<string>} repeated @param {number} most */
  const reader = (repeated, most) => {
    /** @type {Map<Element, string[]>} */
    const known = new Map();
    return (/** @type {Element} */ item) => {
      const found = known.get(item) || wordsIn(item, repeated, most);
      known.set(item, found);
      return found;
    };
  };

  /** @param {string[]} texts @returns {Map<string, number>} */
  const countsOf = (texts) => {
    const counts = new Map();
    for (const text of texts) counts.set(text, (counts.get(text) || 0) + 1);
    return counts;
  };

  /** As few words as tell each apart; a number where words do not. @param {string[][]} words @returns {string[]} */
  const apart = (words) => {
    const firsts = countsOf(words.map(([first = ""]) => first));
    const chosen = words.map((parts) => joined(firsts.get(parts[0]) === 1 ? parts.slice(0, 1) : parts));
    const counts = countsOf(chosen);
    const numbers = new Map();
    return chosen.map((text, at) => {
      const count = counts.get(text) || 0;
      if (count < 2) return text;
      const number = (numbers.get(text) || 0) + 1;
      numbers.set(text, number);
      return `${joined(words[at].slice(0, 1))} (${number} of ${count})`.trim();
    });
  };

  /**
   * What other controls are called, where there is nothing else to say and it tells one apart.
   * @param {string[][]} words @param {Element[]} alike @param {string} name
   */
  const withNames = (words, alike, name) => {
    const own = new Set([name]);
    const others = said(alike, reader(own, 1), own);
    const counts = countsOf(others.map(([first = ""]) => first));
    return words.map((it, at) => (it.length || counts.get(others[at][0]) !== 1 ? it : others[at]));
  };

  /** Add words to the rows of elements that are called nothing, or like another. @param {Operated[]} shown */
  const add = (shown) => {
    const alike = groups(shown);
    const repeated = new Set(alike.map(([{ row }]) => row[3]));
    const first = reader(repeated, 1);
    const more = reader(repeated, MAX_PARTS);
    for (const group of alike) {
      const elements = group.map((it) => it.element);
      const name = group[0].row[3];
      let words = said(elements, first, repeated);
      if (new Set(words.map(([it]) => it)).size < words.length) words = said(elements, more, repeated);
      if (words.some((it) => !it.length)) words = withNames(words, elements, name);
      // Of those without a name, the words around them are better than none.
      if (!name) words = words.map((it, at) => (it.length ? it : wordsAround(elements[at], first)));
      for (const [at, context] of apart(words).entries()) group[at].row[7] = context;
    }
  };

  return { add };
};
