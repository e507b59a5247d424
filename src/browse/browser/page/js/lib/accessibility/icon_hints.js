/**
 * What a control without a name looks like, by what its author called its icon: a word to go by, never its name.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const MAX_CHARS = 40;
  const MAX_ICONS = 4;
  const isEditable = tree.getter(HTMLElement.prototype, "isContentEditable");
  const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
  // Where libraries of tooltips and editors keep what they show.
  const TIPS = ["data-tooltip", "data-tip", "data-tippy-content", "data-original-title", "data-bs-original-title"];
  const SAID = [...TIPS, "data-title", "data-placeholder"];
  const ICONS = "svg, use, img, i, span, [class*=icon i], [data-icon]";
  // The classes of the usual icon fonts: `fa-trash`, `icon-edit`, `bi-x`, `mdi-menu`, `glyphicon-ok`, `edit-icon`.
  const FONTS = /^(?:fa|icons?|bi|mdi|ti|ri|pi|la|bx|lucide|glyphicon|octicon|codicon|anticon|feather)[-_](.+)$/i;
  const SUFFIXED = /^(..+)[-_]icon$/i;
  // Fonts that show a word as a picture.
  const LIGATURES = '[class*="material-icons" i], [class*="material-symbols" i]';
  // What they call their pictures: anything else in them is words.
  const LIGATURE = /^\s*([a-z0-9_]+)\s*$/;
  // Classes of such fonts that say how large or how a picture is drawn, not what it shows.
  const LOOKS = /^(?:solid|regular|light|thin|brands|fw|[xsmlg]{2}|\d*x|spin|pulse|inverse|size.*|button|btn|only)$/i;

  /** Only what no line of ours can be mistaken for. @param {string | null} word */
  const plain = (word) => (word && /^[\w.-]+$/.test(word) ? word.slice(0, MAX_CHARS) : "");

  /** @param {Element} element */
  const byClass = (element) => {
    for (const word of (tree.attr(element, "class") || "").split(/\s+/)) {
      const found = FONTS.exec(word) || SUFFIXED.exec(word);
      if (found && !LOOKS.test(found[1])) return plain(found[1]);
    }
    return "";
  };

  /** The word that an element shows as a picture; "" if it shows none. @param {Element} element @returns {string} */
  const ligature = (element) => {
    if (!tree.fits(element, LIGATURES) || tree.elements(element).length) return "";
    return LIGATURE.exec(element.textContent || "")?.[1] || "";
  };

  /**
   * The elements within one, or within a document, that show a word as a picture.
   * @param {Document | ShadowRoot | Element} root
   */
  const pictured = (root) => Array.from(tree.list(root, LIGATURES)).filter(ligature);

  /** The words in an element that are shown as pictures. @param {Element} element @returns {string[]} */
  const ligatures = (element) => [element, ...pictured(element)].map(ligature).filter(Boolean);

  /** The last part of an address, without its extension. @param {string | null} address */
  const lastPart = (address) => {
    if (!address || /^data:/i.test(address)) return "";
    const [path, fragment] = address.split("#");
    const file = (path.split("?")[0].split("/").pop() || "").replace(/\.\w{2,5}$/, "");
    return plain(fragment || "") || plain(file);
  };

  /** @param {Element} element */
  const byPicture = (element) => {
    const name = lib.dom.localName(element);
    const address = name === "use" ? tree.attr(element, "href") || tree.attr(element, "xlink:href") : "";
    const found = lastPart(name === "img" ? tree.attr(element, "src") : address);
    return FONTS.exec(found)?.[1] || found;
  };

  /** @param {Element} element */
  const byTestId = (element) => {
    for (const name of TEST_IDS) if (tree.has(element, name)) return plain(tree.attr(element, name));
    return "";
  };

  /** What a picture is called where that is no name of its control: in one word. @param {Element} icon */
  const byTitle = (icon) => {
    const said = tree.attr(icon, "title") || tree.attr(icon, "alt") || tree.attr(icon, "aria-label") || "";
    return asOne(said);
  };

  /** Some words as one. @param {string} said */
  const asOne = (said) =>
    plain(
      said
        .trim()
        .replace(/[\s,;:!?'()…]+/g, "-")
        .replace(/[-.]+$/, ""),
    );

  /** What a tooltip or an empty editor shows. @param {Element} element */
  const byTip = (element) => {
    for (const name of SAID) if (tree.attr(element, name)) return asOne(tree.attr(element, name) || "");
    return "";
  };

  /** @param {Element} element */
  const byField = (element) =>
    /^(?:input|select|textarea)$/.test(tree.tag(element))
      ? plain(tree.attr(element, "name")) || plain(tree.attr(element, "id"))
      : "";

  /**
   * The first of its classes that an author chose, or what says more of it around it.
   * Those of an editor are its library's. @param {Element} element
   */
  const byOwnClass = (element) => {
    if (element instanceof HTMLElement && isEditable(element)) return "";
    const own = lib.selectors.classes(element)[0] || null;
    const outer = own && tree.parent(element);
    const more = outer && lib.selectors.classes(outer).find((it) => it.startsWith(`${own}-`));
    return plain(more || own);
  };

  /** What the icons in an element show. @param {Element} element @returns {string} "" where nothing says so */
  const ofIcons = (element) => {
    const drawn = plain(ligatures(element)[0] || null);
    if (drawn) return drawn;
    const icons = Array.from(tree.list(element, ICONS));
    for (const each of icons.slice(0, MAX_ICONS)) {
      const found = byTitle(each);
      if (found) return found;
    }
    for (const each of [...icons.slice(0, MAX_ICONS), element]) {
      const found = plain(tree.attr(each, "data-icon")) || byPicture(each) || byClass(each);
      if (found) return found;
    }
    return "";
  };

  /** @param {Element} element @returns {string} "" where nothing says what it is */
  const of = (element) =>
    byTip(element) ||
    ofIcons(element) ||
    byTestId(element) ||
    byField(element) ||
    plain(tree.attr(element, "id")) ||
    byOwnClass(element);

  return { ligature, ligatures, of, ofIcons, pictured };
};
