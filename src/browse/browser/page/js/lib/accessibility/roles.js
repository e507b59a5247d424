/**
 * The role of an element, in ARIA's terms. What ARIA has no word for keeps the name of its HTML element:
 * `audio`, `canvas`, `iframe`, `object`, `video`.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree, roleTables } = lib;
  const { attr, has, token, tag, parent, remembered } = tree;

  const SECTIONS = new Set(["article", "complementary", "main", "navigation"]);
  const SECTION_TAGS = new Set(["article", "aside", "main", "nav", "section"]);
  const TABLES = new Set(["table", "grid", "treegrid"]);
  // Roles that count only inside another, and what may stand between.
  const NEEDS = new Map([
    ["listitem", new Set(["list", "listitem"])],
    ["option", new Set(["listbox", "option"])],
    ["treeitem", new Set(["tree", "treegrid", "treeitem"])],
  ]);
  const BETWEEN = new Set(["generic", "none", "group"]);
  const LIST_TAGS = new Set(["ul", "ol", "menu", "dir"]);
  // The role of a custom element that only it knows.
  const UNKNOWN = "?";
  const SHAPES = /^svg:(circle|ellipse|line|path|polygon|polyline|rect|use)$/;
  const MEANINGFUL = "text, a, [role], [aria-label], [aria-labelledby], [tabindex], :not(svg) > title";
  const MANY_ROWS = 20;
  const SAMPLED_CELLS = 200;

  /** @param {Element} element @returns {string} */
  const inputType = (element) => {
    const type = token(element, "type");
    return roleTables.TYPES.has(type) ? type : "text";
  };

  /** @param {Element} element @returns {boolean} */
  const isEditingHost = (element) => {
    const value = attr(element, "contenteditable");
    return value !== null && /^(|true|plaintext-only)$/i.test(value.trim());
  };

  /** @param {Element} element @returns {boolean} */
  const isSummary = (element) => {
    const details = tree.parentNode(element);
    if (!details || !tree.isElement(details) || tag(details) !== "details") return false;
    for (let node = tree.firstChild(details); node; node = tree.nextSibling(node))
      if (tree.isElement(node) && tag(node) === "summary") return node === element;
    return false;
  };

  /** @param {Element} element @returns {boolean} */
  const isFocusable = (element) => {
    if (/^\s*[-+]?\d/.test(attr(element, "tabindex") || "")) return !tree.fits(element, ":disabled");
    const name = tag(element);
    if (name === "a" || name === "area") return has(element, "href");
    if (name === "svg:a") return has(element, "href") || has(element, "xlink:href");
    if (/^(button|input|select|textarea)$/.test(name)) return !tree.fits(element, ":disabled");
    if (name === "audio" || name === "video") return has(element, "controls");
    return name === "iframe" || isEditingHost(element) || (name === "summary" && isSummary(element));
  };

  /** @param {Element} element */
  const cannotVanish = (element) =>
    isFocusable(element) || roleTables.GLOBAL.some((name) => (attr(element, name) || "").trim() !== "");

  /** The role of the nearest element that means something: this one, or one that it is in. */
  const nearestRole = tree.inherited(
    () => "",
    (element, above) => {
      if (tag(element).includes("-") && !has(element, "role")) return UNKNOWN;
      const role = of(element);
      return BETWEEN.has(role) ? above : role;
    },
  );

  /** @param {Element} element @param {string} role */
  const isInPlace = (element, role) => {
    const needs = NEEDS.get(role);
    if (!needs) return true;
    const above = parent(element);
    return above !== null && (needs.has(nearestRole(above)) || nearestRole(above) === UNKNOWN);
  };

  /** The role that the author gave an element, if it counts. @param {Element} element @returns {string | null} */
  const explicit = (element) => {
    const given = attr(element, "role");
    if (!given) return null;
    for (const word of given.toLowerCase().split(/[ \t\n\f\r]+/)) {
      if (!roleTables.ROLES.has(word)) continue;
      const role = roleTables.SYNONYMS.get(word) || word;
      if (role === "none") return cannotVanish(element) ? null : role;
      if ((role === "form" || role === "region") && !lib.names.byAuthor(element)) continue;
      if (isInPlace(element, role)) return role;
    }
    return null;
  };

  /** Whether headers, footers and asides in an element belong to a section and not to the page. */
  const within = tree.inherited(
    () => ({ section: false, butMain: false }),
    (/** @type {Element} */ element, /** @type {{section: boolean, butMain: boolean}} */ above) => {
      const given = token(element, "role")
        .split(/\s+/)
        .find((word) => roleTables.ROLES.has(word));
      if (!(given ? SECTIONS.has(given) : SECTION_TAGS.has(tag(element)))) return above;
      return { section: true, butMain: above.butMain || (given || tag(element)) !== "main" };
    },
  );
  /** @param {Element} element */
  const sections = (element) => {
    const above = parent(element);
    return above ? within(above) : { section: false, butMain: false };
  };

  /** @param {Element} image */
  const imageRole = (image) => {
    if (attr(image, "alt") !== "" || isFocusable(image)) return "image";
    return lib.names.byAuthor(image) ? "image" : "none";
  };

  /** @param {Element} input */
  const inputRole = (input) => {
    const type = inputType(input);
    if (roleTables.LISTED.has(type) && has(input, "list")) {
      const list = tree.byId(input, attr(input, "list") || "");
      if (list && tag(list) === "datalist") return "combobox";
    }
    return roleTables.INPUTS.get(type) || "textbox";
  };

  /** One row is shown as a button that opens the list, even for several choices. @param {Element} select */
  const selectRole = (select) => {
    const rows = parseInt(attr(select, "size") || "0", 10) || (has(select, "multiple") ? 4 : 1);
    return rows > 1 ? "listbox" : "combobox";
  };

  /** Whether items in an element are in a list that lost its role: they are nothing special then. */
  const isUnlisted = tree.inherited(
    () => false,
    (element, above) => of(element) !== "list" && (above || LIST_TAGS.has(tag(element))),
  );
  /** @param {Element} item */
  const itemRole = (item) => {
    const above = parent(item);
    return above && isUnlisted(above) ? "none" : "listitem";
  };

  /** @param {Element} part @returns {Element | null} */
  const tableOf = (part) => {
    for (let node = parent(part); node; node = parent(node)) if (tag(node) === "table") return node;
    return null;
  };

  /** @param {Element} cell */
  const isBordered = (cell) => {
    const { borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth } = tree.style(cell);
    const wide = [borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth];
    return wide.filter((width) => parseFloat(width) > 0).length >= 2;
  };

  /**
   * Whether a table holds data or only places things, guessed as Chromium does.
   * @type {(table: Element) => boolean}
   */
  const isData = remembered((table) => {
    if ((attr(table, "summary") || "").trim() || has(table, "rules") || isEditingHost(table)) return true;
    if (tree.all(table, ":scope > caption, :scope > thead, :scope > tfoot").length) return true;
    const rows = tree.all(table, ":scope > tr, :scope > tbody > tr");
    if (rows.length >= MANY_ROWS) return true;
    const cells = tree.all(table, ":scope > tr > *, :scope > tbody > tr > *").slice(0, SAMPLED_CELLS);
    if (cells.length <= 1) return false;
    if (cells.some((cell) => tree.fits(cell, "th, [headers], [abbr], [axis], [scope]"))) return true;
    return cells.filter(isBordered).length * 2 >= cells.length;
  });

  /**
   * The role of the table around a part; "" for one that only places things.
   * @param {Element} part @returns {string}
   */
  const tableRole = (part) => {
    const table = tableOf(part);
    const role = table ? of(table) : "";
    return TABLES.has(role) ? role : "";
  };

  /** @param {Element} header */
  const headerRole = (header) => {
    if (!tableRole(header)) return "generic";
    const scope = token(header, "scope");
    if (scope === "row" || scope === "rowgroup") return "rowheader";
    if (scope === "col" || scope === "colgroup") return "columnheader";
    const row = tree.parentNode(header);
    const group = row && tree.parentNode(row);
    if (!row || !tree.isElement(row)) return "columnheader";
    if (group && tree.isElement(group) && tag(group) === "thead") return "columnheader";
    return tree.all(row, ":scope > td").length ? "rowheader" : "columnheader";
  };

  /** A picture, unless something inside has a meaning of its own. @param {Element} svg */
  const svgRole = (svg) => (tree.all(svg, MEANINGFUL).length ? "graphics-document" : "image");

  /** @param {Element} element @param {string} name */
  const svgPartRole = (element, name) => {
    if (name === "svg:svg") return svgRole(element);
    if (name === "svg:a") return has(element, "href") || has(element, "xlink:href") ? "link" : "generic";
    if (name === "svg:image") return "image";
    if (/^svg:(text|tspan|textPath|foreignObject)$/.test(name))
      return name === "svg:text" || lib.names.byAuthor(element) ? "generic" : "none";
    const known = lib.names.byAuthor(element) || lib.names.svgTitle(element) || isFocusable(element);
    if (!known) return "none";
    return SHAPES.test(name) ? "graphics-symbol" : "group";
  };

  /** @type {Record<string, (element: Element) => string>} */
  const BY_CONTEXT = {
    a: (element) => (has(element, "href") || has(element, "onclick") ? "link" : "generic"),
    area: (element) => (has(element, "href") ? "link" : "generic"),
    aside: (element) => (sections(element).butMain && !lib.names.byAuthor(element) ? "generic" : "complementary"),
    footer: (element) => (sections(element).section ? "sectionfooter" : "contentinfo"),
    header: (element) => (sections(element).section ? "sectionheader" : "banner"),
    img: imageRole,
    image: imageRole,
    input: inputRole,
    li: itemRole,
    section: (element) => (lib.names.byAuthor(element) ? "region" : "generic"),
    select: selectRole,
    summary: (element) => (isSummary(element) ? "button" : "generic"),
    table: (element) => (isData(element) ? "table" : "generic"),
    td: (element) => ({ "": "generic", table: "cell" })[tableRole(element)] || "gridcell",
    th: headerRole,
    tr: (element) => (tableRole(element) ? "row" : "generic"),
  };

  /** The role that an element has by itself. @param {Element} element @returns {string} */
  const native = (element) => {
    const name = tag(element);
    if (name.startsWith("svg:")) return svgPartRole(element, name);
    if (name === "http://www.w3.org/1998/Math/MathML:math") return "math";
    if (Object.hasOwn(BY_CONTEXT, name)) return BY_CONTEXT[name](element);
    const role = roleTables.ELEMENTS.get(name);
    if (role === "rowgroup") return tableRole(element) ? role : "generic";
    return role || "generic";
  };

  /** What can be edited, dragged or opened is more than a container. @param {Element} element */
  const leastRole = (element) => {
    if (isEditingHost(element)) return "textbox";
    if (tag(element) === "img") return null;
    const dragged = token(element, "draggable");
    return (has(element, "draggable") && dragged !== "false") || has(element, "autofocus") || has(element, "popover")
      ? "group"
      : null;
  };

  /** @type {(element: Element) => string} */
  const of = remembered((element) => {
    const role = explicit(element) || lib.closedShadow.role(element) || native(element);
    if (role !== "generic" && role !== "none") return role;
    return leastRole(element) || role;
  }, true);

  return { of, isFocusable, isEditingHost, isSummary, inputType, tableOf, INTERACTIVE: roleTables.INTERACTIVE };
};
