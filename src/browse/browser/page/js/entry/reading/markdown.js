/**
 * What a person sees, as Markdown: headings, lists, quotes, tables, code with its language, links and
 * pictures with absolute addresses. In parts, as `framed_text` has them: before, between and after the frames. Never
 * cut.
 * @param {Document | Element} root
 * @param {{run: number}} options
 * @param {Lib} lib
 * @returns {[parts: string[], isCut: boolean]}
 */
export default (root, { run }, lib) => {
  const { tree, names, visibility, shownValues, visibleContent, tableParts, tableRows } = lib;
  // Deeper than this, elements are read for their words only: recursion would end the stack.
  const MAX_DEPTH = 400;
  const SKIPPED = new Set("iframe,frame,object,embed,audio,video,svg:svg,rt,rp,datalist".split(","));
  const MARKS = new Map([
    ["em", "*"],
    ["i", "*"],
    ["strong", "**"],
    ["b", "**"],
    ["del", "~~"],
    ["s", "~~"],
  ]);
  // Stands for a frame until the parts are made; no page can know it.
  const FRAME = `\0${crypto.getRandomValues(new Uint32Array(4)).join()}\0`;
  const CODE = new Set(["code", "kbd", "samp", "tt"]);
  const LANGUAGE =
    /(?:^|\s)(?:(?:language|lang|highlight-source|highlight|brush|code)[-:]\s?|sourceCode\s+)([a-z][\w+#-]*)/i;
  const NO_LANGUAGE = new Set("none,plaintext,nohighlight,default,text,source,block,wrapper,box,container".split(","));

  // A line that begins with blanks, below another one.
  const INDENTED = /\S.*\n([ \t\u00a0]*\n)*[ \t\u00a0]+\S/;
  const FORMATTED = "a, p, ul, ol, dl, table, pre, blockquote, h1, h2, h3, h4, h5, h6, img, input, select, textarea";

  /** @typedef {{depth: number, cell: boolean, href: {address: string} | null}} Place */

  /** @param {string} text @param {boolean} cell */
  const escaped = (text, cell) =>
    text
      .replace(/[\\`*[\]]|<(?=[a-z/!?])|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)/giu, "\\$&")
      .replace(cell ? /\|/g : /(?!)/, "\\|");

  /** A line of words must not begin as a heading, a list, a quote or a rule does. @param {string} line */
  const guarded = (line) =>
    line.replace(/^(\s*)([#>+-]|=+$|\d+(?=[.)]))(?=[\s#>.)-]|$)/, (_, before, sign) =>
      /\d/.test(sign) ? `${before}${sign}\\` : `${before}\\${sign}`,
    );

  /** @param {Element} element */
  const isInline = (element) => {
    const tag = tree.tag(element);
    if (/^(pre|blockquote|ul|ol|menu|dl|table|hr|p|details|figure)$/.test(tag) || isHeading(element)) return false;
    if (isIndented(element)) return false;
    if (/^(br|img|option|optgroup)$/.test(tag)) return true;
    return /^(inline|contents|ruby|none)|math$/.test(tree.style(element).display);
  };
  /** @param {Element} element */
  const isHeading = (element) => /^h[1-6]$/.test(tree.tag(element)) || tree.token(element, "role") === "heading";

  /** @param {Element | null} element */
  const keepsBlanks = (element) =>
    element !== null && /^(pre(?!-line)|break-spaces)/.test(tree.style(element).whiteSpace);
  /** Whether an element shows nothing but lines, some of them indented, as code does. */
  const isIndented = tree.remembered((/** @type {Element} */ element) => {
    if (tree.tag(element) === "textarea") return INDENTED.test(shownValues.of(element));
    if (!keepsBlanks(element) || keepsBlanks(tree.parent(element)) || tree.all(element, FORMATTED).length)
      return false;
    return INDENTED.test(visibleContent.text(element));
  });

  /** @param {string} address */
  const target = (address) =>
    /[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address;

  /**
   * Words between marks; blanks at their ends stay outside, or the marks would not count.
   * @param {string} inner @param {string} mark
   */
  const marked = (inner, mark) => {
    const [, before, words, after] = /** @type {RegExpExecArray} */ (/^(\s*)(.*?)(\s*)$/s.exec(inner));
    return words ? before + mark + words + mark + after : inner;
  };

  /** @param {string} code @param {boolean} cell */
  const inlineCode = (code, cell) => {
    const words = code.replace(lib.patterns.blanks, " ").trim();
    if (!words) return "";
    const fence = "`".repeat(Math.max(0, ...(words.match(/`+/g) || []).map((run) => run.length)) + 1);
    const pad = /^`|`$/.test(words) ? " " : "";
    return fence + pad + (cell ? words.replace(/\|/g, "\\|") : words) + pad + fence;
  };

  /** @param {Element} image @param {Place} place */
  const picture = (image, place) => {
    const alt = lib.renderedText.fold(tree.attr(image, "alt") || tree.attr(image, "title") || "");
    const source = /** @type {HTMLImageElement} */ (image).currentSrc || tree.attr(image, "src") || "";
    const isInlined = /^data:/i.test(source);
    if (tree.attr(image, "alt") === "" || (!alt && (isInlined || !source))) return "";
    return `![${escaped(alt, place.cell)}](${isInlined ? "" : target(visibleContent.address(source))})`;
  };

  /** @param {Element} link @param {string} inner */
  const linked = (link, inner) => {
    const href = tree.attr(link, "href");
    const words = inner.trim() || escaped(names.of(link), false);
    if (!href || !words || /^javascript:/i.test(href.trim())) return inner;
    const [before, after] = [/^\s/.test(inner) ? " " : "", /\s$/.test(inner) ? " " : ""];
    return `${before}[${words.replace(/\s*\n\s*/g, " ")}](${target(visibleContent.address(href))})${after}`;
  };

  /** What a field shows, with blanks around it. @param {Element} element @param {Place} place @returns {string} */
  const field = (element, place) => {
    const said = shownValues.of(element).trim();
    if (tree.tag(element) === "canvas") return said && ` ${said} `;
    const lines = tree.tag(element) === "select" ? said.replace(/\n/g, ", ") : said;
    return (
      lines && ` ${escaped(place.cell ? lib.renderedText.fold(lines) : lines.replace(/\n/g, "  \n"), place.cell)} `
    );
  };

  /** @param {Element} element @param {Place} place @returns {string} */
  const inlineElement = (element, place) => {
    const tag = tree.tag(element);
    if (SKIPPED.has(tag)) return "";
    if (shownValues.isTold(element)) return field(element, place);
    if (tag === "br") return place.cell ? "<br>" : "  \n";
    if (tag === "img") return picture(element, place);
    if (CODE.has(tag) && element instanceof HTMLElement) return inlineCode(visibleContent.text(element), place.cell);
    const inner = inlines(element, place);
    if (tag === "a") return linked(element, inner);
    if (tag === "q") return `“${inner.trim()}”`;
    if ((tag === "sup" || tag === "sub") && inner.trim() && !inner.includes("["))
      return `<${tag}>${inner.trim()}</${tag}>`;
    const mark = MARKS.get(tag);
    return mark ? marked(inner, mark) : inner;
  };

  /** @param {Text} node @param {Place} place @returns {string} */
  const words = (node, place) => {
    const holder = tree.parent(node);
    const text = holder ? lib.renderedText.ofNode(node, holder) : node.data;
    const isPreserved = holder && /^(pre|break-spaces)/.test(tree.style(holder).whiteSpace);
    if (!isPreserved || place.cell) return escaped(text.replace(lib.patterns.blanks, " "), place.cell);
    return escaped(text.replace(/[ \t]+/g, " ").replace(/\n/g, "  \n"), place.cell);
  };

  /** All that is in an element, on one line. @param {Element} element @param {Place} place @returns {string} */
  const inlines = (element, place) => {
    const inner = { ...place, depth: place.depth + 1 };
    if (inner.depth > MAX_DEPTH) return escaped(visibleContent.words(element), place.cell);
    return visibleContent
      .children(element)
      .map((node) => {
        if (tree.isText(node)) return words(node, inner);
        const said = inlineElement(node, inner);
        return said && !isInline(node) ? ` ${said} ` : said;
      })
      .join("");
  };

  /** A paragraph of what stood in line, if anything. @param {string} run @param {Place} place @returns {string[]} */
  const paragraph = (run, place) => {
    const folded = run
      .replace(/[ \t]+(?!\n)/g, " ")
      .replace(/^(\s|\n)+|(\s|\n)+$/g, "")
      .replace(/\n[ \t]+/g, "\n");
    if (!folded) return [];
    const lines = folded.split("\n").map(guarded).join("\n");
    if (!place.href || /\]\(/.test(lines)) return [lines];
    const { address } = place.href;
    place.href.address = "";
    return [address ? `[${lines.replace(/\s*\n/g, " ")}](${target(address)})` : lines];
  };

  /** @param {Element} element @param {Place} place @returns {string[]} */
  const blocks = (element, place) => {
    const inner = { ...place, depth: place.depth + 1 };
    if (inner.depth > MAX_DEPTH) return paragraph(escaped(visibleContent.words(element), false), place);
    /** @type {string[]} */
    const found = [];
    let run = "";
    const flush = () => {
      found.push(...paragraph(run, inner));
      run = "";
    };
    for (const node of visibleContent.children(element)) {
      if (tree.isText(node)) run += words(node, inner);
      else if (isFrame(node)) {
        flush();
        found.push(...framed(node));
      } else if (SKIPPED.has(tree.tag(node))) continue;
      else if (isInline(node) && !holdsBlocks(node)) run += inlineElement(node, inner);
      else {
        flush();
        found.push(...block(node, inner));
      }
    }
    flush();
    return found;
  };

  /** A frame that is large enough to be read. @param {Node} node */
  const isFrame = (node) =>
    (node instanceof HTMLIFrameElement || node instanceof HTMLFrameElement) && visibility.isReadableFrame(node);

  /** Note a frame for the daemon to read. @param {Element} frame */
  const framed = (frame) => {
    lib.noted.add(run, frame);
    return [FRAME];
  };

  /** Whether something inside what runs in line stands on lines of its own. @param {Element} element */
  const holdsBlocks = (element) =>
    tree
      .all(element, "*")
      .some((inside) =>
        SKIPPED.has(tree.tag(inside)) ? isFrame(inside) : visibility.isRendered(inside) && !isInline(inside),
      );

  /** @param {Element} heading @param {Place} place */
  const title = (heading, place) => {
    const level = Number(/^h([1-6])$/.exec(tree.tag(heading))?.[1] || tree.attr(heading, "aria-level") || 2);
    const line = inlines(heading, place).replace(lib.patterns.blanks, " ").trim();
    const [said] = paragraph(line, place);
    return said ? [`${"#".repeat(Math.min(Math.max(level, 1), 6))} ${said.replace(/\\?#+$/, "\\$&")}`] : [];
  };

  /** @param {Element} pre */
  const language = (pre) => {
    for (const element of [tree.all(pre, "code")[0], pre, pre.parentElement, pre.parentElement?.parentElement]) {
      if (!element) continue;
      const named = tree.attr(element, "data-lang") || tree.attr(element, "data-language");
      const said = named || LANGUAGE.exec(tree.attr(element, "class") || "")?.[1];
      if (said && /^[\w+#-]{1,20}$/.test(said)) return NO_LANGUAGE.has(said.toLowerCase()) ? "" : said.toLowerCase();
    }
    return "";
  };

  /** @param {string} text @param {string} [name] What language it is in. @returns {string[]} */
  const fenced = (text, name = "") => {
    const lines = text.replace(/\n+$/, "").replace(/\u00a0/g, " ");
    if (!lines.trim()) return [];
    const fence = "`".repeat(Math.max(2, ...(lines.match(/`+/g) || []).map((run) => run.length)) + 1);
    return [`${fence}${name}\n${lines}\n${fence}`];
  };

  /** @param {Element} pre @returns {string[]} */
  const code = (pre) => {
    const classes = `${tree.attr(pre, "class")} ${tree.attr(pre.parentElement || pre, "class")}`;
    if (/\b(line-?num|lineno|gutter)/i.test(classes)) return [];
    const inside = tree.all(pre, ":scope > code");
    const source = inside.length === 1 ? inside[0] : pre;
    return fenced(visibleContent.text(source), language(pre));
  };

  /** @param {string} text @param {string} first @param {string} rest */
  const indented = (text, first, rest) =>
    text
      .split("\n")
      .map((line, at) => (at ? (line || rest.trim() ? rest + line : line) : first + line).trimEnd())
      .join("\n");

  const TICKS = ["input", "label > input", "p > input"].map((path) => `:scope > ${path}[type=checkbox]`).join();
  const LIST_ITEM = /^([-*]|\d+\.) /;
  /** @param {Element} list @param {Place} place @returns {string[]} */
  const items = (list, place) => {
    const isOrdered = tree.tag(list) === "ol";
    let number = parseInt(tree.attr(list, "start") || "1", 10) || 0;
    /** @type {string[]} */
    const lines = [];
    let isLoose = false;
    for (const item of visibleContent.children(list)) {
      if (!tree.isElement(item)) continue;
      const inside = /^(ul|ol|menu)$/.test(tree.tag(item)) ? items(item, place) : blocks(item, place);
      const [box] = tree.all(item, TICKS);
      if (!inside.length) continue;
      number = parseInt(tree.attr(item, "value") || "", 10) || number;
      const mark = isOrdered ? `${number}. ` : "- ";
      const tick = box ? (/** @type {HTMLInputElement} */ (box).checked ? "[x] " : "[ ] ") : "";
      number += 1;
      isLoose ||= inside.some((block, at) => at > 0 && !LIST_ITEM.test(block));
      const tight = inside.reduce(
        (all, block) => (all ? all + (LIST_ITEM.test(block) ? "\n" : "\n\n") + block : block),
        "",
      );
      lines.push(indented(tight, mark + tick, " ".repeat(mark.length)));
    }
    return lines.length ? [lines.join(isLoose ? "\n\n" : "\n")] : [];
  };

  /** @param {Element} list @param {Place} place */
  const terms = (list, place) =>
    visibleContent
      .all(list, "dt, dd")
      .filter((it) => tree.closest(it, "dl") === list && visibility.isRendered(it))
      .flatMap((it) => {
        const inside = blocks(it, place).join("\n\n");
        if (!inside) return [];
        return [tree.tag(it) === "dt" ? marked(inside.replace(/\*\*/g, ""), "**") : indented(inside, ": ", "  ")];
      });

  /** @param {Element} table @param {Place} place */
  const grid = (table, place) => {
    const cell = { ...place, cell: true };
    const say = (/** @type {Element} */ it) =>
      inlines(it, cell)
        .replace(lib.patterns.blanks, " ")
        .replace(/^(<br>|\s)+|(<br>|\s)+$/g, "");
    const { name, columns, rows, width } = tableRows.read(table, say);
    if (!width) return [];
    const head = columns.length ? columns : Array.from({ length: width }, () => "");
    const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
    const caption = name && tree.all(table, ":scope > caption").length ? [`**${escaped(name, false)}**`] : [];
    const frames = tree.all(table, "iframe").filter(isFrame).flatMap(framed);
    return [...caption, [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n"), ...frames];
  };

  /** @param {Element} element @param {Place} place @returns {string[]} */
  const block = (element, place) => {
    const tag = tree.tag(element);
    if (isFrame(element)) return framed(element);
    if (SKIPPED.has(tag)) return [];
    if (isIndented(element) && tag !== "pre")
      return fenced(tag === "textarea" ? shownValues.of(element) : visibleContent.text(element));
    if (shownValues.isTold(element)) return paragraph(field(element, place), place);
    if (isHeading(element)) return title(element, place);
    if (tag === "pre" && element instanceof HTMLElement) return code(element);
    if (tag === "hr") return ["---"];
    if (tag === "img") return paragraph(picture(element, place), place);
    if (tag === "ul" || tag === "ol" || tag === "menu") return items(element, place);
    if (tag === "dl") return terms(element, place);
    if (tableParts.isTable(element)) return grid(element, place);
    if (tag === "blockquote") {
      const inside = blocks(element, place).join("\n\n");
      return inside ? [indented(inside, "> ", "> ")] : [];
    }
    if (tag === "a" && tree.has(element, "href")) {
      const href = visibleContent.address(tree.attr(element, "href") || "");
      return blocks(element, { ...place, href: /^javascript:/i.test(href) ? null : { address: href } });
    }
    return blocks(element, place);
  };

  const top = root instanceof Document ? root.body || root.documentElement : root;
  lib.noted.begin(run);
  if (!top || !visibility.isRendered(top) || shownValues.isInSecret(top)) return [[""], false];
  const start = { depth: 0, cell: false, href: null };
  const isLine = isInline(top) && !isFrame(top) && !holdsBlocks(top);
  const said = isLine ? paragraph(inlineElement(top, start), start) : block(top, start);
  const parts = said.join("\n\n").toWellFormed().split(FRAME);
  return [parts.map((part) => part.replace(/^\n+|(\n[>\s]*|\s+)$/g, "")), false];
};
