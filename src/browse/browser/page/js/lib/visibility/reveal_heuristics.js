/**
 * Whether words that cannot be seen now look like what pages show in good time: menus, slides, folded parts, sections
 * that fade in, labels of fields, names in place of a logo. Guesses from how pages are made; a page can make itself
 * look so.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const MAX_HEIGHT = 6;
  const FIELDS = "input, select, textarea, button";
  const KINDS = [
    "dialog, menu, nav, aside, details, label, legend, caption, button, select, noscript, figcaption, [popover]",
    "[role=dialog], [role=alertdialog], [role=menu], [role=menubar], [role=tooltip], [role=tabpanel]",
    "[role=navigation], [role=alert], [role=status], [role=listbox], [role=region], [role=timer], [role=log]",
    "[role=search], [aria-live], [aria-hidden=true], [aria-modal]",
    "[data-aos], [data-animate], [data-scroll], [data-tooltip]",
  ].join(", ");
  const NAMES = wordsOf(`
    nav menu sub-?menu drop-?down drawer off-?canvas side-?bar modal dialog lightbox overlay backdrop pop-?up pop-?over
    tool-?tip tippy toast snackbar alert notification notice banner cookie consent gdpr carousel slider slide slides
    swiper slick splide flickity glide owl tab tabs pane panel tab-?content accordion collaps\\w* expand\\w* fold\\w*
    faq toggle\\w* reveal\\w* fade\\w* anim\\w* aos wow lazy\\w* appear\\w* scroll\\w* in-?view\\w* parallax
    transition\\w* motion skeleton shimmer placeholder loading loader spinner preload\\w* skip\\w* sr sr-only visually
    visually-?hidden screen-?reader\\w* a11y assistive accessib\\w* print\\w* hp honeypot ohnohoney pot hint help
    flip\\w* back card-back caption hover\\w* more read-?more truncat\\w* clamp\\w* excerpt mega\\w* flyout search\\w*
    step wizard marquee ticker ad ads adv\\w* sponsor\\w* logo brand site-?title replace\\w* ir icon\\w*`);
  const OPENED_BY = [
    "aria-controls",
    "data-target",
    "data-bs-target",
    "for",
    "aria-owns",
    "aria-describedby",
    "aria-labelledby",
    "popovertarget",
    "commandfor",
  ];
  const MOVED_A_LITTLE = /^matrix\(1, 0, 0, 1, -?[\d.]+, -?[\d.]+\)$/;
  const UNMOVED = "matrix(1, 0, 0, 1, 0, 0)";

  /** One of several words, as a part of a class or an id. @param {string} words */
  function wordsOf(words) {
    return new RegExp(`(^|[\\s_-])(${words.trim().split(/\s+/).join("|")})($|[\\s_-])`, "i");
  }

  /** @param {Element} element */
  const isNamedSo = (element) => NAMES.test(tree.authorNames(element));

  /** Ids that something on the page can be pressed to show. */
  const opened = tree.once(() => {
    /** @type {Set<string>} */
    const ids = new Set();
    for (const element of tree.all(document, OPENED_BY.map((name) => `[${name}]`).join(",")))
      for (const name of OPENED_BY)
        for (const id of (tree.attr(element, name) || "").split(/\s+/)) ids.add(id.replace(/^#/, ""));
    ids.delete("");
    return ids;
  });

  /** Elements that move or fade just now. */
  const moving = tree.once(() => {
    const running = document.getAnimations().filter((it) => it.playState === "running" || it.pending);
    return new Set(running.map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null)));
  });

  /** @param {Element} element */
  const isChanging = (element) => {
    const { transitionDuration, transform, opacity, willChange } = tree.style(element);
    if (/[1-9]/.test(transitionDuration) || /opacity|transform/.test(willChange) || moving().has(element)) return true;
    // The beginning of fading in: moved a little, and not there yet.
    return Number(opacity) < 0.1 && MOVED_A_LITTLE.test(transform) && transform !== UNMOVED;
  };

  /** Whether something opens an element: by its id, or because it stands before it. @param {Element} element */
  const isOpened = (element) => {
    const before = element.previousElementSibling;
    if (opened().has(tree.attr(element, "id") || "")) return true;
    if (!before) return false;
    if (tree.has(before, "aria-expanded") || tree.fits(before, "button, summary, label, input")) return true;
    return tree.all(before, "[aria-expanded]").length > 0;
  };

  /**
   * Whether an element, what hides it, or what is near above them will be shown in good time.
   * @param {Element} element @param {Element} hiddenBy @returns {boolean}
   */
  const mayBeShown = (element, hiddenBy) => {
    if (tree.all(hiddenBy, FIELDS).length || tree.style(hiddenBy).backgroundImage !== "none") return true;
    let isBeyond = false;
    let node = /** @type {Element | null} */ (element);
    for (let up = 0; node && up < MAX_HEIGHT; node = tree.composedParent(node)) {
      if (/^(html|body|main)$/.test(tree.tag(node))) return false;
      if (tree.fits(node, KINDS) || isNamedSo(node) || isOpened(node) || (!isBeyond && isChanging(node))) return true;
      isBeyond ||= node === hiddenBy;
      if (isBeyond) up += 2;
    }
    return false;
  };

  return { mayBeShown };
};
