/**
 * Whether words that cannot be seen now look like what pages show in good time: menus, slides, folded parts, sections that
 * fade in, labels of fields, names in place of a logo. Guesses from how pages are made; a page can make itself look so.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const UP = 6;
  const KINDS =
    "dialog, menu, nav, aside, details, label, legend, caption, button, select, noscript, figcaption, [popover], [role=dialog], [role=alertdialog]," +
    " [role=menu], [role=menubar], [role=tooltip], [role=tabpanel], [role=navigation], [role=alert], [role=status], [role=listbox]," +
    " [role=region], [role=timer], [role=log], [role=search], [aria-live], [aria-hidden=true], [aria-modal], [data-aos], [data-animate], [data-scroll], [data-tooltip]";
  const NAMES =
    /(^|[\s_-])(nav|menu|sub-?menu|drop-?down|drawer|off-?canvas|side-?bar|modal|dialog|lightbox|overlay|backdrop|pop-?up|pop-?over|tool-?tip|tippy|toast|snackbar|alert|notification|notice|banner|cookie|consent|gdpr|carousel|slider|slide|slides|swiper|slick|splide|flickity|glide|owl|tab|tabs|pane|panel|tab-?content|accordion|collaps\w*|expand\w*|fold\w*|faq|toggle\w*|reveal\w*|fade\w*|anim\w*|aos|wow|lazy\w*|appear\w*|scroll\w*|in-?view\w*|parallax|transition\w*|motion|skeleton|shimmer|placeholder|loading|loader|spinner|preload\w*|skip\w*|sr|sr-only|visually|visually-?hidden|screen-?reader\w*|a11y|assistive|accessib\w*|print\w*|hp|honeypot|ohnohoney|pot|hint|help|flip\w*|back|card-back|caption|hover\w*|more|read-?more|truncat\w*|clamp\w*|excerpt|mega\w*|flyout|search\w*|step|wizard|marquee|ticker|ad|ads|adv\w*|sponsor\w*|logo|brand|site-?title|replace\w*|ir|icon\w*)($|[\s_-])/i;
  const FIELDS = "input, select, textarea, button";

  /** @param {Element} element */
  const isNamed = (element) => NAMES.test(`${tree.attr(element, "class") || ""} ${tree.attr(element, "id") || ""}`.slice(0, 300));

  /** Ids that something on the page can be pressed to show. */
  const controlled = tree.once(() => {
    const ids = new Set();
    const ATTRIBUTES = ["aria-controls", "data-target", "data-bs-target", "for", "aria-owns", "aria-describedby", "aria-labelledby", "popovertarget", "commandfor"];
    for (const element of tree.all(document, ATTRIBUTES.map((name) => `[${name}]`).join(",")))
      for (const name of ATTRIBUTES) for (const id of (tree.attr(element, name) || "").split(/\s+/)) ids.add(id.replace(/^#/, ""));
    ids.delete("");
    return ids;
  });

  /** Elements that move or fade just now. */
  const moving = tree.once(
    () => new Set(document.getAnimations().filter((it) => it.playState === "running" || it.pending).map((it) => /** @type {any} */ (it.effect)?.target)),
  );

  /** @param {Element} element */
  const changes = (element) => {
    const { transitionDuration, transform, opacity, willChange } = tree.style(element);
    if (/[1-9]/.test(transitionDuration) || /opacity|transform/.test(willChange) || moving().has(element)) return true;
    // The beginning of fading in: moved a little, and not there yet.
    return Number(opacity) < 0.1 && /^matrix\(1, 0, 0, 1, -?[\d.]+, -?[\d.]+\)$/.test(transform) && transform !== "matrix(1, 0, 0, 1, 0, 0)";
  };

  /** @param {Element} element Whether it begins with, follows or holds what opens it. */
  const isOpened = (element) => {
    const before = element.previousElementSibling;
    if (tree.has(element, "id") && controlled().has(tree.attr(element, "id"))) return true;
    return !!before && (tree.has(before, "aria-expanded") || tree.fits(before, "button, summary, label, input") || tree.all(before, "[aria-expanded]").length > 0);
  };

  /** @param {Element} element @param {Element} by Whether one of them, or what is near above them, will be shown in good time. */
  const may = (element, by) => {
    if (tree.all(by, FIELDS).length || tree.style(by).backgroundImage !== "none") return true;
    let beyond = false;
    for (let node = /** @type {Element | null} */ (element), up = 0; node && up < UP; node = tree.composedParent(node)) {
      if (/^(html|body|main)$/.test(tree.tag(node))) return false;
      if (tree.fits(node, KINDS) || isNamed(node) || isOpened(node) || (!beyond && changes(node))) return true;
      beyond ||= node === by;
      if (beyond) up += 2;
    }
    return false;
  };

  return { may };
};
