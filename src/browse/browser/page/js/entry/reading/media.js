/**
 * The pictures, films and sounds of a document or of one element.
 * @param {Document | Element} root
 * @param {{images: boolean, videos: boolean, audio: boolean}} wanted
 * @param {Lib} lib
 */
export default (root, wanted, lib) => {
  const { tree, visibility, visibleContent } = lib;
  const MAX_BACKGROUNDS = 500;
  const LAZY = ["data-src", "data-lazy-src", "data-original"];

  /**
   * All elements of one kind.
   * @template {keyof HTMLElementTagNameMap} K @param {K} tag @returns {HTMLElementTagNameMap[K][]}
   */
  const all = (tag) => /** @type {HTMLElementTagNameMap[K][]} */ (visibleContent.all(root, tag));
  /** @param {Element} element @param {string} name */
  const address = (element, name) => {
    const written = tree.attr(element, name);
    return written ? visibleContent.address(written) : "";
  };
  /** @param {Element} element */
  const isVisible = (element) => visibility.hasBox(element) && visibility.isShown(element);
  /** @param {number} seconds */
  const duration = (seconds) => (Number.isFinite(seconds) ? Math.round(seconds * 1000) / 1000 : null);
  /** @param {Element} element @returns {{src: string, type: string}[]} */
  const sources = (element) =>
    tree.all(element, ":scope > source").map((source) => ({
      src: address(source, "src"),
      type: tree.attr(source, "type") || "",
    }));

  /** @param {HTMLImageElement} image @param {number} index */
  const image = (image, index) => ({
    index,
    src: address(image, "src"),
    srcset: (tree.attr(image, "srcset") || "").slice(0, 2000).toWellFormed(),
    currentSrc: image.currentSrc ? visibleContent.address(image.currentSrc) : "",
    alt: (tree.attr(image, "alt") || "").toWellFormed(),
    width: image.width,
    height: image.height,
    naturalWidth: image.naturalWidth,
    naturalHeight: image.naturalHeight,
    loading: image.loading,
    dataSrc: LAZY.map((name) => address(image, name)).find(Boolean) || "",
    visible: isVisible(image),
  });

  /** @param {HTMLMediaElement} element @param {number} index */
  const played = (element, index) => {
    const from = sources(element);
    return {
      index,
      src: address(element, "src"),
      currentSrc: element.currentSrc ? visibleContent.address(element.currentSrc) : "",
      duration: duration(element.duration),
      type: tree.attr(element, "type") || from[0]?.type || "",
      sources: from,
    };
  };

  /** @param {HTMLVideoElement} element @param {number} index */
  const video = (element, index) => {
    const facts = played(element, index);
    const every = [{ src: facts.src, type: facts.type }, { src: facts.currentSrc, type: "" }, ...facts.sources];
    const is = (/** @type {RegExp} */ type, /** @type {RegExp} */ file) =>
      every.some((it) => type.test(it.type) || file.test(it.src));
    return {
      ...facts,
      poster: address(element, "poster"),
      width: element.videoWidth || element.clientWidth,
      height: element.videoHeight || element.clientHeight,
      isHLS: is(/mpegurl/i, /\.m3u8(\?|#|$)/i),
      isDASH: is(/dash/i, /\.mpd(\?|#|$)/i),
      visible: isVisible(element),
    };
  };

  /** A selector that finds an element again. @param {Element} element @returns {string} */
  const path = (element) => {
    const steps = [];
    for (let node = /** @type {Element | null} */ (element); node; node = node.parentElement) {
      if (node.id) return [`#${CSS.escape(node.id)}`, ...steps].join(" > ");
      const kind = node.localName;
      const alike = [...(node.parentElement?.children || [])].filter((it) => it.localName === kind);
      const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(node) + 1})` : "";
      steps.unshift(CSS.escape(kind) + place);
    }
    return steps.join(" > ");
  };

  const backgrounds = () => {
    /** @type {{index: number, url: string, selector: string, element: string}[]} */
    const found = [];
    for (const element of visibleContent.all(root, "*")) {
      const { backgroundImage } = tree.style(element);
      if (backgroundImage === "none") continue;
      for (const [, url] of backgroundImage.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)) {
        if (/^data:/i.test(url) || found.length >= MAX_BACKGROUNDS) continue;
        found.push({
          index: found.length,
          url: visibleContent.address(url),
          selector: path(element).toWellFormed(),
          element: tree.tag(element),
        });
      }
    }
    return found;
  };

  return {
    ...(wanted.images ? { images: all("img").map(image) } : {}),
    ...(wanted.videos ? { videos: all("video").map(video) } : {}),
    ...(wanted.audio ? { audio: all("audio").map(played) } : {}),
    ...(wanted.images ? { backgroundImages: backgrounds() } : {}),
  };
};
