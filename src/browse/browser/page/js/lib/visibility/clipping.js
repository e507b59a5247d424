/**
 * Whether something leaves nothing of a box, told from computed values: a clip, a clip path, a mask, or that it has no
 * room for what it cuts off.
 * @param {Lib} lib
 */
export default (lib) => {
  const { tree } = lib;
  const NO_ROOM_PX = 1;
  const MAX_CHARS = 2000;
  const MAX_POINTS = 64;
  const SVG = "http://www.w3.org/2000/svg";
  const { checkVisibility } = Element.prototype;
  const GRADIENT = /^(?:\w+-)*gradient\((?:[^()]|rgba?\([^)]*, 0\))*\)$/;
  // What has no box that could cut anything off: lines, and the parts of a table around its cells.
  const UNBOXED = /^(inline|contents|table-(row|column|header|footer).*|ruby.*)$/;
  const OPAQUE_STOP = /(rgb\(|, (0\.\d*[1-9]\d*|1)\))/;

  /** @param {string} length @param {number} whole What a percentage is of. */
  const pixels = (length, whole) => parseFloat(length) * (length.endsWith("%") ? whole / 100 : 1);

  /** The area of a polygon whose points are all in one unit, as far as that matters here. @param {string} points */
  const area = (points) => {
    const corners = points
      .replace(/^(nonzero|evenodd),\s*/, "")
      .split(",")
      .map((point) => point.trim().split(/\s+/).map(parseFloat));
    if (corners.some(([x, y]) => Number.isNaN(x) || Number.isNaN(y))) return Infinity;
    const doubled = corners.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = corners[(index + 1) % corners.length];
      return sum + x * nextY - nextX * y;
    }, 0);
    return Math.abs(doubled) / 2;
  };

  /**
   * Whether an outline encloses nothing, because all of it lies on one line.
   * @param {string} outline The words of a `path()`.
   */
  const isLine = (outline) => {
    if (outline.length > MAX_CHARS) return false;
    const drawn = document.createElementNS(SVG, "path");
    // Chromium measures no path without a first point.
    drawn.setAttribute("d", /"(.*)"/.exec(outline)?.[1] || "M 0 0");
    const length = drawn.getTotalLength();
    const points = Array.from({ length: MAX_POINTS }, (_, at) => drawn.getPointAtLength((at * length) / MAX_POINTS));
    const from = points[0];
    const reach = points.map(({ x, y }) => Math.hypot(x - from.x, y - from.y));
    const farthest = Math.max(...reach);
    const to = points[reach.indexOf(farthest)];
    const across = points.map(({ x, y }) => (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x));
    return across.every((it) => Math.abs(it) <= (farthest * NO_ROOM_PX) / 2);
  };

  /**
   * Whether an address leads to a `clipPath` in which nothing is drawn. One that is not rendered clips nothing.
   * @param {Element} element @param {string} address
   */
  const isEmptyClip = (element, address) => {
    const clip = tree.byId(element, /^"#(.*)"$/.exec(address)?.[1] || "");
    if (!(clip instanceof SVGClipPathElement) || tree.elements(clip).length) return false;
    return checkVisibility.call(clip);
  };

  /**
   * Whether a clip path leaves nothing of an element.
   * @param {string} path @param {Element} element @returns {boolean}
   */
  const pathHides = (path, element) => {
    const [, shape, inside] = /^(\w+)\((.*)\)/.exec(path) || [];
    if (!shape) return false;
    if (shape === "path") return isLine(inside);
    if (shape === "url") return isEmptyClip(element, inside);
    const [size] = inside.split(/ (?:round|at) /);
    const given = size.trim().split(/\s+/);
    const { width, height } = tree.box(element);
    if (shape === "inset") {
      const [top, right = top, bottom = top, left = right] = given;
      const high = height - pixels(top, height) - pixels(bottom, height);
      const wide = width - pixels(left, width) - pixels(right, width);
      return high < NO_ROOM_PX || wide < NO_ROOM_PX;
    }
    if (shape === "circle" || shape === "ellipse") return given.some((it) => /^\d/.test(it) && parseFloat(it) < 1);
    if (shape === "rect") {
      const [top, right, bottom, left] = given;
      return pixels(right, width) <= pixels(left, width) || pixels(bottom, height) <= pixels(top, height);
    }
    if (shape === "xywh") return parseFloat(given[2]) < 1 || parseFloat(given[3]) < 1;
    return shape === "polygon" && area(inside) < 1;
  };

  /** Whether a `clip: rect(…)` leaves nothing. @param {string} clip @returns {boolean} */
  const rectHides = (clip) => {
    const [top, right, bottom, left] = (/^rect\((.*)\)$/.exec(clip)?.[1] || "").split(/,?\s+/).map(parseFloat);
    return right - left <= 1 || bottom - top <= 1;
  };

  /** Whether a mask is a gradient from nothing to nothing. @param {string} mask @returns {boolean} */
  const maskHides = (mask) =>
    mask !== "none" && mask.length < MAX_CHARS && GRADIENT.test(mask) && !OPAQUE_STOP.test(mask);

  /** What its containment does to what an element holds. @param {CSSStyleDeclaration} style */
  const containsPaint = (style) =>
    /paint|strict|content/.test(style.contain) || (style.contentVisibility || "visible") !== "visible";

  /** Whether the overflow of the body is that of the window: as long as the root leaves its own visible. */
  const isBodyOfWindow = tree.once(() => {
    const { body, documentElement: root } = document;
    if (!body || !root) return false;
    const outer = tree.style(root);
    return outer.overflowX === "visible" && outer.contain === "none" && tree.style(body).contain === "none";
  });
  /** Whether the window has taken over the overflow of an element. @param {Element} element */
  const isOfWindow = (element) =>
    element === document.documentElement || (element === document.body && isBodyOfWindow());

  /**
   * Whether an element has no size only because its content is rendered when one scrolls there.
   * @param {Element} element @param {CSSStyleDeclaration} style
   */
  const isYetToRender = (element, style) => {
    if (style.contentVisibility !== "auto" || style.maxHeight !== "none") return false;
    const { top, bottom, height } = tree.box(element);
    if (height > NO_ROOM_PX || (bottom > 0 && top < innerHeight)) return false;
    // The style itself has the size that it has now.
    return String(element.computedStyleMap().get("height")) === "auto";
  };

  /**
   * Along which axes an element cuts off what does not fit, if any.
   * @param {Element} element @param {CSSStyleDeclaration} style
   */
  const axesOf = (element, style) => {
    const x = style.overflowX !== "visible";
    const y = style.overflowY !== "visible";
    const paint = containsPaint(style);
    if (!x && !y && !paint) return null;
    if (UNBOXED.test(style.display) || isOfWindow(element) || isYetToRender(element, style)) return null;
    return { x: x || paint, y: y || paint };
  };

  /**
   * Where what does not fit into an element is cut off; to the end of the world where it is not.
   * @param {Element} element @param {CSSStyleDeclaration} style @returns {Edges}
   */
  const edgesOf = (element, style) => {
    const { x, y } = axesOf(element, style) || { x: false, y: false };
    const isClip = style.overflowX === "clip" || style.overflowY === "clip";
    const margin = isClip ? parseFloat(style.getPropertyValue("overflow-clip-margin")) || 0 : 0;
    const { left, right, top, bottom } = tree.box(element);
    return {
      left: x ? left - margin : -Infinity,
      right: x ? right + margin : Infinity,
      top: y ? top - margin : -Infinity,
      bottom: y ? bottom + margin : Infinity,
    };
  };

  /**
   * Whether an element cuts off what does not fit, and has no room for anything.
   * @param {Element} element @param {CSSStyleDeclaration} style @returns {boolean}
   */
  const hasNoRoom = (element, style) => {
    const { width, height } = tree.box(element);
    if (width > NO_ROOM_PX && height > NO_ROOM_PX) return false;
    const { left, right, top, bottom } = edgesOf(element, style);
    return right - left <= NO_ROOM_PX || bottom - top <= NO_ROOM_PX;
  };

  return { pathHides, rectHides, maskHides, axesOf, containsPaint, edgesOf, hasNoRoom };
};
