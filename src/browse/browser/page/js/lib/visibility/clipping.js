/** Whether a clip, a clip path or a mask leaves nothing of a box, told from computed values. */
export default () => {
  const MAX_MASK_CHARS = 2000;
  const GRADIENT = /^(?:\w+-)*gradient\((?:[^()]|rgba?\([^)]*, 0\))*\)$/;
  const OPAQUE_STOP = /(rgb\(|, (0\.\d*[1-9]\d*|1)\))/;

  /** @param {string} length @param {number} whole What part of a whole a length is. */
  const share = (length, whole) => parseFloat(length) / (length.endsWith("%") ? 100 : whole || 1);

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

  /** Whether a clip path leaves nothing of a box. @param {string} path @param {DOMRect} box @returns {boolean} */
  const pathHides = (path, box) => {
    const [, shape, inside] = /^(\w+)\((.*)\)/.exec(path) || [];
    if (!shape) return false;
    const [size] = inside.split(/ (?:round|at) /);
    const given = size.trim().split(/\s+/);
    const { width, height } = box;
    if (shape === "inset") {
      const [top, right = top, bottom = top, left = right] = given;
      const isFlat = share(top, height) + share(bottom, height) >= 0.99;
      return isFlat || share(left, width) + share(right, width) >= 0.99;
    }
    if (shape === "circle" || shape === "ellipse") return given.some((it) => /^\d/.test(it) && parseFloat(it) < 1);
    if (shape === "rect") {
      const [top, right, bottom, left] = given;
      return share(right, width) <= share(left, width) || share(bottom, height) <= share(top, height);
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
    mask !== "none" && mask.length < MAX_MASK_CHARS && GRADIENT.test(mask) && !OPAQUE_STOP.test(mask);

  return { pathHides, rectHides, maskHides };
};
