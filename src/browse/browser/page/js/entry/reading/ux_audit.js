/**
 * What a visitor has to find their way by: whose site and which page it is, navigation, where they are,
 * search, headings, what can be operated, and the text.
 * @param {Document | Element} root
 * @param {{}} _
 * @param {Lib} lib
 */
export default (root, _, lib) => {
  const { tree, roles, names, visibility, visibleContent } = lib;
  const MAX_NAVIGATIONS = 5;
  const MAX_CRUMBS = 10;
  const MAX_HEADINGS = 50;
  const MAX_CONTROLS = 200;
  const MAX_BLOCKS = 50;
  const MIN_WORDS = 5;
  const LOGO = [
    "[class*=logo i], [id*=logo i], [class*=brand i], header a[href='/'], [role=banner] a[href='/'], a[rel~=home]",
    "header img, [role=banner] img",
  ].join(", ");
  const BREADCRUMBS = "[aria-label*=breadcrumb i], [class*=breadcrumb i], [itemtype*=BreadcrumbList i]";
  const SEARCH = [
    "[role=search], search, input[type=search], [role=searchbox]",
    "form[action*=search i] input, input[name=q], input[name*=search i]",
  ].join(", ");

  /** @param {string} selector @returns {Element[]} */
  const seen = (selector) => visibleContent.all(root, selector).filter((it) => visibility.isRendered(it));
  /** @param {Element} element @param {number} most */
  const said = (element, most) => (visibleContent.words(element) || names.of(element)).slice(0, most).toWellFormed();

  const siteId = () => {
    const [logo] = seen(LOGO);
    if (!logo) return { found: false, text: "", tag: "", alt: "" };
    const picture = tree.fits(logo, "img") ? logo : tree.all(logo, "img[alt]")[0];
    const alt = picture ? (tree.attr(picture, "alt") || "").toWellFormed() : "";
    return { found: true, text: said(logo, 80), tag: tree.tag(logo), alt };
  };

  const pageName = () => {
    const [heading] = [...seen("h1, [role=heading][aria-level='1']"), ...seen("main h2, h2")];
    return { found: Boolean(heading), text: heading ? said(heading, 120) : "" };
  };

  const navigation = () =>
    seen("nav, [role=navigation]")
      .slice(0, MAX_NAVIGATIONS)
      .map((nav) => ({
        text: (names.of(nav) || said(nav, 200)).slice(0, 200).toWellFormed(),
        links: tree.all(nav, "a[href]").length,
      }));

  const youAreHere = () =>
    seen("[aria-current]:not([aria-current=false]), nav .active, nav .current, nav .selected")
      .slice(0, MAX_NAVIGATIONS)
      .map((it) => said(it, 80));

  const breadcrumbs = () => {
    const [trail] = seen(BREADCRUMBS);
    if (!trail) return { found: false, items: [] };
    const steps = tree.all(trail, "li, [itemprop=itemListElement]");
    const parts = steps.length ? steps : tree.all(trail, "a, [aria-current]");
    return { found: true, items: parts.slice(0, MAX_CRUMBS).map((it) => said(it, 80)) };
  };

  const headings = () =>
    seen("h1, h2, h3, h4, h5, h6, [role=heading]")
      .slice(0, MAX_HEADINGS)
      .map((it) => ({ tag: tree.tag(it), text: said(it, 80), size: tree.style(it).fontSize }));

  const interactive = () =>
    seen("a[href], button, input, select, textarea, summary, [role], [tabindex], [onclick], [contenteditable]")
      .filter((it) => roles.INTERACTIVE.has(roles.of(it)) && visibility.isShown(it) && tree.box(it).width > 0)
      .slice(0, MAX_CONTROLS)
      .map((it) => ({
        tag: tree.tag(it),
        text: names.of(it).slice(0, 50).toWellFormed(),
        type: (tree.attr(it, "type") || "").toWellFormed(),
        role: roles.of(it),
        w: Math.round(tree.box(it).width),
        h: Math.round(tree.box(it).height),
        visible: true,
      }));

  const textBlocks = () => {
    const found = [];
    for (const element of seen("p, li, blockquote, dd, figcaption, td")) {
      const words = visibleContent.words(element);
      const wordCount = words.split(" ").length;
      if (wordCount >= MIN_WORDS) found.push({ text: words.slice(0, 200).toWellFormed(), wordCount });
      if (found.length === MAX_BLOCKS) break;
    }
    return found;
  };

  const body = document.body;
  return {
    title: document.title.toWellFormed(),
    siteId: siteId(),
    pageName: pageName(),
    navigation: navigation(),
    youAreHere: youAreHere(),
    search: { found: seen(SEARCH).length > 0 },
    breadcrumbs: breadcrumbs(),
    headings: headings(),
    interactive: interactive(),
    textBlocks: textBlocks(),
    totalWords: (body ? visibleContent.words(body) : "").split(" ").filter(Boolean).length,
  };
};
